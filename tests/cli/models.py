#!/usr/bin/python3
"""Compares the program's runs of tiny checkpoints with their derivation in double precision (checkpoints.py).

usage: models.py PROGRAM GROUP      GROUP is a part of the families, or 'refusals'; prints what differs and exits 1 if anything does
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from checkpoints import all_checkpoints, loss_of, write_safetensors

PROGRAM = sys.argv[1]
TOLERANCE = 2e-5  # of the logits' range; of the largest entry for queries, keys and weights
faults = []


def expect(what, ok):
    if not ok:
        faults.append(what)
        print('FAULT', what)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)


def data(what, folder, tokens, settings=(), options=()):
    """The array that `ropewalk data` writes for a head of the model."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'out.npy')
        sets = ['construction=model_head', f'construction.model={folder}', 'construction.tokens=' + ','.join(map(str, tokens)), *settings]
        done = run('data', 'p-rope', what, '-o', path, *[x for s in sets for x in ('--set', s)], *options)
        if done.returncode != 0:
            raise RuntimeError(f'{what}: {done.stderr.strip()}')
        return np.load(path).astype(float)


def off(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


def pair_norms(rows, spec, layer):
    """Mean length of every pair, [d/2]: pairs (t, t + r/2) of the first r channels, then those of the rest."""
    d = spec['d']
    rope = spec['rope'](layer)
    r = int(d * rope.get('fraction', 1)) if rope else d
    first = np.concatenate([np.arange(r // 2), np.arange(r, r + (d - r) // 2)])
    second = np.concatenate([np.arange(r // 2, r), np.arange(r + (d - r) // 2, d)])
    return np.hypot(rows[:, first], rows[:, second]).mean(0)


def check_family(name, checkpoint, folder, number):
    checkpoint.write(folder, shards=1 + number % 3)
    spec = checkpoint.spec
    vocabulary = len(checkpoint.w[spec['embedding']])
    tokens = [int(x) for x in np.random.default_rng(number).integers(0, vocabulary, 24 + number % 5 * 13)]
    logits, queries, keys = checkpoint.forward(tokens)
    found = data('model_logits', folder, tokens)
    expect(f'{name}: logits differ by {np.abs(found - logits).max() / np.ptp(logits):.1e} of their range',
           found.shape == logits.shape and np.abs(found - logits).max() <= TOLERANCE * np.ptp(logits))
    layer, head = spec['layers'] - 1, spec['heads'] - 1
    at = [f'construction.layer={layer}', f'construction.head={head}']
    for what, rows in (('q', queries[layer][head]), ('k', keys[layer][head * spec['key_heads'] // spec['heads']])):
        found = data(what, folder, tokens, at)
        expect(f'{name}: {what} differs by {off(found, rows):.1e}', off(found, rows) <= TOLERANCE)
    found = data('tokens', folder, tokens, at)
    expect(f'{name}: token ids', np.array_equal(found[:, 0], tokens))
    expect(f'{name}: losses differ by {np.abs(found[:, 1] - loss_of(logits, tokens)).max():.1e}',
           np.abs(found[:, 1] - loss_of(logits, tokens)).max() <= TOLERANCE * np.ptp(logits))
    found = data('next_token', folder, tokens, (), ['--query', str(len(tokens) - 1)])
    expect(f'{name}: next token', np.abs(found - logits[-1]).max() <= TOLERANCE * np.ptp(logits))
    usage = np.array([np.mean([pair_norms(q, spec, layer) * pair_norms(keys[layer][h * spec['key_heads'] // spec['heads']], spec, layer)
                               for h, q in enumerate(queries[layer])], axis=0) for layer in range(spec['layers'])])
    found = data('usage_by_layer', folder, tokens)
    expect(f'{name}: usage by layer differs by {off(found, usage):.1e}', off(found, usage) <= TOLERANCE)
    described = json.loads(run('model', folder, '--json').stdout)
    expect(f'{name}: description', (described['layers'], described['heads'], described['head_dim'], described['unused']) ==
           (spec['layers'], spec['heads'], spec['d'], []))


def check_changes(folder):
    """Another encoding for the whole model, and heads without rotation or output."""
    checkpoint = all_checkpoints()['llama']
    checkpoint.write(folder)
    tokens = [int(x) for x in np.random.default_rng(1).integers(0, 53, 40)]
    base = checkpoint.spec['rope'](0)
    logits, _, _ = checkpoint.forward(tokens, lambda layer, head: dict(rope=dict(base, base=77.0)))
    found = data('model_logits', folder, tokens, ['construction.scope=model', 'encoding.base=77'])
    expect('base 77 in the whole model', np.abs(found - logits).max() <= TOLERANCE * np.ptp(logits))
    for measure, change in (('loss_without_rope', dict(rope=None)), ('loss_without_head', dict(zero=True))):
        atlas = data('head_atlas', folder, tokens, (), ['--option', f'measure={measure}'])
        for at in ((0, 0), (1, 3), (2, 5)):
            changed, _, _ = checkpoint.forward(tokens, lambda layer, head: change if (layer, head) == at else None)
            expected = loss_of(changed, tokens)[1:].mean()
            expect(f'{measure} of {at}: {atlas[at]} for {expected}', abs(atlas[at] - expected) <= TOLERANCE * np.ptp(logits))


def check_refusals(folder):
    """Broken folders are refused with 3 and one sentence that names the file and the place."""
    def refused(what, expected, code=3):
        done = run('model', folder)
        expect(f'{what}: exit {done.returncode}, {done.stderr.strip()!r}',
               done.returncode == code and done.stderr.count('\n') == 1 and expected in done.stderr)

    config, weights = os.path.join(folder, 'config.json'), os.path.join(folder, 'model.safetensors')

    def rewrite(change=lambda config: None, drop=None, shape=None):
        checkpoint = all_checkpoints()['llama']
        change(checkpoint.config)
        if drop:
            del checkpoint.w.tensors[drop]
        if shape:
            dtype, _, raw = checkpoint.w.tensors[shape[0]]
            checkpoint.w.tensors[shape[0]] = (dtype, shape[1], raw)
        checkpoint.write(folder)

    rewrite(lambda c: c.update(model_type='mamba'))
    refused('an unknown family', 'llama')
    rewrite(lambda c: c.update(rope_scaling=dict(rope_type='spiral')))
    refused('an unknown rotation', 'spiral')
    rewrite(lambda c: c.update(partial_rotary_factor=2.0))
    refused('more than all channels', 'at most 1')
    rewrite(lambda c: c.update(num_key_value_heads=4))
    refused('key heads that do not divide', 'num_key_value_heads')
    rewrite(lambda c: c.update(hidden_size=64, head_dim=8))
    refused('another width', 'shape')
    rewrite(drop='model.layers.1.mlp.up_proj.weight')
    refused('a missing tensor', 'model.layers.1.mlp.up_proj.weight')
    rewrite(shape=('model.norm.weight', (6, 8)))
    refused('another shape', 'model.norm.weight')
    rewrite()
    with open(weights, 'r+b') as file:
        file.truncate(os.path.getsize(weights) - 4)
    refused('a short file', 'incomplete')
    with open(weights, 'wb') as file:
        file.write(b'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n')
    refused('a pointer', 'git lfs pull')
    with open(weights, 'wb') as file:
        file.write(b'\xff' * 8 + b'{}')
    refused('a long header', 'header')
    os.remove(weights)
    refused('no weights', '.safetensors')
    with open(os.path.join(folder, 'pytorch_model.bin'), 'wb') as file:
        file.write(b'PK')
    refused('a pickle', 'save_pretrained')
    os.remove(os.path.join(folder, 'pytorch_model.bin'))
    with open(os.path.join(folder, 'model.safetensors.index.json'), 'w') as file:
        json.dump({'weight_map': {'a': '../outside.safetensors'}}, file)
    refused('a path out of the folder', 'outside.safetensors')
    os.remove(config)
    refused('no config', 'config.json')


def main():
    group = sys.argv[2]
    with tempfile.TemporaryDirectory() as scratch:
        if group == 'refusals':
            check_refusals(scratch)
        elif group == 'changes':
            check_changes(scratch)
        else:
            for number, (name, checkpoint) in enumerate(all_checkpoints().items()):
                if number % 2 == int(group == 'odd'):
                    check_family(name, checkpoint, os.path.join(scratch, name), number)
    print(f'{group}: {len(faults)} faults')
    sys.exit(1 if faults else 0)


main()
