"""Frequencies, scores and rows of queries and keys, derived in 50 digits from the papers alone, for the oracle."""
import mpmath as mp

mp.mp.dps = 50


def rope_frequencies(base, d, exponent=None):
    return [mp.power(mp.mpf(base), mp.mpf(-2 * t) / (exponent or d)) for t in range(d // 2)]


def yarn(base, d, s, length, fast=32, slow=1, ramp="code", truncate=True):
    def pair_of(turns):
        return d * mp.log(length / (turns * 2 * mp.pi)) / (2 * mp.log(base))

    low, high = pair_of(fast), pair_of(slow)
    if truncate:
        low, high = mp.floor(low), mp.ceil(high)
    low, high = max(low, mp.mpf(0)), min(high, mp.mpf(d - 1))
    if low == high:
        high += mp.mpf("0.001")
    out = []
    for t, w in enumerate(rope_frequencies(base, d)):
        if ramp == "code":
            r = min(max((t - low) / (high - low), 0), 1)
        else:
            gamma = min(max((length * w / (2 * mp.pi) - slow) / (mp.mpf(fast) - slow), 0), 1)
            r = 1 - gamma
        out.append(w * (r / mp.mpf(s) + 1 - r))
    return out


def ntk(base, d, alpha):
    return rope_frequencies(mp.mpf(base) * mp.power(alpha, mp.mpf(d) / (d - 2)), d)


def llama3(base, d, s, length, low, high):
    out = []
    for w in rope_frequencies(base, d):
        wavelength = 2 * mp.pi / w
        if wavelength < mp.mpf(length) / high:
            out.append(w)
        elif wavelength > mp.mpf(length) / low:
            out.append(w / s)
        else:
            smooth = (length / wavelength - low) / (mp.mpf(high) - low)
            out.append((1 - smooth) * w / s + smooth * w)
    return out


def clipped(base, d, n=None, length=None):
    w = rope_frequencies(base, d)
    if length is not None:
        n = sum(2 * mp.pi / f > length for f in w)
    for j in range(n):
        taper = (1 + mp.cos(mp.pi * j / (n - 1))) / 2 if n > 1 else mp.mpf(0)
        w[d // 2 - n + j] *= taper if j < n - 1 else 0
    return w


def damped_score(w, q, k, distance, scale_base):
    """Returns the xPos score: every pair times zeta^(distance/scale_base)."""
    d, total, size = 2 * len(w), mp.mpf(0), mp.mpf(0)
    for t, frequency in enumerate(w):
        part, norm = relative_score([frequency], [q[t]], [k[t]], distance)
        left = mp.power((mp.mpf(2 * t) / d + mp.mpf(2) / 5) / mp.mpf("1.4"), mp.mpf(distance) / scale_base)
        total, size = total + left * part, size + left * norm
    return total, size


def sinusoidal_score(base, q, k, m, p, layout):
    """Returns the score of q and k as raw channels."""
    d = len(q)

    def added(row, position):
        row = [mp.mpf(float(x)) for x in row]
        for u, w in enumerate(rope_frequencies(base, d)):
            sine, cosine = (2 * u, 2 * u + 1) if layout == "interleaved" else (u, u + d // 2)
            row[sine] += mp.sin(position * w)
            row[cosine] += mp.cos(position * w)
        return row

    return sum(a * b for a, b in zip(added(q, m), added(k, p))), added(q, m), added(k, p)


def relative_score(w, q, k, distance):
    """Returns the sum over pairs of A cos + B sin and of the norms' product; q, k in pairs."""
    total, size = mp.mpf(0), mp.mpf(0)
    for t, frequency in enumerate(w):
        (q0, q1), (k0, k1) = q[t], k[t]
        angle = distance * frequency
        total += (q0 * k0 + q1 * k1) * mp.cos(angle) + (q0 * k1 - q1 * k0) * mp.sin(angle)
        size += mp.sqrt((q0 * q0 + q1 * q1) * (k0 * k0 + k1 * k1))
    return total, size


def pairs_of(row, pairing, rotary=None):
    d = len(row)
    rotary = d if rotary is None else rotary
    if pairing == "interleaved":
        index = [(2 * t, 2 * t + 1) for t in range(d // 2)]
    else:
        rest = (d - rotary) // 2
        index = [(t, t + rotary // 2) for t in range(rotary // 2)] + [(rotary + t, rotary + t + rest) for t in range(rest)]
    return [(mp.mpf(float(row[a])), mp.mpf(float(row[b]))) for a, b in index]


def self_extend_distance(i, j, group, window, fractional=False):
    r = i - j
    if r < window:
        return mp.mpf(r)
    joined = window - mp.mpf(window) / group if fractional else window - window // group
    return mp.mpf(i // group - j // group) + joined


def philox(counter, key):
    """Philox4x32-10 (Salmon et al. 2011)."""
    mask = 0xFFFFFFFF
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = ((b >> 32) ^ counter[1] ^ key[0], b & mask, (a >> 32) ^ counter[3] ^ key[1], a & mask)
        key = ((key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask)
    return counter


def normal_row(seed, stream, d, token=0, sample=0):
    """Returns d numbers N(0, 1) by the exact quantile function."""
    row = []
    for pair in range(d // 2):
        bits = philox((token, pair, sample, ("query", "key", "content").index(stream)), (seed & 0xFFFFFFFF, seed >> 32))
        for low, high in (bits[:2], bits[2:]):
            uniform = (mp.mpf((high << 32 | low) >> 11) + mp.mpf("0.5")) / 2**53
            row.append(mp.sqrt(2) * mp.erfinv(2 * uniform - 1))
    return row


def scaled(row, norm_squared):
    return [x * mp.sqrt(norm_squared / sum(y * y for y in row)) for x in row]


def hash_of(word):
    """FNV-1a of a word and of an end marker."""
    value = 0xCBF29CE484222325
    for byte in [*word.encode(), 0xFF]:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value
