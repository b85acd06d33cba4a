#!/usr/bin/python3
"""Compares `ropewalk data` with an independent derivation in 50 digits (mpmath), written from the formulas and not from the program.

usage: oracle.py PROGRAM [GROUP]…      prints one line per case; exits 1 if any bound is broken

Every encoding, construction and kind of data that the program lists must be derived here; the group `coverage` sees to it.
"""
import json
import subprocess
import sys
from pathlib import Path

import mpmath as mp
import numpy as np

sys.dont_write_bytecode = True  # the tree stays as it is
from derivations import (
    clipped, damped_score, hash_of, llama3, normal_row, ntk, pairs_of, relative_score, rope_frequencies, scaled, self_extend_distance,
    sinusoidal_score, yarn)
from oracle_cases import FOLDER, PROGRAM, data, derived, derives, failures, report, scene, used
from oracle_figures import check_figures, check_fit, check_worked_numbers  # found by their names


@derives(encodings="rope p_rope partial yarn sinusoidal xpos random_rope linear ntk llama3 clipped longrope dynamic_ntk clex", data="inv_freq attention_scaling")
def check_frequencies():
    worst = mp.mpf(0)
    cases = []
    for d in (2, 4, 96, 256):
        for base in (1.5, 10000, 2.5e9):
            cases.append(({"id": "rope", "base": base}, d, rope_frequencies(base, d)))
            if d >= 4:
                cases.append(({"id": "rope", "base": base, "exponent": "d_minus_2"}, d, rope_frequencies(base, d, d - 2)))
            for p in (0, 0.25, 0.29, 0.57, 0.58, 0.75, 1):
                n = int(p * d // 2)
                cases.append(({"id": "p_rope", "base": base, "p": p}, d, rope_frequencies(base, d)[:n] + [mp.mpf(0)] * (d // 2 - n)))
            for fraction in (0, 0.25, 0.5, 1):
                rotary = int(d * fraction)
                if rotary % 2 == 0:
                    cases.append(({"id": "partial", "base": base, "fraction": fraction}, d, rope_frequencies(base, rotary) + [mp.mpf(0)] * (d // 2 - rotary // 2)))
    for d in (64, 128, 256):
        for base, s, length in ((10000, 8, 4096), (10000, 16, 4096), (500000, 4, 8192), (150000, 32, 4096), (1e6, 1.5, 32768)):
            for ramp in ("code", "paper"):
                for truncate in (True, False):
                    encoding = {"id": "yarn", "base": base, "factor": s, "original_length": length, "ramp": ramp, "truncate": truncate}
                    cases.append((encoding, d, yarn(base, d, s, length, ramp=ramp, truncate=truncate)))
    for d in (2, 4, 96, 256):
        for base in (100, 500000):
            cases.append(({"id": "sinusoidal", "base": base}, d, rope_frequencies(base, d)))
            cases.append(({"id": "xpos", "base": base}, d, rope_frequencies(base, d)))
            cases.append(({"id": "random_rope", "base": base}, d, rope_frequencies(base, d)))
            for s in (0.5, 3, 64):
                cases.append(({"id": "linear", "base": base, "factor": s}, d, [w / mp.mpf(s) for w in rope_frequencies(base, d)]))
                if d >= 4:
                    cases.append(({"id": "ntk", "base": base, "factor": s}, d, ntk(base, d, mp.mpf(s))))
            for low, high, s, length in ((1, 4, 8, 8192), (1, 4, 32, 2048), (0.3, 17.5, 3.7, 100)):
                encoding = {"id": "llama3", "base": base, "factor": s, "original_length": length, "low_freq_factor": low, "high_freq_factor": high}
                cases.append((encoding, d, llama3(base, d, mp.mpf(s), length, mp.mpf(low), mp.mpf(high))))
            for p in (0, 0.29, 0.57, 0.58, 0.99, 1):
                cases.append(({"id": "clipped", "base": base, "p": p}, d, clipped(base, d, n=d // 2 - int(p * d // 2))))
            for length in (7, 4096, 1 << 20):
                cases.append(({"id": "clipped", "base": base, "original_length": length}, d, clipped(base, d, length=length)))
            for length, n in ((100, 99), (100, 100), (100, 101), (64, 1000), (3, 1000)):
                lists = ([1 + t / 7 for t in range(d // 2)], [1.5 + t * t / 3 for t in range(d // 2)])
                encoding = {"id": "longrope", "base": base, "original_length": length, "short_factor": lists[0], "long_factor": lists[1]}
                cases.append((encoding, d, [w / mp.mpf(x) for w, x in zip(rope_frequencies(base, d), lists[n > length])], n))
                if d >= 4:
                    for f in (1, 2.5):
                        alpha = mp.mpf(f) * max(n, length) / length - (mp.mpf(f) - 1)
                        cases.append(({"id": "dynamic_ntk", "base": base, "factor": f, "original_length": length}, d, ntk(base, d, alpha), n))
                    alpha = 2 * min(-(-n // length), 16) - 1
                    cases.append(({"id": "clex", "base": base, "original_length": length}, d, ntk(base, d, mp.mpf(alpha)), n))
    for encoding, d, expected, *length in cases:
        got = data(scene(head_dim=d, seq_len=length[0] if length else 2, encoding=encoding), "inv_freq")
        assert len(got) == d // 2, (encoding, d, len(got))
        for g, e in zip(got, expected):
            error = mp.mpf(float(g)) if e == 0 else abs(mp.mpf(float(g)) - e) / e
            worst = max(worst, error)
    report(f"inv_freq of {len(cases)} encodings", worst, mp.mpf("1e-13"))
    got = data(scene(encoding={"id": "yarn", "factor": 8, "original_length": 4096}), "attention_scaling")[0]
    report("yarn attention_scaling", abs(mp.mpf(float(got)) - (mp.log(8) / 10 + 1)), mp.mpf("1e-15"))
    got = data(scene(encoding={"id": "longrope", "factor": 7, "original_length": 3000}), "attention_scaling")[0]
    report("longrope attention_scaling", abs(mp.mpf(float(got)) - mp.sqrt(1 + mp.log(7) / mp.log(3000))), mp.mpf("1e-15"))


@derives(encodings="clex", data="inv_freq")
def check_clex():
    """Integrates the published network in matrices and ten times finer steps."""
    random = np.random.default_rng(1)
    for d, hidden, activation in ((8, 5, "silu"), (64, 64, "tanh")):
        up, down = random.normal(0, 0.05, (d // 2, hidden)), random.normal(0, 0.05, (hidden, d // 2))
        np.save(FOLDER / "weights.npy", np.stack([up.T, down]))
        encoding = {"id": "clex", "base": 500000, "original_length": 16, "weights": "weights.npy", "activation": activation}
        got = data(scene(head_dim=d, seq_len=50, encoding=encoding), "inv_freq")
        index = np.arange(0, d, 2)

        def slope(t, x):
            shown = (x - np.log((10000 * (2 * t - 1) ** (d / (d - 2))) ** (index / d))) @ up
            active = np.tanh(shown) if activation == "tanh" else shown / (1 + np.exp(-shown))
            return active @ down - 2 * index / (d - 2) / (2 * t - 1)

        x, step = np.log(1 / 500000 ** (index / d)), 1e-3
        for i in range(3000):
            t = 1 + i * step
            a = slope(t, x)
            b = slope(t + step / 2, x + step / 2 * a)
            c = slope(t + step / 2, x + step / 2 * b)
            x = x + step / 6 * (a + 2 * b + 2 * c + slope(t + step, x + step * c))
        assert np.abs(np.exp(x) * 500000 ** (index / d) - 1).max() > 0.1
        report(f"clex network d={d} {activation}", mp.mpf(float(np.abs(got / np.exp(x) - 1).max())), mp.mpf("1e-11"))


def check_entries(name, experiment, distance_of, w, bias=0, scaling=1, rotary=None, positions=None, score=None):
    """Checks logits of a few entries and weights of whole rows, from the rows that `data q` and `data k` give."""
    path = scene(**experiment)
    n, d = experiment["seq_len"], experiment["head_dim"]
    pairing = experiment.get("pairing", "interleaved")
    scale = {"none": mp.mpf(1), "sqrt_d": 1 / mp.sqrt(d), "value": mp.mpf(experiment.get("scale_value", 1))}[experiment.get("scale", "none")]
    temperature = mp.mpf(experiment.get("temperature", 1))
    softcap = mp.mpf(experiment.get("softcap", 0))
    start = experiment.get("positions", {}).get("start", 0)
    stride = experiment.get("positions", {}).get("stride", 1)
    q, k = data(path, "q"), data(path, "k")
    i = n - 1
    first = max(0, n - experiment.get("window", 64)) if experiment.get("mask") == "window" else 0
    visible = range(first, i + 1)
    exact, sizes, allowed = [], [], []
    for j in visible:
        m, p = (positions[i], positions[j]) if positions else (start + stride * i, start + stride * j)
        if score:
            s, size = score(q[i], k[j], m, p)
        else:
            s, size = relative_score(w, pairs_of(q[i], pairing, rotary), pairs_of(k[j], pairing, rotary), distance_of(m, p))
        logit = scale * scaling**2 * s - mp.mpf(bias) * (m - p)
        exact.append((softcap * mp.tanh(logit / softcap) if softcap else logit) / temperature)
        sizes.append(scale * scaling**2 * size / temperature)
        # The bound covers only q·k; a bias adds its own rounding error, and nothing else is allowed.
        allowed.append(1 + sizes[-1] + abs(mp.mpf(bias) * (m - p)) / temperature)
    top = max(exact)
    total = sum(mp.exp(e - top) for e in exact)
    for backend, bound in (("reference", mp.mpf("1e-12")), ("cpu", mp.mpf("2e-6"))):
        logits = data(path, "logits", "--backend", backend, "--rows", f"{i}:{i + 1}")[0]
        weights = data(path, "weights", "--backend", backend, "--rows", f"{i}:{i + 1}")[0]
        for hidden in (slice(0, first), slice(i + 1, None)):
            assert all(np.isneginf(logits[hidden])) and all(weights[hidden] == 0)
        logits, weights = logits[first:i + 1], weights[first:i + 1]
        error = max(abs(mp.mpf(float(g)) - e) / a for g, e, a in zip(logits, exact, allowed))
        report(f"{name} logits, {backend}", error, bound)
        error = max(abs(mp.mpf(float(g)) - mp.exp(e - top) / total) / (1 + a) for g, e, a in zip(weights, exact, sizes))
        report(f"{name} weights, {backend}", error, bound)
        report(f"{name} sum of weights, {backend}", abs(mp.mpf(float(weights.astype(float).sum())) - 1), mp.mpf("1e-6"))


@derives(encodings="rope nope partial yarn alibi self_extend sinusoidal xpos random_rope", data="logits weights")
def check_heads():
    plain = lambda m, p: m - p
    gaussian = {"id": "gaussian"}
    for d, pairing in ((2, "interleaved"), (8, "half_split"), (64, "interleaved"), (128, "half_split")):
        check_entries(f"rope d={d} {pairing}", dict(head_dim=d, seq_len=65, pairing=pairing, construction=gaussian, encoding={"id": "rope"}, scale="sqrt_d"), plain, rope_frequencies(10000, d))
    check_entries("rope at 2^20", dict(head_dim=64, seq_len=40, construction=gaussian, encoding={"id": "rope"}, positions={"start": 0, "stride": 26886}, temperature=0.5), plain, rope_frequencies(10000, 64))
    check_entries("rope from 2^20", dict(head_dim=64, seq_len=33, construction=gaussian, encoding={"id": "rope", "base": 500000}, positions={"start": 1048576, "stride": 7}), plain, rope_frequencies(500000, 64))
    check_entries("partial half split", dict(head_dim=32, seq_len=33, pairing="half_split", construction=gaussian, encoding={"id": "partial", "fraction": 0.5}), plain, rope_frequencies(10000, 16) + [mp.mpf(0)] * 8, rotary=16)
    check_entries("yarn", dict(head_dim=64, seq_len=33, construction=gaussian, encoding={"id": "yarn", "factor": 4, "original_length": 2048}, positions={"start": 0, "stride": 300}), plain,
                  yarn(10000, 64, 4, 2048), scaling=mp.log(4) / 10 + 1)
    check_entries("nope", dict(head_dim=16, seq_len=33, construction=gaussian, encoding={"id": "nope"}, scale="sqrt_d"), plain, [mp.mpf(0)] * 8)
    check_entries("alibi", dict(head_dim=16, seq_len=33, construction=gaussian, encoding={"id": "alibi", "heads": 12, "head": 9}, scale="sqrt_d"), plain, [mp.mpf(0)] * 8, bias=mp.power(2, -1.5))
    for fractional in (False, True):
        encoding = {"id": "self_extend", "group": 6, "window": 20, "offset": "fractional" if fractional else "integer"}
        check_entries(f"self_extend {encoding['offset']}", dict(head_dim=32, seq_len=97, construction=gaussian, encoding=encoding, positions={"start": 13, "stride": 1}),
                      lambda m, p: self_extend_distance(m, p, 6, 20, fractional), rope_frequencies(10000, 32))
    for pairing in ("interleaved", "half_split"):
        for layout in ("interleaved", "halves"):
            def waves(q, k, m, p):
                total, a, b = sinusoidal_score(10000, q, k, m, p, layout)
                size = sum(mp.hypot(*x) * mp.hypot(*y) for x, y in zip(pairs_of(a, pairing), pairs_of(b, pairing)))
                return total, size

            check_entries(f"sinusoidal {layout}, {pairing}", dict(head_dim=32, seq_len=40, pairing=pairing, construction=gaussian, encoding={"id": "sinusoidal", "layout": layout}, scale="sqrt_d",
                                                                  positions={"start": 5, "stride": 26000}), plain, [], score=waves)
    for d, scale_base, positions in ((64, 512, {"start": 1048576 - 65, "stride": 1}), (8, 512, {"start": 3, "stride": 20000}), (128, 100000, {"start": 0, "stride": 16000}), (2, 3, {"start": 0, "stride": 1})):
        check_entries(f"xpos d={d} scale_base={scale_base}", dict(head_dim=d, seq_len=65, construction=gaussian, encoding={"id": "xpos", "scale_base": scale_base}, positions=positions), plain, [],
                      score=lambda q, k, m, p: damped_score(rope_frequencies(10000, d), pairs_of(q, "interleaved"), pairs_of(k, "interleaved"), m - p, scale_base))
    for name, bounds in (("window", {"mask": "window", "window": 17}), ("softcap", {"softcap": 0.75}), ("window and softcap", {"mask": "window", "window": 40, "softcap": 2.5})):
        for d, temperature, scales in ((64, 1, {"scale": "sqrt_d"}), (16, 0.6, {"scale": "value", "scale_value": 0.3})):
            check_entries(f"{name}, d={d}", dict(head_dim=d, seq_len=65, construction=gaussian, encoding={"id": "rope"}, temperature=temperature, **scales, **bounds), plain, rope_frequencies(10000, d))
        check_entries(f"{name}, one vector", dict(head_dim=32, seq_len=65, construction={"id": "at_distance", "distance": 9}, encoding={"id": "rope"}, **bounds), plain, rope_frequencies(10000, 32))
        check_entries(f"{name}, alibi", dict(head_dim=16, seq_len=65, construction=gaussian, encoding={"id": "alibi", "heads": 12, "head": 9}, **bounds), plain, [mp.mpf(0)] * 8, bias=mp.power(2, -1.5))
    positions = [t * t * 700 + t for t in range(39)]
    check_entries("random_rope, positions given", dict(head_dim=64, seq_len=39, construction=gaussian, encoding={"id": "random_rope", "positions": positions}, temperature=0.5), plain, rope_frequencies(10000, 64),
                  positions=positions)
    check_entries("wendler experiment 1", dict(head_dim=64, seq_len=20, construction={"id": "previous_token", "alpha": 100}, encoding={"id": "rope"}), plain, rope_frequencies(10000, 64))
    check_entries("semantic", dict(head_dim=64, seq_len=100, construction={"id": "semantic", "d0": 32}, encoding={"id": "rope", "exponent": "d_minus_2"}), plain, rope_frequencies(10000, 64, 62))


@derives(constructions="ones at_distance previous_token bands", data="decay logits")
def check_constructions():
    """Checks constructions whose scores have a closed form, at every distance up to a million, without reading q or k."""
    million = 1 << 20
    for name, d, construction, closed in (
        ("ones", 128, {"id": "ones"}, lambda w, r: sum(mp.cos(r * f) for f in w) / len(w)),
        ("at_distance", 64, {"id": "at_distance", "distance": 100000, "norm_squared": 40}, lambda w, r: 40 * sum(mp.cos((r - 100000) * f) for f in w) / len(w)),
        ("previous_token", 64, {"id": "previous_token", "alpha": 3}, lambda w, r: 3 * sum(mp.cos((r - 1) * f) for f in w)),
        ("bands", 4, {"id": "bands", "amplitudes": [2, -1.5], "phases": [0.3, 1]}, lambda w, r: 2 * mp.cos(r * w[0] + mp.mpf(0.3)) - mp.mpf(1.5) * mp.cos(r * w[1] + 1)),
    ):
        path = scene(head_dim=d, seq_len=million, construction=construction, encoding={"id": "rope", "base": 10000})
        w = rope_frequencies(10000, d)
        size = {"ones": 1, "at_distance": 40, "previous_token": 96, "bands": 3.5}[name]
        last = million - 1
        keys = [0, 1, 12345, 500000, last - 3000, last - 1, last]
        curve = data(path, "decay")
        error = max(abs(mp.mpf(float(curve[last - j, 1])) - closed(w, last - j)) for j in keys)
        report(f"{name} decay to 2^20", error, mp.mpf("1e-12") * (1 + size))
        for j in keys:
            got = data(path, "logits", "--rows", f"{last}:{million}", "--columns", f"{j}:{j + 1}")[0, 0]
            error = abs(mp.mpf(float(got)) - closed(w, last - j))
            report(f"{name} logit at key {j} of 2^20", error, mp.mpf("2e-6") * (1 + size))
        shorter = scene(head_dim=d, seq_len=1 << 16, construction=construction, encoding={"id": "rope", "base": 10000})  # the reference is slow
        got = data(shorter, "logits", "--backend", "reference", "--rows", f"{(1 << 16) - 1}:{1 << 16}", "--columns", "0:1")[0, 0]
        report(f"{name} logit of 2^16, reference", abs(mp.mpf(float(got)) - closed(w, (1 << 16) - 1)), mp.mpf("1e-12") * (1 + size))


@derives(constructions="gaussian same_vector similar_vs_random repeated_token semantic single_frequency apostrophe text arrays", data="q k")
def check_rows():
    """Checks the rows of constructions that are drawn at random, differ from token to token or come from files."""
    d, n, seed = 16, 23, 98765432109
    zero = [mp.mpf(0)] * d

    def normal(stream, token=0, sample=0):
        return normal_row(seed, stream, d, token, sample)

    def times(factor, row):
        return [factor * x for x in row]

    def plus(a, b):
        return [x + y for x, y in zip(a, b)]

    def check(name, construction, q, k, bound="1e-14", **more):
        path = scene(head_dim=d, seq_len=n, seed=seed, construction=construction, **more)
        for what, row in (("q", q), ("k", k)):
            got = data(path, what)
            assert got.shape == (n, d), (name, got.shape)
            rows = [row(i) for i in range(n)]
            size = 1 + max(abs(x) for each in rows for x in each)
            error = max(abs(mp.mpf(float(g)) - e) for got_row, each in zip(got, rows) for g, e in zip(got_row, each))
            report(f"{name} {what}", error / size, mp.mpf(bound))

    quarter = mp.power(d, mp.mpf(-1) / 4)
    check("gaussian", {"id": "gaussian"}, lambda i: times(quarter, normal("query", i)), lambda i: times(quarter, normal("key", i)))
    same = scaled(normal("content"), 16)
    check("same_vector", {"id": "same_vector", "norm_squared": 16}, lambda i: same, lambda i: same)
    query = times(mp.mpf(0.5), normal("query"))
    check("similar_vs_random", {"id": "similar_vs_random", "sigma": 0.5, "noise": 0.25}, lambda i: query,
          lambda i: times(mp.mpf(0.5), normal("key", i)) if i % 2 else plus(query, times(mp.mpf(0.25), normal("key", i))))
    bos, copy = scaled(normal("content"), 150), [mp.sqrt(mp.mpf(150) / (d // 2)) * (1 - c % 2) for c in range(d)]
    check("repeated_token", {"id": "repeated_token", "norm_squared": 150}, lambda i: copy if i else bos, lambda i: copy if i else bos)

    def from_channel(row, first=6):
        return zero[:first] + row[first:]

    check("semantic", {"id": "semantic", "d0": 6}, lambda i: from_channel(normal("content") if i == n - 1 else normal("query", i)),
          lambda i: from_channel(normal("key", i) if i == n - 1 else normal("content")))
    match = zero[:6] + [mp.sqrt(20)] + zero[7:]
    check("single_frequency", {"id": "single_frequency", "pair": 3, "norm_squared": 20}, lambda i: match, lambda i: zero if i else match)
    words = ["BOS", "it", "'", "s", "so", ",", "it", "’", "s"]
    word_of = lambda i: words[1 + (i - 1) % (len(words) - 1)] if i else words[0]

    def of_word(i):
        value = hash_of(word_of(i))
        return scaled(normal("content", value % 2**32, value >> 32), 16)

    check("text", {"id": "text", "text": "it's so, it’s", "norm_squared": 16}, of_word, of_word)

    # The measured q and k of the BOS channel, pair 5 of 8, and one fast pair, because a sixteenth of 8 is less.
    def apostrophe(look, measured, factor=1):
        row = [mp.mpf(x) for x in look] + zero[2:]
        row[10:12] = [factor * mp.mpf(x) for x in measured]
        return row

    length = mp.sqrt(52)
    asks = apostrophe((length * mp.cos(1), -length * mp.sin(1)), ("-4.1", "11.3"))
    offers = apostrophe((length, 0), ("11.2", "-3.5"), 1 + mp.mpf("0.62") * 52 / mp.mpf("85.47"))
    check("apostrophe", {"id": "apostrophe", "text": "it's so, it’s", "channel": 0.7, "norm_squared": 52},
          lambda i: asks if i else apostrophe((0, 0), ("0.7", "-1.9")),
          lambda i: (offers if word_of(i) in "'’" else apostrophe((0, 0), ("11.2", "-3.5"))) if i else apostrophe((0, 0), ("-2.5", "1.3")))
    random = np.random.default_rng(2)
    q, k = random.normal(size=(n + 2, d)), random.normal(size=(n, d)).astype(np.float32)
    np.save(FOLDER / "q.npy", q)
    np.save(FOLDER / "k.npy", k)
    for pairing in ("interleaved", "half_split"):
        check(f"arrays {pairing}", {"id": "arrays", "q": "q.npy", "k": "k.npy"}, lambda i: [mp.mpf(float(x)) for x in q[i]], lambda i: [mp.mpf(float(x)) for x in k[i]], bound=0, pairing=pairing)


# Kinds of data that only tests in C++ derive, and where.
DERIVED_ELSEWHERE = {
    "model_logits": "cli/models.py",
    "next_token": "cli/models.py",
    "tokens": "cli/models.py",
    "head_atlas": "cli/models.py",
    "loss_by_position": "cli/models.py",
    "masked_heads": "cli/models.py",
    "batch": "cli/training.py",
    "training": "cli/training.py",
    "length_test": "cli/training.py",
    "usage_over_training": "cli/training.py",
    "usage_by_layer": "cli/models.py",
    "phasor_bound": "core/analysis/phasors_test.cpp",
    "robustness": "core/analysis/robustness_test.cpp",
    "properties": "core/analysis/verdicts_test.cpp",
    "random_rope_decay": "core/experiment/position_kinds_test.cpp",
    "dominance": "core/analysis/head_statistics_test.cpp",
    "top_pairs": "core/analysis/head_statistics_test.cpp",
    "methods": "core/analysis/extension_methods_test.cpp",
    "truncation": "figures/encodings/truncation_test.cpp",
    "number_formats": "core/analysis/number_formats_test.cpp",
    "shift": "core/analysis/shift_test.cpp",
}


def check_coverage():
    """Compares what the groups derive with what the program lists."""
    tests = Path(__file__).resolve().parent.parent
    for name, path in DERIVED_ELSEWHERE.items():
        assert (tests / path).exists(), f"{path}, which derives '{name}', is gone"
    for kind, ids in derived.items():
        listed = {entry["id"] for entry in json.loads(subprocess.run([PROGRAM, "list", kind, "--json"], check=True, capture_output=True).stdout)}
        elsewhere = {"data": set(DERIVED_ELSEWHERE), "constructions": {"model_head"}}.get(kind, set())  # heads of models: models.py
        one = {"encodings": "encoding", "constructions": "construction", "data": "data"}[kind]
        for name in sorted(listed - ids - elsewhere):
            failures.append(name)
            print(f"FAIL no independent check of {one} '{name}'; add one to tests/cli/oracle.py and name it in @derives")
        for name in sorted((ids | elsewhere) - listed):
            failures.append(name)
            print(f"FAIL tests/cli/oracle.py derives {one} '{name}', which the program does not list")
        print(f"{len(listed)} {'kinds of data' if kind == 'data' else kind} are listed, {len(ids & listed)} derived here")


def run(function):
    for names in used.values():
        names.clear()
    function()
    for kind, ids in getattr(function, "derives", {}).items():
        assert ids <= used[kind], f"{function.__name__} says that it derives {sorted(ids - used[kind])}, but no case uses it"


if __name__ == "__main__":
    checks = {name[6:]: function for name, function in globals().items() if name.startswith("check_") and name != "check_entries"}
    for name in sys.argv[2:] or checks:
        run(checks[name])
    sys.exit(1 if failures else 0)
