#!/usr/bin/python3
"""Compares heads of captured queries and keys with their attention weights in NumPy.

usage: captures.py PROGRAM      prints what differs and exits 1 if anything does
"""
import os
import subprocess
import sys
import tempfile

import numpy as np

from checkpoints import llama_like, stored, write_safetensors

PROGRAM = sys.argv[1]
TOLERANCE = 1e-9
HEADS, KEY_HEADS, TOKENS, CHANNELS, BASE = 6, 2, 37, 16, 10000.0
faults = []


def expect(what, ok):
    if not ok:
        faults.append(what)
        print('FAULT', what)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def settings(**fields):
    base = {'head_dim': CHANNELS, 'seq_len': TOKENS, 'pairing': 'half_split', 'scale': 'sqrt_d', 'encoding': 'rope',
            'encoding.base': BASE, 'construction': 'arrays'}
    base.update({f'construction.{name}': value for name, value in fields.items()})
    return [x for name, value in base.items() for x in ('--set', f'{name}={value}')]


def weights(**fields):
    """The attention weights that the program computes, [tokens, tokens]; its complaint if it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'w.npy')
        done = run('data', 'p-rope', 'weights', '-o', path, '--backend', 'reference', *settings(**fields))
        return np.load(path) if done.returncode == 0 else done.stderr


def expected(q, k, layer, head, entry=None):
    """Softmax of the scores of rotated rows, causal, for [batch, tokens, heads, channels] of every layer."""
    def rotated(x):
        half = CHANNELS // 2
        angle = np.arange(TOKENS)[:, None] * BASE**(-np.arange(half) / half)
        z = (x[:, :half] + 1j * x[:, half:]) * np.exp(1j * angle)
        return np.concatenate([z.real, z.imag], axis=1)
    a, b = (x[layer] if entry is None else x[layer][entry] for x in (q, k))
    scores = rotated(a[:, head]) @ rotated(b[:, head * KEY_HEADS // HEADS]).T / np.sqrt(CHANNELS)
    scores[np.triu_indices(TOKENS, 1)] = -np.inf
    e = np.exp(scores - scores.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def check(what, found, wanted):
    if isinstance(found, str):
        return expect(f'{what}: {found.strip()}', False)
    expect(f'{what}: differs by {np.abs(found - wanted).max():.1e}', np.abs(found - wanted).max() <= TOLERANCE)


def check_refused(what, done, code, *parts):
    expect(f'{what}: exit {done.returncode}, {done.stderr.strip()!r}',
           done.returncode == code and done.stderr.count('\n') == 1 and all(part in done.stderr for part in parts))


def main():
    random = np.random.default_rng(4)
    layers = (0, 1, 5)
    q = {n: 2 * random.standard_normal((3, TOKENS, HEADS, CHANNELS)) for n in layers}
    k = {n: 2 * random.standard_normal((3, TOKENS, KEY_HEADS, CHANNELS)) for n in layers}
    hooks = {f'blocks.{n}.attn.hook_{side}': x[n] for n in layers for side, x in (('q', q), ('k', k))}
    hooks['blocks.0.attn.hook_pattern'] = random.standard_normal((3, HEADS, 4, 4))
    hooks['hook_embed'] = random.standard_normal((3, TOKENS, 8))
    with tempfile.TemporaryDirectory() as folder:
        def at(name):
            return os.path.join(folder, name)

        np.savez(at('stored.npz'), **hooks)
        np.savez_compressed(at('packed.npz'), **hooks)
        write_safetensors(at('heads.safetensors'), {n: ('F64', x.shape, x.tobytes()) for n, x in hooks.items()})
        for name in ('stored.npz', 'packed.npz', 'heads.safetensors'):
            for layer, head, entry in ((0, 0, 0), (5, 4, 2), (1, 5, 1)):
                check(f'{name}, layer {layer}, head {head}, entry {entry}',
                      weights(q=at(name), layer=layer, head=head, batch=entry), expected(q, k, layer, head, entry))
            check_refused(f'{name}: no such layer', run('data', 'p-rope', 'weights', *settings(q=at(name), layer=2)), 3,
                          'construction.layer is 2', '0, 1, 5')
            described = run('check', at(name))
            expect(f'{name}: check says {described.stdout!r} {described.stderr!r}',
                   described.returncode == 0 and 'layers 0, 1, 5' in described.stdout and 'usable' in described.stdout)

        single = {n: x[0].astype(np.float32) for n, x in hooks.items()}
        np.savez_compressed(at('single.npz'), **single)
        q1, k1 = ({n: x[n][0].astype(np.float32).astype(float) for n in layers} for x in (q, k))
        check('without a batch axis, in float32', weights(q=at('single.npz'), layer=1, head=3), expected(q1, k1, 1, 3))
        values = {n: stored(x[0], 'BF16') for n, x in hooks.items()}
        write_safetensors(at('half.safetensors'), {n: ('BF16', hooks[n][0].shape, raw) for n, (raw, _) in values.items()})
        q2, k2 = ({n: values[f'blocks.{n}.attn.hook_{side}'][1] for n in layers} for side in 'qk')
        check('in bfloat16', weights(q=at('half.safetensors'), layer=5, head=2), expected(q2, k2, 5, 2))

        np.savez(at('plain.npz'), q=q[0][0].transpose(1, 0, 2), k=k[0][0].transpose(1, 0, 2))
        check('arrays q and k', weights(q=at('plain.npz'), head=4), expected(q, k, 0, 4, 0))
        np.savez(at('one_head.npz'), q=np.asfortranarray(q[0][0][:, 0]), k=k[0][0][:, 0])
        check('arrays q and k of one head', weights(q=at('one_head.npz')), expected(q, k, 0, 0, 0))
        check('keys of another file', weights(q=at('plain.npz'), k=at('stored.npz'), head=4), expected(q, k, 0, 4, 0))

        np.savez(at('other.npz'), a=q[0], b=k[0])
        check_refused('other names', run('check', at('other.npz')), 3, "'a'", 'hook_q')
        llama_like('llama').write(at('model'))
        check_refused('a checkpoint', run('data', 'p-rope', 'weights', *settings(q=at('model/model.safetensors'))), 3,
                      'checkpoint', 'model_head')
        broken = dict(hooks)
        broken['blocks.1.attn.hook_q'] = np.full((3, TOKENS, HEADS, CHANNELS), np.nan)
        np.savez(at('broken.npz'), **broken)
        check_refused('not finite', run('data', 'p-rope', 'weights', *settings(q=at('broken.npz'), layer=1)), 3,
                      'blocks.1.attn.hook_q', 'finite')
        check('another layer of that file', weights(q=at('broken.npz'), layer=5), expected(q, k, 5, 0, 0))
        with open(at('packed.npz'), 'r+b') as file:
            file.truncate(os.path.getsize(at('packed.npz')) - 30)
        check_refused('a short file', run('check', at('packed.npz')), 3, 'packed.npz')
    print(f'{len(faults)} faults')
    sys.exit(1 if faults else 0)


main()
