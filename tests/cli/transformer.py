"""A small Llama in NumPy: forward pass, hand-derived backward pass and AdamW, with position encodings by their papers' formulas.

It follows the definitions in the README and in the papers and shares nothing with the program. Shapes: B sequences, N tokens, H heads, d channels
of a head, D channels of the model. Numbers are float64 unless the parameters are of another type.
"""
import math

import numpy as np

EPSILON = 1e-6  # of RMSNorm


# ---- Encodings: each returns dict(w, ...) for head dimension d and N tokens. Frequencies w [d/2] in rad per token. ----

def rope_frequencies(d, base):
    return base**(-2 * np.arange(d // 2) / d)


def yarn(e, d):
    w, L, s = rope_frequencies(d, e['base']), e['original_length'], e['factor']

    def pair_of(turns):  # the pair that makes this many turns over L tokens
        return d * math.log(L / (turns * 2 * math.pi)) / (2 * math.log(e['base']))
    low, high = max(math.floor(pair_of(e['beta_fast'])), 0), min(math.ceil(pair_of(e['beta_slow'])), d - 1)
    ramp = np.clip((np.arange(d // 2) - low) / (high - low if high > low else 0.001), 0, 1)
    return w * (ramp / s + 1 - ramp), 0.1 * math.log(s) + 1


def llama3(e, d):
    w, L, s, low, high = (rope_frequencies(d, e['base']), e['original_length'], e['factor'], e['low_freq_factor'], e['high_freq_factor'])
    x = (L * w / (2 * math.pi) - low) / (high - low)
    return np.where(2 * math.pi / w > L / low, w / s, np.where(2 * math.pi / w < L / high, w, (1 - x) * w / s + x * w))


def clipped(e, d):
    w = rope_frequencies(d, e['base'])
    n = int(np.sum(2 * math.pi / w > e['original_length']))
    taper = 0.5 * (1 + np.cos(math.pi * np.arange(n) / (n - 1))) if n > 1 else np.zeros(n)
    w[d // 2 - n:] *= taper
    return w


def encoding_of(e, d, N):
    """What an encoding does: w [d/2]; scaling, on cosine and sine; first, the leading channels that rotate; damping [d/2] per token on queries,
    its inverse on keys; slope of the bias; waves added to queries and keys [N, d], whose channels alternate between sine and cosine; window and group of Self-Extend."""
    kind, made = e['id'], dict(scaling=1.0, rotary=d, damping=np.zeros(d // 2), slope=0.0, waves=np.zeros((N, d)), group=None)
    w = np.zeros(d // 2)
    if kind in ('rope', 'self_extend', 'xpos'):
        w = rope_frequencies(d, e['base'])
    if kind == 'p_rope':
        w = rope_frequencies(d, e['base'])
        w[math.floor(e['p'] * d / 2):] = 0
    if kind == 'partial':
        made['rotary'] = int(d * e['fraction'])
        w[:made['rotary'] // 2] = rope_frequencies(made['rotary'], e['base'])
    if kind == 'clipped':
        w = clipped(e, d)
    if kind == 'linear':
        w = rope_frequencies(d, e['base']) / e['factor']
    if kind == 'ntk':
        w = rope_frequencies(d, e['base'] * e['factor']**(d / (d - 2)))
    if kind == 'dynamic_ntk':
        n, L, f = max(N, e['original_length']), e['original_length'], e['factor']
        w = rope_frequencies(d, e['base'] * (f * n / L - (f - 1))**(d / (d - 2)))
    if kind == 'yarn':
        w, made['scaling'] = yarn(e, d)
    if kind == 'llama3':
        w = llama3(e, d)
    if kind == 'longrope':
        s, L = e['factor'], e['original_length']
        w = rope_frequencies(d, e['base']) / np.array(e['long_factor' if N > L else 'short_factor'])
        made['scaling'] = math.sqrt(1 + math.log(s) / math.log(L)) if s > 1 else 1.0
    if kind == 'xpos':
        made['damping'] = np.log((2 * np.arange(d // 2) / d + 0.4) / 1.4) / e['scale_base']
    if kind == 'alibi':
        made['slope'] = 2**(-8 * (e['head'] + 1) / e['heads'])  # heads: a power of two
    if kind == 'sinusoidal':
        angles = np.arange(N)[:, None] * rope_frequencies(d, e['base'])
        made['waves'] = np.stack([np.sin(angles), np.cos(angles)], -1).reshape(N, d)  # interleaved
    if kind == 'self_extend':
        made['group'], made['window'] = e['group'], e['window']
    return dict(made, w=w)


class Positions:
    """An encoding for N tokens as linear maps: factors [N, d/2] on the complex pairs of queries and keys, in one or two ranges of distances."""

    def __init__(self, e, d, N):
        made, i = encoding_of(e, d, N), np.arange(N)
        distance = i[:, None] - i
        self.causal = distance >= 0
        self.bias = -made['slope'] * distance
        self.waves = made['waves']
        self.first, self.second = self.pairs(d, made['rotary'])

        def factors(positions, sign):
            turned = made['scaling'] * np.exp(1j * positions[:, None] * made['w'])
            turned[:, made['rotary'] // 2:] = 1  # channels that do not take part
            return turned * np.exp(sign * made['damping'] * i[:, None])
        self.ranges = [(np.ones((N, N), bool), factors(i, 1), factors(i, -1))]
        if made['group']:
            G, W = made['group'], made['window']
            near = distance < W
            self.ranges = [(near, factors(i, 1), factors(i, -1)), (~near, factors(i // G + W - W // G, 1), factors(i // G, -1))]

    @staticmethod
    def pairs(d, rotary):
        """The channels of each pair, half split: first those that rotate, then the others."""
        rest = np.arange(rotary, rotary + (d - rotary) // 2)
        return np.append(np.arange(rotary // 2), rest), np.append(np.arange(rotary // 2, rotary), rest + (d - rotary) // 2)

    def turned(self, x, factors):
        """Multiplies the pairs of x [B, H, N, d]."""
        z = x[..., self.first] + 1j * x[..., self.second]
        z = z * factors.astype(z.dtype)
        y = np.empty_like(x)
        y[..., self.first], y[..., self.second] = z.real, z.imag
        return y

    def scores(self, q, k):
        total = 0
        for where, fq, fk in self.ranges:
            total = total + np.where(where, self.turned(q + self.waves, fq) @ self.turned(k + self.waves, fk).swapaxes(-1, -2), 0)
        return total.astype(q.dtype)

    def scores_back(self, q, k, d_scores):
        dq, dk = 0, 0
        for where, fq, fk in self.ranges:
            ds = np.where(where, d_scores, 0)
            dq = dq + self.turned(ds @ self.turned(k + self.waves, fk), fq.conj())
            dk = dk + self.turned(ds.swapaxes(-1, -2) @ self.turned(q + self.waves, fq), fk.conj())
        return dq.astype(q.dtype), dk.astype(q.dtype)


# ---- Layers. Each forward function returns the output and what its backward function needs. ----

def linear_back(x, W, dy):
    """Gradients of y = x Wᵀ with respect to x and W."""
    return dy @ W, dy.reshape(-1, dy.shape[-1]).T @ x.reshape(-1, x.shape[-1])


def norm(x, w):
    r = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON)
    return x * r * w, r.astype(x.dtype)


def norm_back(x, w, r, dy):
    g = dy * w
    return r * g - x * r**3 * (x * g).mean(-1, keepdims=True), (dy * x * r).reshape(-1, x.shape[-1]).sum(0)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Transformer:
    """recipe: layers, heads, head_dim, feed_forward, encoding (dict with id), rope_heads ([layers][heads] of bool, or 'learned'). p: parameters
    by their names in the Llama format; with learned heads also `gates` [layers, heads]."""

    def __init__(self, recipe, p):
        self.recipe, self.p, self.positions = recipe, p, {}

    def positions_of(self, e, N):
        key = (str(sorted(e.items())), N)
        if key not in self.positions:
            self.positions[key] = Positions(e, self.recipe['head_dim'], N)
        return self.positions[key]

    def attention(self, layer, q, k, v):
        rope = self.positions_of(self.recipe['encoding'], q.shape[2])
        nope = self.positions_of(dict(id='nope'), q.shape[2])
        learned = self.recipe['rope_heads'] == 'learned'
        share = sigmoid(self.p['gates'][layer]) if learned else np.array(self.recipe['rope_heads'][layer], float)
        share = share.astype(q.dtype)[:, None, None]
        scale = 1 / math.sqrt(q.shape[-1])
        with_rope, without = scale * rope.scores(q, k) + rope.bias, scale * nope.scores(q, k)
        weights = softmax(np.where(rope.causal, share * with_rope + (1 - share) * without, -np.inf)).astype(q.dtype)
        return weights @ v, (q, k, v, weights, share, with_rope - without)

    def attention_back(self, layer, kept, d_out, grads):
        q, k, v, weights, share, difference = kept
        rope = self.positions_of(self.recipe['encoding'], q.shape[2])
        nope = self.positions_of(dict(id='nope'), q.shape[2])
        scale = 1 / math.sqrt(q.shape[-1])
        d_weights = d_out @ v.swapaxes(-1, -2)
        d_logits = weights * (d_weights - (d_weights * weights).sum(-1, keepdims=True))
        if self.recipe['rope_heads'] == 'learned':
            slope = (share * (1 - share))[:, 0, 0]
            grads['gates'][layer] = slope * (d_logits * difference).sum((0, 2, 3))
        parts = [part.scores_back(q, k, scale * factor * d_logits) for part, factor in ((rope, share), (nope, 1 - share))]
        return parts[0][0] + parts[1][0], parts[0][1] + parts[1][1], weights.swapaxes(-1, -2) @ d_out

    def forward(self, tokens):
        """Logits [B, N, V], and what the backward pass needs."""
        B, N = tokens.shape
        H, d, kept, p = self.recipe['heads'], self.recipe['head_dim'], [], self.p
        x = p['model.embed_tokens.weight'][tokens]
        for layer in range(self.recipe['layers']):
            name = f'model.layers.{layer}.'
            y, r = norm(x, p[name + 'input_layernorm.weight'])
            q, k, v = [(y @ p[f'{name}self_attn.{c}_proj.weight'].T).reshape(B, N, H, d).swapaxes(1, 2) for c in 'qkv']
            mixed, of_attention = self.attention(layer, q, k, v)
            mixed = mixed.swapaxes(1, 2).reshape(B, N, H * d)
            before, x = x, x + mixed @ p[name + 'self_attn.o_proj.weight'].T
            entry = [before, r, y, of_attention, mixed, x]
            if self.recipe['feed_forward']:
                z, s = norm(x, p[name + 'post_attention_layernorm.weight'])
                gate, up = z @ p[name + 'mlp.gate_proj.weight'].T, z @ p[name + 'mlp.up_proj.weight'].T
                hidden = gate * sigmoid(gate) * up
                x = x + hidden @ p[name + 'mlp.down_proj.weight'].T
                entry += [s, z, gate, up, hidden]
            kept.append(entry)
        last, r = norm(x, p['model.norm.weight'])
        return last @ p['lm_head.weight'].T, (kept, x, last, r)

    def loss(self, tokens, targets):
        """Mean loss and accuracy over the scored places, and the gradients of the loss by name."""
        logits, (kept, x, last, r) = self.forward(tokens)
        scored, p, grads = targets >= 0, self.p, {}
        count = scored.sum()
        shares = softmax(logits)
        at = np.where(scored, targets, 0)[..., None]
        loss = -np.log(np.take_along_axis(shares, at, -1)[..., 0][scored].astype(float)).mean()
        accuracy = (logits.argmax(-1) == targets)[scored].mean()
        d_logits = shares
        np.put_along_axis(d_logits, at, np.take_along_axis(d_logits, at, -1) - 1, -1)
        d_logits = (d_logits * scored[..., None] / count).astype(logits.dtype)
        if 'gates' in p:
            grads['gates'] = np.zeros_like(p['gates'])
        dx, grads['lm_head.weight'] = linear_back(last, p['lm_head.weight'], d_logits)
        dx, grads['model.norm.weight'] = norm_back(x, p['model.norm.weight'], r, dx)
        for layer in reversed(range(self.recipe['layers'])):
            dx = self.layer_back(layer, kept[layer], dx, grads)
        grads['model.embed_tokens.weight'] = np.zeros_like(p['model.embed_tokens.weight'])
        np.add.at(grads['model.embed_tokens.weight'], tokens, dx)
        return loss, accuracy, grads

    def layer_back(self, layer, entry, dx, grads):
        p, name = self.p, f'model.layers.{layer}.'
        before, r, y, of_attention, mixed, between = entry[:6]

        def back(of, x, dy):
            d_input, grads[name + of] = linear_back(x, p[name + of], dy)
            return d_input
        if len(entry) > 6:
            s, z, gate, up, hidden = entry[6:]
            d_hidden, open_ = back('mlp.down_proj.weight', hidden, dx), sigmoid(gate)
            d_gate = d_hidden * up * open_ * (1 + gate * (1 - open_))
            dz = back('mlp.gate_proj.weight', z, d_gate) + back('mlp.up_proj.weight', z, d_hidden * gate * open_)
            dz, grads[name + 'post_attention_layernorm.weight'] = norm_back(between, p[name + 'post_attention_layernorm.weight'], s, dz)
            dx = dx + dz
        d_mixed = back('self_attn.o_proj.weight', mixed, dx)
        B, N, H, d = len(y), y.shape[1], self.recipe['heads'], self.recipe['head_dim']
        parts = self.attention_back(layer, of_attention, d_mixed.reshape(B, N, H, d).swapaxes(1, 2), grads)
        dy = sum(back(f'self_attn.{c}_proj.weight', y, g.swapaxes(1, 2).reshape(B, N, H * d)) for c, g in zip('qkv', parts))
        dy, grads[name + 'input_layernorm.weight'] = norm_back(before, p[name + 'input_layernorm.weight'], r, dy)
        return dx + dy


def start_deviation(recipe, name, columns):
    """How far the numbers of a tensor spread at the start: embeddings N(0, embedding_scale²), weights of layers N(0, 1/(4 fan-in)), output N(0, 1/fan-in)."""
    if name == 'model.embed_tokens.weight':
        return recipe['embedding_scale']
    return columns**-0.5 if name == 'lm_head.weight' else (4 * columns)**-0.5


def drawn_start(recipe, seed, dtype=float):
    """Parameters as a run starts with, but from NumPy's generator: norms 1, the rest normal with the deviations of start_deviation."""
    random, D, F, H = np.random.default_rng(seed), recipe['width'], recipe['feed_forward'], recipe['heads'] * recipe['head_dim']

    def matrix(name, rows, columns):
        return (random.standard_normal((rows, columns)) * start_deviation(recipe, name, columns)).astype(dtype)
    p = {name: matrix(name, recipe['vocabulary'], D) for name in ('model.embed_tokens.weight', 'lm_head.weight')}
    p['model.norm.weight'] = np.ones(D, dtype)
    for layer in range(recipe['layers']):
        name = f'model.layers.{layer}.'
        p[name + 'input_layernorm.weight'] = np.ones(D, dtype)
        for c, rows, columns in (('q', H, D), ('k', H, D), ('v', H, D), ('o', D, H)):
            weight = f'{name}self_attn.{c}_proj.weight'
            p[weight] = matrix(weight, rows, columns)
        if F:
            p[name + 'post_attention_layernorm.weight'] = np.ones(D, dtype)
            for c, rows, columns in (('gate', F, D), ('up', F, D), ('down', D, F)):
                weight = f'{name}mlp.{c}_proj.weight'
                p[weight] = matrix(weight, rows, columns)
    if recipe['rope_heads'] == 'learned':
        p['gates'] = np.zeros((recipe['layers'], recipe['heads']), dtype)
    return p


class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019), and the recipe's rate."""

    def __init__(self, recipe, p):
        self.recipe, self.p, self.step = recipe, p, 0
        self.m, self.v = [{name: np.zeros_like(x) for name, x in p.items()} for _ in range(2)]

    def update(self, grads):
        s, r = self.step, self.recipe
        rate = r['learning_rate'] * min(1, (s + 1) / 50) * (0.1 + 0.45 * (1 + math.cos(math.pi * s / r['steps'])))
        for name, g in grads.items():
            self.m[name] = 0.9 * self.m[name] + 0.1 * g
            self.v[name] = 0.98 * self.v[name] + 0.02 * g * g
            mean, square = self.m[name] / (1 - 0.9**(s + 1)), self.v[name] / (1 - 0.98**(s + 1))
            self.p[name] -= (rate * (mean / (np.sqrt(square) + 1e-8) + r['weight_decay'] * self.p[name])).astype(self.p[name].dtype)
        self.step += 1
