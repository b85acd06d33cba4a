#include "app/plot/math/font_subset.h"

#include <hb-subset.h>
#include <hb.h>

#include "core/error.h"
#include "core/owned.h"

namespace ropewalk {
namespace {

using Blob = Owned<hb_blob_t, hb_blob_destroy>;
using HarfBuzzFace = Owned<hb_face_t, hb_face_destroy>;
using SubsetInput = Owned<hb_subset_input_t, hb_subset_input_destroy>;

}  // namespace

std::string font_subset(const std::string& path, const std::set<char32_t>& characters) {
    const Blob file(hb_blob_create_from_file(path.c_str()));
    const HarfBuzzFace face(hb_face_create(file.get(), 0));
    const SubsetInput input(hb_subset_input_create_or_fail());
    ensure(input != nullptr, "a subset has an input");
    for (const char32_t character : characters) hb_set_add(hb_subset_input_unicode_set(input.get()), character);
    hb_set_t* const dropped = hb_subset_input_set(input.get(), HB_SUBSET_SETS_DROP_TABLE_TAG);
    for (const hb_tag_t table : {HB_TAG('M', 'A', 'T', 'H'), HB_TAG('G', 'S', 'U', 'B'), HB_TAG('G', 'P', 'O', 'S'),
                                 HB_TAG('G', 'D', 'E', 'F'), HB_TAG('F', 'F', 'T', 'M')})
        hb_set_add(dropped, table);
    const HarfBuzzFace subset(hb_subset_or_fail(face.get(), input.get()));
    if (!subset) throw IoError(path + ": this font cannot be read; reinstall it.");
    const Blob bytes(hb_face_reference_blob(subset.get()));
    unsigned length = 0;
    const char* const data = hb_blob_get_data(bytes.get(), &length);
    return {data, length};
}

}  // namespace ropewalk
