"""The same works by Ropewalk, NumPy and PyTorch, timed in turn in one run: medians in ms, ratios of medians and, beside
them, of the least times, which tell more where other programs run.

usage: peers.py PROGRAM [--quick] [--only-train]

Of each peer several formulations are tried, by one thread and by all, and the fastest counts: usually one that computes blocks of rows against the
keys they see alone. At the end stand the ratios to all rows at once, too, which is how most would write it. All start from queries and keys in float32 and end
with causal softmax weights in float32: rotation is part of the work, drawing the random numbers is not.

A step of training is forward, backward and AdamW in float32, of the same Llama on a batch of the same size, against PyTorch's autograd in eager mode (its
best of one thread and all), whose AdamW updates all tensors at once. Here drawing the batch is part of Ropewalk's work, not of PyTorch's.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import time

# Every core for the peers too, before their libraries are loaded: a busy machine would otherwise give them fewer.
CORES = len(os.sched_getaffinity(0))
os.environ.update(OMP_NUM_THREADS=str(CORES), OMP_DYNAMIC="false")
import numpy as np

try:
    import torch
except ImportError:
    torch = None


def timed_ms(run, seconds=0.5, fewest=5):
    """Median and least of a few runs."""
    run()
    times = []
    start = time.perf_counter()
    while len(times) < fewest or time.perf_counter() - start < seconds:
        begin = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - begin))
    return np.array([statistics.median(times), min(times)])


def tables(n, d):
    angles = np.arange(n)[:, None] * 1e4 ** (-2 * np.arange(d // 2) / d)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def block_heights(wanted):
    return 64, 256, len(wanted)  # the last are all rows at once


def numpy_forms(n, d, rows=None):
    """Formulations of weights [rows, n], one for each of block_heights; `rows` are the queries wanted, all if None."""
    random = np.random.default_rng(0)
    q, k = (random.standard_normal((n, d), dtype=np.float32) * np.float32(d ** -0.25) for _ in range(2))
    wanted = np.arange(n) if rows is None else rows
    cosines, sines = tables(n, d)

    def rotated(x, positions):
        cosine, sine = cosines[positions], sines[positions]
        first, second = x[:, : d // 2], x[:, d // 2 :]
        return np.concatenate([first * cosine - second * sine, first * sine + second * cosine], axis=1)

    def blocked(height):
        out = np.zeros((len(wanted), n), np.float32)

        def run():
            keys = rotated(k, np.arange(n))
            queries = rotated(q[wanted], wanted)
            for begin in range(0, len(wanted), height):
                end = min(begin + height, len(wanted))
                seen = wanted[end - 1] + 1
                scores = queries[begin:end] @ keys[:seen].T
                first = wanted[begin]  # only keys from here on can be masked
                scores[:, first:][np.arange(first, seen)[None, :] > wanted[begin:end, None]] = -np.inf
                scores -= scores.max(axis=1, keepdims=True)
                np.exp(scores, out=scores)
                scores /= scores.sum(axis=1, keepdims=True)
                out[begin:end, :seen] = scores
            return out

        return run

    return [blocked(height) for height in block_heights(wanted)]


def torch_forms(n, d, rows=None):
    q, k = (torch.randn(n, d) * d ** -0.25 for _ in range(2))
    wanted = torch.arange(n) if rows is None else torch.from_numpy(rows)
    cosine, sine = (torch.from_numpy(table) for table in tables(n, d))

    def rotated(x, positions):
        first, second = x[:, : d // 2], x[:, d // 2 :]
        c, s = cosine[positions], sine[positions]
        return torch.cat([first * c - second * s, first * s + second * c], dim=1)

    def blocked(height):
        out = torch.zeros(len(wanted), n)

        def run():
            with torch.no_grad():
                keys = rotated(k, torch.arange(n))
                queries = rotated(q[wanted], wanted)
                for begin in range(0, len(wanted), height):
                    end = min(begin + height, len(wanted))
                    seen = int(wanted[end - 1]) + 1
                    scores = queries[begin:end] @ keys[:seen].T
                    first = int(wanted[begin])  # only keys from here on can be masked
                    scores[:, first:].masked_fill_(torch.arange(first, seen)[None, :] > wanted[begin:end, None], -math.inf)
                    out[begin:end, :seen] = torch.softmax(scores, dim=1)
                return out

        return run

    return [blocked(height) for height in block_heights(wanted)]


class TorchTrainer:
    """A step of training of a Llama as Ropewalk's recipes make it; layers × (attention, MLP of 4 · width), RoPE in all heads."""

    def __init__(self, layers, heads, head_dim, width, context, batch, vocabulary):
        def weights(*shape):
            return torch.nn.Parameter(torch.randn(*shape) * (0.5 / math.sqrt(shape[-1])))

        self.heads, self.head_dim = heads, head_dim
        channels, hidden = heads * head_dim, 4 * width
        self.embedding, self.output = weights(vocabulary, width), weights(vocabulary, width)
        self.layers = [
            {
                "norms": [torch.nn.Parameter(torch.ones(width)) for _ in range(2)],
                "qkv": weights(3 * channels, width), "o": weights(width, channels),
                "gate_up": weights(2 * hidden, width), "down": weights(width, hidden),
            }
            for _ in range(layers)
        ]
        self.last_norm = torch.nn.Parameter(torch.ones(width))
        parameters = [self.embedding, self.output, self.last_norm]
        for layer in self.layers:
            parameters += [*layer["norms"], layer["qkv"], layer["o"], layer["gate_up"], layer["down"]]
        self.optimizer = torch.optim.AdamW(parameters, lr=2e-3, betas=(0.9, 0.98), eps=1e-8, weight_decay=0.01, foreach=True)
        self.tokens = torch.randint(vocabulary, (batch, context))
        self.targets = torch.randint(vocabulary, (batch, context))
        cosine, sine = (torch.from_numpy(table) for table in tables(context, head_dim))
        self.cosine, self.sine = torch.cat([cosine, cosine], 1), torch.cat([-sine, sine], 1)
        self.mask = torch.full((context, context), -math.inf).triu(1)

    def rotated(self, x):
        half = self.head_dim // 2
        return x * self.cosine + torch.cat([x[..., half:], x[..., :half]], -1) * self.sine

    @staticmethod
    def norm(x, weight):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight

    def loss(self):
        linear = torch.nn.functional.linear
        batch, context = self.tokens.shape
        x = self.embedding[self.tokens]
        for layer in self.layers:
            qkv = linear(self.norm(x, layer["norms"][0]), layer["qkv"])
            q, k, v = qkv.view(batch, context, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4)
            scores = self.rotated(q) @ (self.rotated(k) * self.head_dim ** -0.5).transpose(-1, -2)
            heads = torch.softmax(scores + self.mask, -1) @ v
            x = x + linear(heads.transpose(1, 2).reshape(batch, context, -1), layer["o"])
            gate, up = linear(self.norm(x, layer["norms"][1]), layer["gate_up"]).chunk(2, -1)
            x = x + linear(torch.nn.functional.silu(gate) * up, layer["down"])
        logits = linear(self.norm(x, self.last_norm), self.output)
        return torch.nn.functional.cross_entropy(logits.flatten(0, 1), self.targets.flatten())

    def step(self):
        self.optimizer.zero_grad(set_to_none=True)
        self.loss().backward()
        self.optimizer.step()


