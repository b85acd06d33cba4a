"""Tiny checkpoints of every model family, and their forward pass in double precision.

The derivation follows the definitions of the families (their papers and the table in the README), token by token and
head by head; it shares nothing with the program. Weights are random, in the stored type's exact values.
"""
import json
import math
import os
import struct

import numpy as np

TYPES = {'F32': np.float32, 'F16': np.float16, 'F64': np.float64}


def to_bf16(x):
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return rounded.astype(np.uint16)


def stored(x, dtype):
    """The bytes of a tensor in a type, and the exact values that these bytes hold."""
    if dtype == 'BF16':
        bits = to_bf16(x)
        return bits.tobytes(), (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    y = np.asarray(x).astype(TYPES[dtype])
    return y.tobytes(), y.astype(np.float64)


def write_safetensors(path, tensors, metadata=None):
    """Writes {name: (dtype, shape, bytes)}."""
    header, data = {}, b''
    if metadata:
        header['__metadata__'] = metadata
    for name, (dtype, shape, raw) in tensors.items():
        header[name] = {'dtype': dtype, 'shape': list(shape), 'data_offsets': [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b' ' * (-len(text) % 8)
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text + data)


class Weights:
    """Random weights by name, stored in one type, as exact doubles."""

    def __init__(self, seed, dtype):
        self.random, self.dtype, self.tensors, self.values = np.random.default_rng(seed), dtype, {}, {}

    def add(self, name, *shape, scale=None, mean=0.0):
        deviation = scale if scale is not None else 1.2 / math.sqrt(shape[-1])
        raw, exact = stored(mean + deviation * self.random.standard_normal(shape), self.dtype)
        self.tensors[name] = (self.dtype, shape, raw)
        self.values[name] = exact.reshape(shape)

    def __getitem__(self, name):
        return self.values[name]


def rms(x, w, epsilon):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * w


def layer_norm(x, w, b, epsilon):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + epsilon) * w + b


def silu(x):
    return x / (1 + np.exp(-x))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


gelu_erf = np.vectorize(lambda x: 0.5 * x * (1 + math.erf(x / math.sqrt(2))))


def frequencies(rope, dim, length):
    """Angles per position of dim/2 pairs, and the factor on cosine and sine (Hugging Face, modeling_rope_utils)."""
    t = np.arange(0, dim, 2) / dim
    base, kind = rope['base'], rope.get('type', 'default')
    w = base**-t
    if kind == 'default':
        return w, 1
    if kind == 'linear':
        return w / rope['factor'], 1
    if kind == 'dynamic':
        n = max(length, rope['context'])
        grown = base * (rope['factor'] * n / rope['context'] - (rope['factor'] - 1))**(dim / (dim - 2))
        return grown**-t, 1
    if kind == 'llama3':
        low, high, original = rope['original'] / rope['low'], rope['original'] / rope['high'], rope['original']
        out = []
        for f in w:
            wavelength = 2 * math.pi / f
            if wavelength < high:
                out.append(f)
            elif wavelength > low:
                out.append(f / rope['factor'])
            else:
                smooth = (original / wavelength - rope['low']) / (rope['high'] - rope['low'])
                out.append((1 - smooth) * f / rope['factor'] + smooth * f)
        return np.array(out), 1
    if kind == 'longrope':
        factors = rope['long'] if length > rope['original'] else rope['short']
        s = rope['factor']
        return w / np.array(factors), math.sqrt(1 + math.log(s) / math.log(rope['original'])) if s > 1 else 1
    if kind == 'yarn':
        def pair(turns):
            return dim * math.log(rope['original'] / (turns * 2 * math.pi)) / (2 * math.log(base))
        low, high = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), dim - 1)
        ramp = np.clip((np.arange(dim // 2) - low) / max(high - low, 0.001), 0, 1)
        return w / rope['factor'] * ramp + w * (1 - ramp), rope.get('attention', 0.1 * math.log(rope['factor']) + 1)
    raise ValueError(kind)


def rotated(x, rope, d):
    """Rows [tokens, d], turned by position: the first rotary channels, pairs (t, t + rotary/2)."""
    if rope is None:
        return x
    r = int(d * rope.get('fraction', 1))
    w, factor = frequencies(rope, r, len(x))
    angle = np.arange(len(x))[:, None] * w
    c, s = np.cos(angle) * factor, np.sin(angle) * factor
    a, b = x[:, :r // 2], x[:, r // 2:r]
    return np.concatenate([a * c - b * s, b * c + a * s, x[:, r:]], axis=1)


class Checkpoint:
    """One tiny model: `config` as in the file, `spec` as the derivation needs it, and its weights."""

    def __init__(self, config, spec, weights):
        self.config, self.spec, self.w = config, spec, weights

    def write(self, folder, shards=1):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, 'config.json'), 'w') as file:
            json.dump(self.config, file)
        names = list(self.w.tensors)
        if shards == 1:
            write_safetensors(os.path.join(folder, 'model.safetensors'), self.w.tensors, {'format': 'pt'})
            return
        place = {}
        for i in range(shards):
            file = f'model-{i + 1:05}-of-{shards:05}.safetensors'
            write_safetensors(os.path.join(folder, file), {n: self.w.tensors[n] for n in names[i::shards]})
            place.update({n: file for n in names[i::shards]})
        with open(os.path.join(folder, 'model.safetensors.index.json'), 'w') as file:
            json.dump({'metadata': {}, 'weight_map': place}, file)

    def forward(self, tokens, change=None):
        """Logits [tokens, vocabulary], queries and keys [layers][heads][tokens, d] before the rotation.

        `change(layer, head)` may return a dictionary with 'rope' (another rotation), 'zero', or 'keeps', which gives
        1 for every channel of the score that counts, and 0 for the others, from the head's queries and keys."""
        s, w = self.spec, self.w
        n, d, H, K = len(tokens), s['d'], s['heads'], s['key_heads']
        eps = s['epsilon']

        def norm(name, x):
            if s['norm'] == 'layer':
                return layer_norm(x, w[name + '.weight'], w[name + '.bias'], eps)
            return rms(x, w[name + '.weight'] + (1 if s['norm'] == 'one_plus' else 0), eps)

        def linear(name, x, rows=slice(None)):
            y = x @ w[name + '.weight'][rows].T
            return y + w[name + '.bias'][rows] if name + '.bias' in w.values else y

        x = w[s['embedding']][tokens] * s.get('embedding_factor', 1)
        queries, keys = [], []
        for layer in range(s['layers']):
            names = s['names'](layer)
            y = norm(names['before_attention'], x) if 'before_attention' in names else x
            q, k, v = (linear(*((names[p], y) if isinstance(names[p], str) else (names[p][0], y, names[p][1]))) for p in 'qkv')
            if s.get('qk_norm') == 'whole':
                q, k = norm(names['q_norm'], q), norm(names['k_norm'], k)
            q = [q[:, h * d:(h + 1) * d] for h in range(H)]
            k = [k[:, h * d:(h + 1) * d] for h in range(K)]
            v = [v[:, h * d:(h + 1) * d] for h in range(K)]
            if s.get('qk_norm') == 'head':
                q, k = [norm(names['q_norm'], x_) for x_ in q], [norm(names['k_norm'], x_) for x_ in k]
            if s.get('qk_norm') == 'each':
                q = [layer_norm(x_, w[f"{names['q_norm']}.{h}.weight"], 0, eps) for h, x_ in enumerate(q)]
                k = [layer_norm(x_, w[f"{names['k_norm']}.{h}.weight"], 0, eps) for h, x_ in enumerate(k)]
            queries.append(q)
            keys.append(k)
            mixed = []
            for h in range(H):
                changed = (change(layer, h) if change else None) or {}
                rope = changed['rope'] if 'rope' in changed else s['rope'](layer)
                g = h * K // H
                kept = changed['keeps'](q[h], k[g]) if 'keeps' in changed else np.ones(d)
                logits = rotated(q[h], rope, d) @ (rotated(k[g], rope, d) * kept).T * s['scale']
                if s.get('softcap'):
                    logits = s['softcap'] * np.tanh(logits / s['softcap'])
                i, j = np.arange(n)[:, None], np.arange(n)
                window = s['window'](layer)
                logits = np.where((j > i) | ((i - j >= window) if window else False), -np.inf, logits)
                p = np.exp(logits - logits.max(1, keepdims=True))
                mixed.append(p / p.sum(1, keepdims=True) @ v[g] * (0 if changed.get('zero') else 1))
            a = linear(names['o'], np.concatenate(mixed, axis=1))
            if 'after_attention' in names:
                a = norm(names['after_attention'], a)
            if s.get('parallel'):
                z = norm(names['before_mlp'], x) if 'before_mlp' in names else y
            else:
                x = x + a
                z = norm(names['before_mlp'], x) if 'before_mlp' in names else x
            if 'gate' in names:
                gate, up = ((names[p], z) if isinstance(names[p], str) else (names[p][0], z, names[p][1]) for p in ('gate', 'up'))
                m = s['act'](linear(*gate)) * linear(*up)
            else:
                m = s['act'](linear(names['up'], z))
            m = linear(names['down'], m)
            if 'after_mlp' in names:
                m = norm(names['after_mlp'], m)
            x = x + a + m if s.get('parallel') else x + m
        logits = norm(s['last_norm'], x) @ w[s['output']].T
        if s.get('output_softcap'):
            logits = s['output_softcap'] * np.tanh(logits / s['output_softcap'])
        return logits, queries, keys


def loss_of(logits, tokens):
    """−ln p(token i | those before), 0 in row 0."""
    loss = [0.0]
    for i in range(1, len(tokens)):
        row = logits[i - 1]
        loss.append(row.max() + math.log(np.exp(row - row.max()).sum()) - row[tokens[i]])
    return np.array(loss)


def llama_like(family, seed=0, dtype='F32', V=53, D=48, F=80, L=3, H=6, K=2, d=8, config=(), spec=(), bias='', tied=False,
               prefix='model.', lm_prefix='', norms=('before_attention', 'before_mlp'), norm_names=None, norm_mean=1.0, qk=None, extra=None):
    """A model with Llama's names; `bias` lists the projections that have one."""
    w = Weights(seed, dtype)
    w.add(prefix + 'embed_tokens.weight', V, D, scale=1.0)
    norm_names = norm_names or {'before_attention': 'input_layernorm', 'before_mlp': 'post_attention_layernorm'}
    layer_bias = spec and dict(spec).get('norm') == 'layer'

    def add_norm(name, channels):
        w.add(name + '.weight', channels, scale=0.2, mean=norm_mean)
        if layer_bias:
            w.add(name + '.bias', channels, scale=0.2)

    def names(layer):
        at = f'{prefix}layers.{layer}.'
        out = {p: at + f'self_attn.{p}_proj' for p in 'qkvo'}
        out.update(gate=at + 'mlp.gate_proj', up=at + 'mlp.up_proj', down=at + 'mlp.down_proj')
        out.update({n: at + norm_names[n] for n in norm_names})
        if qk:
            out.update(q_norm=at + 'self_attn.' + qk[1], k_norm=at + 'self_attn.' + qk[2])
        return out

    for layer in range(L):
        at = names(layer)
        for p, rows, columns in (('q', H * d, D), ('k', K * d, D), ('v', K * d, D), ('o', D, H * d), ('gate', F, D), ('up', F, D), ('down', D, F)):
            w.add(at[p] + '.weight', rows, columns)
            if p in bias.split():
                w.add(at[p] + '.bias', rows, scale=0.5)
        for n in norm_names:
            add_norm(at[n], D)
        if qk and qk[0] == 'head':
            w.add(at['q_norm'] + '.weight', d, scale=0.2, mean=norm_mean), w.add(at['k_norm'] + '.weight', d, scale=0.2, mean=norm_mean)
        if qk and qk[0] == 'whole':
            w.add(at['q_norm'] + '.weight', H * d, scale=0.2, mean=norm_mean), w.add(at['k_norm'] + '.weight', K * d, scale=0.2, mean=norm_mean)
        if qk and qk[0] == 'each':
            for h in range(H):
                w.add(f"{at['q_norm']}.{h}.weight", d, scale=0.2, mean=1)
            for h in range(K):
                w.add(f"{at['k_norm']}.{h}.weight", d, scale=0.2, mean=1)
    add_norm(prefix + 'norm', D)
    if not tied:
        w.add(lm_prefix + 'lm_head.weight', V, D)
    base = dict(model_type=family, vocab_size=V, hidden_size=D, intermediate_size=F, num_hidden_layers=L, num_attention_heads=H,
                num_key_value_heads=K, rms_norm_eps=1e-5, tie_word_embeddings=tied, rope_theta=10000.0)
    if d * H != D:
        base['head_dim'] = d
    base.update(dict(config))
    found = dict(layers=L, heads=H, key_heads=K, d=d, epsilon=1e-5, norm='rms', embedding=prefix + 'embed_tokens.weight', names=names,
                 scale=d**-0.5, rope=lambda layer: dict(base=10000.0), window=lambda layer: 0, act=silu, last_norm=prefix + 'norm',
                 output=prefix + 'embed_tokens.weight' if tied else lm_prefix + 'lm_head.weight')
    if qk:
        found['qk_norm'] = qk[0]
    found.update(dict(spec))
    return Checkpoint(base, found, w)


def gpt_neox(seed=0, dtype='F32', V=53, D=48, F=96, L=3, H=4, parallel=True):
    d = D // H
    w = Weights(seed, dtype)
    w.add('gpt_neox.embed_in.weight', V, D, scale=1.0)

    def names(layer):
        at = f'gpt_neox.layers.{layer}.'
        fused = at + 'attention.query_key_value'
        rows = {p: np.concatenate([np.arange(3 * d * h + i * d, 3 * d * h + i * d + d) for h in range(H)]) for i, p in enumerate('qkv')}
        return dict(q=(fused, rows['q']), k=(fused, rows['k']), v=(fused, rows['v']), o=at + 'attention.dense', up=at + 'mlp.dense_h_to_4h',
                    down=at + 'mlp.dense_4h_to_h', before_attention=at + 'input_layernorm', before_mlp=at + 'post_attention_layernorm')

    for layer in range(L):
        at = names(layer)
        for name, rows, columns in ((at['q'][0], 3 * D, D), (at['o'], D, D), (at['up'], F, D), (at['down'], D, F)):
            w.add(name + '.weight', rows, columns)
            w.add(name + '.bias', rows, scale=0.5)
        for name in (at['before_attention'], at['before_mlp']):
            w.add(name + '.weight', D, scale=0.2, mean=1), w.add(name + '.bias', D, scale=0.2)
        w.tensors[f'gpt_neox.layers.{layer}.attention.bias'] = ('BOOL', (1, 1, 8, 8), bytes(64))
        w.tensors[f'gpt_neox.layers.{layer}.attention.masked_bias'] = stored_scalar(dtype)
    w.add('gpt_neox.final_layer_norm.weight', D, scale=0.2, mean=1), w.add('gpt_neox.final_layer_norm.bias', D, scale=0.2)
    w.add('embed_out.weight', V, D)
    config = dict(model_type='gpt_neox', vocab_size=V, hidden_size=D, intermediate_size=F, num_hidden_layers=L, num_attention_heads=H,
                  rotary_pct=0.5, rotary_emb_base=10000, layer_norm_eps=1e-5, use_parallel_residual=parallel, hidden_act='gelu', tie_word_embeddings=False)
    spec = dict(layers=L, heads=H, key_heads=H, d=d, epsilon=1e-5, norm='layer', embedding='gpt_neox.embed_in.weight', names=names, scale=d**-0.5,
                rope=lambda layer: dict(base=10000.0, fraction=0.5), window=lambda layer: 0, act=gelu_erf, last_norm='gpt_neox.final_layer_norm',
                output='embed_out.weight', parallel=parallel)
    return Checkpoint(config, spec, w)


def stored_scalar(dtype):
    raw, _ = stored(np.array(-1e9 if dtype != 'F16' else -6e4), dtype)
    return dtype, (), raw


def phi3(seed=0, dtype='F32', scaling='longrope', N=24, **sizes):
    size = dict(V=53, D=48, F=80, L=2, H=6, K=2, d=8)
    size.update(sizes)
    V, D, F, L, H, K, d = (size[k] for k in 'V D F L H K d'.split())
    w = Weights(seed, dtype)
    w.add('model.embed_tokens.weight', V, D, scale=1.0)

    def names(layer):
        at = f'model.layers.{layer}.'
        fused, mlp = at + 'self_attn.qkv_proj', at + 'mlp.gate_up_proj'
        return dict(q=(fused, slice(0, H * d)), k=(fused, slice(H * d, (H + K) * d)), v=(fused, slice((H + K) * d, (H + 2 * K) * d)),
                    o=at + 'self_attn.o_proj', gate=(mlp, slice(0, F)), up=(mlp, slice(F, 2 * F)), down=at + 'mlp.down_proj',
                    before_attention=at + 'input_layernorm', before_mlp=at + 'post_attention_layernorm')

    for layer in range(L):
        at = names(layer)
        for name, rows, columns in ((at['q'][0], (H + 2 * K) * d, D), (at['o'], D, H * d), (at['gate'][0], 2 * F, D), (at['down'], D, F)):
            w.add(name + '.weight', rows, columns)
        for name in (at['before_attention'], at['before_mlp']):
            w.add(name + '.weight', D, scale=0.2, mean=1)
    w.add('model.norm.weight', D, scale=0.2, mean=1)
    w.add('lm_head.weight', V, D)
    short, long = [1.0, 1.5, 2.0], [1.2, 4.0, 9.0]
    config = dict(model_type='phi3', vocab_size=V, hidden_size=D, intermediate_size=F, num_hidden_layers=L, num_attention_heads=H,
                  num_key_value_heads=K, rms_norm_eps=1e-5, tie_word_embeddings=False, rope_theta=10000.0, max_position_embeddings=64,
                  original_max_position_embeddings=16, partial_rotary_factor=0.75, sliding_window=None,
                  rope_scaling=dict(type=scaling, short_factor=short, long_factor=long))
    rope = dict(base=10000.0, type='longrope', short=short, long=long, original=16, factor=4.0, fraction=0.75)
    spec = dict(layers=L, heads=H, key_heads=K, d=d, epsilon=1e-5, norm='rms', embedding='model.embed_tokens.weight', names=names, scale=d**-0.5,
                rope=lambda layer: rope, window=lambda layer: 0, act=silu, last_norm='model.norm', output='lm_head.weight')
    return Checkpoint(config, spec, w)


def bf16(x):
    return float(stored([x], 'BF16')[1][0])


GEMMA_NORMS = dict(before_attention='input_layernorm', after_attention='post_attention_layernorm', before_mlp='pre_feedforward_layernorm',
                   after_mlp='post_feedforward_layernorm')


def all_checkpoints():
    """Name: tiny checkpoint, for every family and every way to state a rotation."""
    llama3 = dict(rope_type='llama3', factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)
    one_plus = dict(norm='one_plus', act=gelu_tanh)
    found = {}
    found['llama'] = llama_like('llama')
    found['llama-bf16-biases'] = llama_like('llama', 1, 'BF16', config=dict(attention_bias=True, mlp_bias=True), bias='q k v o gate up down')
    found['llama-f16-tied'] = llama_like('llama', 2, 'F16', tied=True)
    found['llama-f64'] = llama_like('llama', 3, 'F64', V=50, D=42, H=3, K=3, d=10)
    found['llama-llama3'] = llama_like('llama', 4, config=dict(rope_scaling=llama3, rope_theta=500.0),
                                       spec=dict(rope=lambda l: dict(base=500.0, type='llama3', factor=8.0, low=1.0, high=4.0, original=64)))
    found['llama-linear'] = llama_like('llama', 5, config=dict(rope_scaling=dict(type='linear', factor=4.0)),
                                       spec=dict(rope=lambda l: dict(base=10000.0, type='linear', factor=4.0)))
    found['llama-dynamic'] = llama_like('llama', 6, config=dict(rope_scaling=dict(rope_type='dynamic', factor=2.0), max_position_embeddings=16),
                                        spec=dict(rope=lambda l: dict(base=10000.0, type='dynamic', factor=2.0, context=16)))
    found['llama-yarn'] = llama_like('llama', 7, d=16, H=3, K=1, config=dict(rope_parameters=dict(
        rope_type='yarn', factor=4.0, rope_theta=1000.0, original_max_position_embeddings=512)),
        spec=dict(rope=lambda l: dict(base=1000.0, type='yarn', factor=4.0, original=512)))
    found['mistral'] = llama_like('mistral', 8, config=dict(sliding_window=7), spec=dict(window=lambda l: 7))
    found['qwen2'] = llama_like('qwen2', 9, bias='q k v', config=dict(use_sliding_window=True, sliding_window=5, layer_types=[
        'full_attention', 'sliding_attention', 'full_attention']), spec=dict(window=lambda l: 5 if l == 1 else 0))
    found['qwen3'] = llama_like('qwen3', 10, d=16, H=4, K=2, qk=('head', 'q_norm', 'k_norm'), config=dict(head_dim=16))
    found['smollm3'] = llama_like('smollm3', 11, L=4, config=dict(no_rope_layers=[1, 0, 1, 0], rope_theta=5000.0),
                                  spec=dict(rope=lambda l: dict(base=5000.0) if l % 2 == 0 else None))
    found['olmo2'] = llama_like('olmo2', 12, qk=('whole', 'q_norm', 'k_norm'),
                                norm_names=dict(after_attention='post_attention_layernorm', after_mlp='post_feedforward_layernorm'))
    found['gemma'] = llama_like('gemma', 13, 'BF16', d=16, H=4, K=1, tied=True, norm_mean=0.0, config=dict(head_dim=16, hidden_act='gelu'),
                                spec=dict(one_plus, embedding_factor=bf16(math.sqrt(48))))
    found['gemma2'] = llama_like('gemma2', 14, d=16, H=4, K=2, L=4, tied=True, norm_mean=0.0, norm_names=GEMMA_NORMS,
                                 config=dict(head_dim=16, sliding_window=6, query_pre_attn_scalar=24, attn_logit_softcapping=3.0, final_logit_softcapping=5.0),
                                 spec=dict(one_plus, embedding_factor=float(np.float32(math.sqrt(48))), scale=24**-0.5, softcap=3.0, output_softcap=5.0,
                                           window=lambda l: 6 if l % 2 == 0 else 0))
    local = lambda l: dict(base=10000.0) if (l + 1) % 3 else dict(base=1e6, type='linear', factor=8.0)
    found['gemma3-inside'] = llama_like('gemma3', 15, d=16, H=4, K=2, L=6, tied=True, norm_mean=0.0, prefix='language_model.model.', norm_names=GEMMA_NORMS,
                                        qk=('head', 'q_norm', 'k_norm'),
                                        spec=dict(one_plus, embedding_factor=float(np.float32(math.sqrt(48))), scale=16**-0.5, rope=local,
                                                  window=lambda l: 5 if (l + 1) % 3 else 0))
    text = found['gemma3-inside'].config
    text.update(head_dim=16, sliding_window=5, sliding_window_pattern=3, query_pre_attn_scalar=16, rope_theta=1e6, rope_local_base_freq=10000.0,
                rope_scaling=dict(rope_type='linear', factor=8.0))
    found['gemma3-inside'].config = dict(model_type='gemma3', text_config=dict(text, model_type='gemma3_text'), vision_config=dict(hidden_size=8))
    both = dict(full_attention=dict(rope_type='default', rope_theta=1e6), sliding_attention=dict(rope_type='default', rope_theta=10000.0))
    found['gemma3-text'] = llama_like('gemma3_text', 16, d=16, H=4, K=2, L=2, tied=True, norm_mean=0.0, norm_names=GEMMA_NORMS, qk=('head', 'q_norm', 'k_norm'),
                                      config=dict(head_dim=16, sliding_window=5, layer_types=['sliding_attention', 'full_attention'], query_pre_attn_scalar=16,
                                                  rope_parameters=both, final_logit_softcapping=4.0),
                                      spec=dict(one_plus, embedding_factor=float(np.float32(math.sqrt(48))), scale=16**-0.5, output_softcap=4.0,
                                                rope=lambda l: dict(base=1e6 if l else 10000.0), window=lambda l: 0 if l else 5))
    found['phi3'] = phi3(17)
    found['phi3-su'] = phi3(18, scaling='su')
    found['gpt_neox'] = gpt_neox(19)
    found['gpt_neox-sequential'] = gpt_neox(20, 'F16', parallel=False)
    stable = dict(norm='layer', rope=lambda l: dict(base=10000.0, fraction=0.5))
    found['stablelm'] = llama_like('stablelm', 21, d=8, config=dict(partial_rotary_factor=0.5, use_qkv_bias=True, layer_norm_eps=1e-5), bias='q k v', spec=stable)
    found['stablelm-parallel'] = llama_like('stablelm', 22, d=8, qk=('each', 'q_layernorm.norms', 'k_layernorm.norms'), spec=dict(stable, parallel=True),
                                            config=dict(partial_rotary_factor=0.5, qk_layernorm=True, use_parallel_residual=True, layer_norm_eps=1e-5),
                                            norm_names=dict(before_attention='input_layernorm'))
    return found
