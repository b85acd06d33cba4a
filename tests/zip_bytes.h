// Zip archives written byte by byte, as PKWARE's APPNOTE and RFC 1951 define them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

inline std::string little_endian(std::uint64_t number, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(i < 8 ? number >> 8 * i & 255 : 0);
    return text;
}

inline std::uint32_t crc32_of(std::string_view bytes) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/// Returns a DEFLATE stream of one block with the fixed codes and no repetitions.
inline std::string deflated(std::string_view bytes) {
    std::string stream;
    int filled = 0;
    const auto put = [&](bool bit) {
        if (filled % 8 == 0) stream += '\0';
        if (bit) stream.back() = static_cast<char>(stream.back() | 1 << filled % 8);
        ++filled;
    };
    const auto put_code = [&](unsigned code, int length) {
        while (length-- > 0) put(code >> length & 1);
    };
    put(true), put(true), put(false);  // the last block, of type 1
    for (const char c : bytes) {
        const auto literal = static_cast<unsigned char>(c);
        literal < 144 ? put_code(0x30u + literal, 8) : put_code(0x190u + literal - 144, 9);
    }
    put_code(0, 7);
    return stream;
}

struct ZipMember {
    std::string name, content;
    bool deflate = false;
    std::uint64_t claimed_bytes = 0;  // 0: the true number
    bool damaged = false;             // another checksum than that of the content
};

inline std::string zip_of(const std::vector<ZipMember>& members) {
    std::string archive, list;
    for (const ZipMember& member : members) {
        const std::string data = member.deflate ? deflated(member.content) : member.content;
        const std::string common =
            little_endian(20, 2) + little_endian(0, 2) + little_endian(member.deflate ? 8 : 0, 2) +
            little_endian(0x5a210000, 4) + little_endian(crc32_of(member.content) ^ (member.damaged ? 1u : 0u), 4) +
            little_endian(data.size(), 4) +
            little_endian(member.claimed_bytes > 0 ? member.claimed_bytes : member.content.size(), 4) +
            little_endian(member.name.size(), 2) + little_endian(0, 2);
        list += "PK\x01\x02" + little_endian(20, 2) + common + little_endian(0, 2 + 2 + 2 + 4) +
                little_endian(archive.size(), 4) + member.name;
        archive += "PK\x03\x04" + common + member.name + data;
    }
    return archive + list + "PK\x05\x06" + little_endian(0, 4) + little_endian(members.size(), 2) +
           little_endian(members.size(), 2) + little_endian(list.size(), 4) + little_endian(archive.size(), 4) +
           little_endian(0, 2);
}

}  // namespace ropewalk