# As in `ropewalk bench --only train`: layers, heads, head_dim, width, context, batch, vocabulary.
trainings = [(1, 1, 32, 64, 64, 32, 32), (2, 2, 32, 64, 64, 32, 32), (4, 4, 32, 128, 128, 16, 32), (6, 6, 64, 384, 256, 8, 96)]


def time_training(program):
    print(f"{'step of training':<32}{'ropewalk':>10}{'torch':>10}{'torch × (least)':>18}{'threads':>9}")
    for size in trainings:
        layers, _, _, width, context, *_ = size
        name = f"train {layers} layer{'s' if layers > 1 else ''} width {width} N={context}"
        mine = ropewalk_ms(program, name)
        best, fastest = np.full(2, math.inf), 0
        for threads in sorted({1, CORES}):
            torch.set_num_threads(threads)
            times = timed_ms(TorchTrainer(*size).step, seconds=2)
            if times[0] < best[0]:
                best, fastest = times, threads
        print(f"{name:<32}{mine[0]:>10.2f}{best[0]:>10.2f}{best[0] / mine[0]:>10.2f} ({best[1] / mine[1]:>5.2f}){fastest:>9}", flush=True)


def forms_ms(forms):
    """[forms, 2], each by as many threads as are fastest. Both peers' products come from one OpenMP library, whose threads PyTorch sets."""
    best = np.full((len(forms), 2), math.inf)
    for threads in (1, CORES) if torch else (CORES,):
        if torch:
            torch.set_num_threads(threads)
        best = np.minimum(best, [timed_ms(run) for run in forms])
    return best


def ropewalk_ms(program, work):
    run = subprocess.run([program, "bench", "--json", "--only", work], check=True, capture_output=True)
    entry = next(entry for entry in json.loads(run.stdout)["works"] if entry["work"] == work)
    return np.array([entry["median_ms"], entry["least_ms"]])


def main():
    program, quick = sys.argv[1], "--quick" in sys.argv[2:]
    if torch:
        time_training(program)
    if "--only-train" in sys.argv[2:]:
        return
    works = [(f"matrix N={n} d={d}", n, d, None) for d in (64, 128, 256) for n in ((512, 2048) if quick else (512, 1024, 2048, 4096, 8192))]
    for n in (8192,) if quick else (8192, 32768):
        rows = np.array([math.floor(cell * n / 900) + (math.floor((cell + 1) * n / 900) - math.floor(cell * n / 900)) // 2 for cell in range(900)])
        works.append((f"view 900x900 N={n} d=128", n, 128, rows))
    print(f"{'work':<32}{'ropewalk':>10}{'numpy':>10}{'torch':>10}{'numpy × (least)':>18}{'torch × (least)':>18}")
    ratios = {"numpy": [], "torch": []}  # of each work, of the best form and of all rows at once, [2, 2]
    for name, n, d, rows in works:
        mine = ropewalk_ms(program, name)
        forms = {"numpy": forms_ms(numpy_forms(n, d, rows))}
        forms["torch"] = forms_ms(torch_forms(n, d, rows)) if torch else np.full((1, 2), math.nan)
        peers = {peer: np.array([times.min(axis=0), times[-1]]) for peer, times in forms.items()}
        line = f"{name:<32}{mine[0]:>10.2f}" + "".join(f"{times[0, 0]:>10.2f}" for times in peers.values())
        for peer, times in peers.items():
            ratios[peer].append(times / mine)
            line += f"{times[0, 0] / mine[0]:>10.2f} ({times[0, 1] / mine[1]:>5.2f})"
        print(line, flush=True)
    for peer, all_ratios in ratios.items():
        best, at_once = np.exp(np.mean(np.log(all_ratios), axis=0))
        print(f"geometric mean against {peer}: {best[0]:.2f} ({best[1]:.2f}); all rows at once {at_once[0]:.2f} ({at_once[1]:.2f})")


if __name__ == "__main__":
    main()
