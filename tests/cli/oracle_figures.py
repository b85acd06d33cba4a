"""The oracle's groups for data of figures, fits and numbers that papers print."""
import json

import mpmath as mp
import numpy as np

from derivations import pairs_of, relative_score, rope_frequencies, self_extend_distance
from oracle_cases import FOLDER, data, derives, report, scene


@derives(data="scores row attention_row wavelengths rotations rotation_heatmap cosines contributions phasors arrows bands frequency_usage alignment entropy base_bound position_map")
def check_figures():
    """Checks the data of figures that have a short formula, for one head of random rows."""
    d, n, i, j = 16, 40, 33, 12
    path = FOLDER / "figures.json"
    head = scene(head_dim=d, seq_len=n, construction={"id": "gaussian"}, encoding={"id": "rope", "base": 50}, scale="sqrt_d")
    cursor = {"query": i, "key": j}
    path.write_text(json.dumps({**json.loads(head.read_text()), "view": {"cursor": cursor}}))
    w = rope_frequencies(50, d)
    q, k = ([pairs_of(row, "interleaved") for row in data(path, name)] for name in "qk")

    def score(a, b):
        return relative_score(w, q[a], k[b], a - b)[0]

    def worst(got, expected):
        got, expected = np.asarray(got, dtype=float).ravel(), list(expected)
        assert len(got) == len(expected), (len(got), len(expected))
        return max(abs(mp.mpf(float(g)) - e) / (1 + abs(e)) for g, e in zip(got, expected))

    def check(name, got, expected, bound="1e-12"):
        report(f"{name} of one head", worst(got, expected), mp.mpf(bound))

    def logits_of(a):
        return [score(a, b) / mp.sqrt(d) for b in range(a + 1)]

    def weights_of(a):
        parts = [mp.exp(x) for x in logits_of(a)]
        return [x / sum(parts) for x in parts]

    def entropy_of(a):
        weights = weights_of(a)
        first, second = (sorted(weights, reverse=True) + [mp.mpf(0)])[:2]
        return a, -sum(x * mp.log(x) for x in weights), first, first - second

    check("scores", data(path, "scores", "--backend", "reference"), (score(a, b) for a in range(n) for b in range(n)))
    for name in ("row", "attention_row"):
        check(name, data(path, name)[: i + 1], (x for b, row in enumerate(zip(logits_of(i), weights_of(i))) for x in (b, *row)), "2e-6")
    check("wavelengths", data(path, "wavelengths"), (2 * mp.pi / f for f in w))
    check("rotations", data(path, "rotations"), (x for t, f in enumerate(w) for x in (t, n * f / (2 * mp.pi))))
    check("rotation_heatmap", data(path, "rotation_heatmap"), (mp.cos(r * f) for f in w for r in range(n)))
    marked = data(path, "cosines", "--option", "marked=5,1000")
    check("cosines", marked, (x for t, f in enumerate(w) for x in (t, mp.cos((i - j) * f), mp.cos(5 * f), mp.cos(1000 * f))))
    parts = [relative_score([f], [q[i][t]], [k[j][t]], i - j)[0] for t, f in enumerate(w)]
    turned = [[mp.mpc(*row[t]) * mp.expj(m * f) for t, f in enumerate(w)] for row, m in ((q[i], i), (k[j], j))]
    products = [(a.real * b.real, a.imag * b.imag) for a, b in zip(*turned)]
    check("contributions", data(path, "contributions"), (x for g, a, b, h in zip(parts, *turned, products) for x in (g, abs(a) * abs(b), *h)))
    units = [mp.expj((i - j) * f) for f in w]
    hands = [unit * mp.mpc(*q[i][t]) * mp.conj(mp.mpc(*k[j][t])) for t, unit in enumerate(units)]
    path_of = lambda steps: [sum(steps[:t], mp.mpc(0)) for t in range(len(steps) + 1)]
    check("phasors", data(path, "phasors"), (x for a, b in zip(path_of(units), path_of(hands)) for x in (a.real, a.imag, b.real, b.imag)))
    def arrows_of(t):
        before = [mp.mpc(*q[i][t]), mp.mpc(*k[j][t])]
        after = [arrow * mp.expj(m * w[t]) for arrow, m in zip(before, (i, j))]
        product = after[0] * mp.conj(after[1])
        return (t, *(x for arrow in (*before, *after) for x in (arrow.real, arrow.imag)), mp.arg(product), product.real)

    for asked, shown in ((1, [0]), (3, [0, 4, 7]), (20, range(8))):  # 3.5 is rounded up
        check(f"arrows of {asked}", data(path, "arrows", "--option", f"pairs={asked}"), (x for t in shown for x in arrows_of(t)))
    bands = data(path, "bands")
    check("bands wavelengths", bands[:, 0], (2 * mp.pi / f for f in w))
    for r in (0, 1):
        at_r = [relative_score([f], [q[i][t]], [k[j][t]], r)[0] for t, f in enumerate(w)]
        check(f"bands at {r}", [a * np.cos(r * float(f) + phase) for f, (_, a, phase) in zip(w, bands)], at_r)
    usage = data(path, "frequency_usage")
    check("frequency_usage", usage[..., -d // 2 :], (mp.hypot(*pair) for rows in (q, k) for row in rows for pair in row))
    length = lambda row: mp.sqrt(sum(x * x for pair in row for x in pair))
    bound = lambda a, b: length(q[a]) * length(k[b]) / mp.sqrt(d)
    check("alignment", data(path, "alignment")[1:], (x for a in range(1, n) for x in (a, logits_of(a)[a], bound(a, a), logits_of(a)[a - 1], bound(a, a - 1))))
    check("entropy", data(path, "entropy"), (x for a in range(n) for x in entropy_of(a)), "2e-6")
    margins = data(path, "base_bound", "--option", "part=margins")
    check("base_bound", margins, (x for m in range(len(margins)) for x in (m, sum(mp.cos(m * f) for f in w))))
    grouped = scene(head_dim=d, seq_len=n, encoding={"id": "self_extend", "group": 3, "window": 10})
    check("position_map", data(grouped, "position_map"), (x for r in range(n) for x in (r, self_extend_distance(n - 1, n - 1 - r, 3, 10))))


@derives(data="target")
def check_fit():
    """Checks amplitudes fitted to a drawn curve against numpy's lstsq, or normal equations in 50 digits if there is a ridge."""
    for name, d, base, n, points, ridge, octaves, scale, temperature in (
        ("window", 64, 10000, 256, (0, 6, 63, 6, 64, 0, 255, 0), 1e-3, False, "none", 1),
        ("slope", 32, 500, 200, (0, 3, 150, -4), 1e-6, False, "sqrt_d", 0.5),
        ("octaves", 16, 50, 300, (0, 0, 10, 4, 40, 1, 299, 2), 1e-4, True, "sqrt_d", 2),
        ("no ridge", 8, 20, 400, (0, 0, 10, 4, 40, 1, 399, 2), 0, False, "none", 1),
    ):
        figure = {"id": "target", "points": points, "ridge": ridge, "weighting": "octaves" if octaves else "distances"}
        path = FOLDER / "target.json"
        experiment = {"head_dim": d, "seq_len": n, "encoding": {"id": "rope", "base": base}, "scale": scale, "temperature": temperature}
        path.write_text(json.dumps({"schema": 1, "experiment": experiment, "view": {"figures": [figure]}}))
        table = data(path, "target")
        last = points[-2]
        wanted = np.interp(np.arange(last + 1), points[0::2], points[1::2])
        report(f"fit {name}, target", mp.mpf(float(np.abs(table[: last + 1, 1] - wanted).max())), mp.mpf("1e-12"))
        w = rope_frequencies(base, d)
        weights = [mp.mpf(1) / (r + 1) if octaves else mp.mpf(1) for r in range(last + 1)]
        total = sum(weights)
        rows = mp.matrix(last + 1, d)
        for r in range(last + 1):
            root = mp.sqrt(weights[r] / total)
            for t, f in enumerate(w):
                rows[r, 2 * t], rows[r, 2 * t + 1] = root * mp.cos(r * f), root * mp.sin(r * f)
        right = mp.matrix([mp.sqrt(weights[r] / total) * mp.mpf(float(wanted[r])) for r in range(last + 1)])
        gram = rows.T * rows
        for i in range(d):
            gram[i, i] += mp.mpf(ridge)
        x = mp.lu_solve(gram, rows.T * right)
        per_logit = mp.mpf(temperature) * (mp.sqrt(d) if scale == "sqrt_d" else 1)
        size = max(abs(e) for e in x) * per_logit
        error = max(max(abs(mp.mpf(float(table[t, 5])) - per_logit * x[2 * t]), abs(mp.mpf(float(table[t, 6])) - per_logit * x[2 * t + 1])) for t in range(d // 2))
        report(f"fit {name}, cosines and sines", error / size, mp.mpf("1e-12"))
        if ridge == 0:
            a = np.array(rows.tolist(), dtype=float)
            found, *_ = np.linalg.lstsq(a, np.array(right.tolist(), dtype=float)[:, 0], rcond=None)
            error = max(np.abs(found[0::2] - table[: d // 2, 5]).max(), np.abs(found[1::2] - table[: d // 2, 6]).max())
            report(f"fit {name}, numpy.linalg.lstsq", mp.mpf(float(error / np.abs(found).max())), mp.mpf("1e-12"))


def check_worked_numbers():
    for alpha, weight in ((1, "0.58665"), (10, "0.99996"), (100, "1")):
        got = data(scene(head_dim=64, seq_len=20, construction={"id": "previous_token", "alpha": alpha}), "weights")[19, 18]
        report(f"Wendler experiment 1, alpha {alpha}", abs(mp.mpf(float(got)) - mp.mpf(weight)), mp.mpf("5e-6"))
    for d, first in ((64, 725), (128, 1707), (256, 2653)):
        curve = data(scene(head_dim=d, seq_len=3000, construction={"id": "ones"}), "decay")[:, 1]
        report(f"Barbero Fig. 2a, first negative distance for d = {d}", mp.mpf(abs(int(np.argmax(curve < 0)) - first)), mp.mpf(0))
    for r, norm in ((0, 135.75), (1, 156.23)):
        for size, holds in ((norm + 0.005, True), (norm - 0.005, False)):
            head = scene(head_dim=64, seq_len=1024, construction={"id": "at_distance", "distance": r, "norm_squared": size})
            weights = data(head, "weights")
            minimum = min(weights[i, i - r] for i in range(r, 1024))
            last = data(head, "weights", "--backend", "reference", "--rows", "1023:1024")[0, 1023 - r]
            for backend, weight in (("all rows", minimum), ("reference, last row", last)):
                report(f"Barbero Thm 5.3, r = {r}, norm {size:.3f} {'suffices' if holds else 'does not'}, {backend}", mp.mpf(int((weight >= 0.99) != holds)), mp.mpf(0))
