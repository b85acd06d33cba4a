#!/usr/bin/python3
"""Writes assets/models/induction: a two-layer model whose weights are set by hand, in Llama's format.

Layer 0, head 0 looks one token back by fast pairs and writes that token's identity into the stream; head 1 looks at BOS. Layer 1, head 0
looks for a token whose predecessor is the current one, by slow pairs, and predicts it: an induction head (Olsson et al. 2022,
arXiv:2209.11895). Head 1 looks at earlier occurrences of the current token. The MLPs add nothing. Nothing was trained.
"""
import json
import struct
from pathlib import Path

import numpy as np

WORDS = "<s> the cat sat on mat and dog by door ran to a tree in house saw bird sang it was red green blue Ann Ben read book wrote .".split()
V, D, F, H, d, N = len(WORDS), 128, 4, 2, 64, 256
BASE = 10_000.0
CURRENT, PREVIOUS, PREDICTED, CONSTANT = 0, 32, 64, 96  # where the stream holds what; word i is channel +i
A = 8.0  # size of an entry: √(D/2), so that the norm of an embedding changes nothing
PAIRS, FAST = d // 2, 8  # pairs of layer 0's positional head: the fastest 8
frequency = BASE ** (-np.arange(PAIRS) / PAIRS)


def slow(word):
    """The channel of a word in a head's slow pairs, 16 to 30; pair t has channels t and t + d/2."""
    return 16 + word % 15 + (PAIRS if word >= 15 else 0)


SINK = 31  # the slowest pair, for what attends to BOS


def blank():
    return {p: np.zeros((H * d, D)) for p in 'qkv'} | {'o': np.zeros((D, H * d))}


def positional(w, head, gain):
    """q·k = gain² Σ cos((r − 1) w_t) over the fast pairs, largest one token back."""
    for t in range(FAST):
        w['q'][head * d + t, CONSTANT] = gain / A
        w['k'][head * d + t, CONSTANT] = gain * np.cos(frequency[t]) / A
        w['k'][head * d + t + PAIRS, CONSTANT] = gain * np.sin(frequency[t]) / A


def matching(w, head, gain, keys_from):
    """q·k = gain² where the key's word is the query's, turned only by slow pairs."""
    for word in range(1, V):
        w['q'][head * d + slow(word), CURRENT + word] = gain / A
        w['k'][head * d + slow(word), keys_from + word] = gain / A


def sink(w, head, gain):
    """q·k = gain² at BOS, where nothing else matches."""
    w['q'][head * d + SINK, CONSTANT] = gain / A
    w['k'][head * d + SINK, CURRENT] = gain / A


def copying(w, head, to, size):
    for word in range(V):
        w['v'][head * d + word, CURRENT + word] = 1 / A
        w['o'][to + word, head * d + word] = size


first, second = blank(), blank()
positional(first, 0, 12.0)
copying(first, 0, PREVIOUS, A)
sink(first, 1, 8.0)
matching(second, 0, 14.0, PREVIOUS)
sink(second, 0, 8.0)
copying(second, 0, PREDICTED, A)
matching(second, 1, 14.0, CURRENT)

embedding, output = np.zeros((V, D)), np.zeros((V, D))
for word in range(V):
    embedding[word, CURRENT + word] = embedding[word, CONSTANT] = A
    output[word, PREDICTED + word] = 1.0
output[0, PREDICTED] = 0  # BOS is never predicted

tensors = {'model.embed_tokens.weight': embedding, 'model.norm.weight': np.ones(D), 'lm_head.weight': output}
for layer, w in enumerate((first, second)):
    at = f'model.layers.{layer}.'
    tensors |= {at + f'self_attn.{p}_proj.weight': w[p] for p in 'qkvo'}
    tensors |= {at + 'mlp.gate_proj.weight': np.zeros((F, D)), at + 'mlp.up_proj.weight': np.zeros((F, D)), at + 'mlp.down_proj.weight': np.zeros((D, F))}
    tensors |= {at + 'input_layernorm.weight': np.ones(D), at + 'post_attention_layernorm.weight': np.ones(D)}

folder = Path(__file__).parent / 'induction'
header, data = {'__metadata__': {'format': 'pt', 'made_by': 'assets/models/make_induction.py'}}, b''
for name, tensor in tensors.items():
    raw = tensor.astype(np.float16).tobytes()
    header[name] = {'dtype': 'F16', 'shape': list(tensor.shape), 'data_offsets': [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(header).encode()
text += b' ' * (-len(text) % 8)
(folder / 'model.safetensors').write_bytes(struct.pack('<Q', len(text)) + text + data)
config = dict(model_type='llama', vocab_size=V, hidden_size=D, intermediate_size=F, num_hidden_layers=2, num_attention_heads=H, num_key_value_heads=H,
              head_dim=d, max_position_embeddings=N, rms_norm_eps=1e-6, rope_theta=BASE, tie_word_embeddings=False, hidden_act='silu')
(folder / 'config.json').write_text(json.dumps(config, indent=2) + '\n')
vocabulary = {('▁' + word if i and word != '.' else word): i for i, word in enumerate(WORDS)}
tokenizer = dict(
    version='1.0', truncation=None, padding=None,
    added_tokens=[dict(id=0, content='<s>', single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)],
    normalizer=None,
    pre_tokenizer=dict(type='Sequence', pretokenizers=[
        dict(type='Split', pattern=dict(String='.'), behavior='Isolated', invert=False),
        dict(type='Metaspace', replacement='▁', prepend_scheme='first', split=True)]),
    post_processor=dict(type='TemplateProcessing', single=[dict(SpecialToken=dict(id='<s>', type_id=0)), dict(Sequence=dict(id='A', type_id=0))],
                        pair=[dict(Sequence=dict(id='A', type_id=0)), dict(Sequence=dict(id='B', type_id=1))],
                        special_tokens={'<s>': dict(id='<s>', ids=[0], tokens=['<s>'])}),
    decoder=dict(type='Metaspace', replacement='▁', prepend_scheme='first', split=True),
    model=dict(type='BPE', dropout=None, unk_token=None, continuing_subword_prefix=None, end_of_word_suffix=None, fuse_unk=False,
               byte_fallback=False, ignore_merges=True, vocab=vocabulary, merges=[]))
(folder / 'tokenizer.json').write_text(json.dumps(tokenizer, ensure_ascii=False, indent=1) + '\n')
