#!/usr/bin/python3
"""Compares the program's training with its derivation in double precision (transformer.py), step by step.

usage: training.py PROGRAM GROUP      GROUP is a part of the recipes, 'batches', or 'derivation', which checks the derivation itself and needs no
                                      program; prints what differs and exits 1 if anything does
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np

from transformer import AdamW, Transformer, drawn_start, softmax, start_deviation

PROGRAM = sys.argv[1]
TOLERANCE = 1e-5  # of a loss, after up to ten updates in single precision
STEPS = 10
faults = []

# Every recipe is small enough for ten updates in double precision; `encoding` holds what the program's fields hold.
BASE = dict(task=dict(id='recall'), encoding=dict(id='rope', base=10000.0), layers=2, heads=2, head_dim=8, width=24, feed_forward=40, vocabulary=16,
            context=20, batch=4, steps=STEPS, learning_rate=3e-3, weight_decay=0.01, embedding_scale=0.3, seed=5, rope_heads='all')


def recipe(encoding=None, **changes):
    made = dict(BASE, **changes)
    if encoding:
        made['encoding'] = encoding
    return made


FACTORS = [1, 1.5, 2, 3]
ENCODINGS = {
    'rope': dict(id='rope', base=10000.0),
    'base 100': dict(id='rope', base=100.0),
    'nope': dict(id='nope'),
    'p_rope': dict(id='p_rope', base=10000.0, p=0.5),
    'partial': dict(id='partial', base=10000.0, fraction=0.5),
    'clipped': dict(id='clipped', base=10000.0, original_length=20),
    'linear': dict(id='linear', base=10000.0, factor=4.0),
    'ntk': dict(id='ntk', base=10000.0, factor=4.0),
    'dynamic_ntk': dict(id='dynamic_ntk', base=10000.0, factor=2.0, original_length=10),
    'yarn': dict(id='yarn', base=100.0, factor=4.0, original_length=64, beta_fast=4.0, beta_slow=1.0),
    'llama3': dict(id='llama3', base=1000.0, factor=8.0, original_length=128, low_freq_factor=1.0, high_freq_factor=4.0),
    'longrope': dict(id='longrope', base=10000.0, factor=2.0, original_length=10, short_factor=[1] * 4, long_factor=FACTORS),
    'xpos': dict(id='xpos', base=10000.0, scale_base=32.0),
    'alibi': dict(id='alibi', heads=4, head=1),
    'sinusoidal': dict(id='sinusoidal', base=100.0),
    'self_extend': dict(id='self_extend', base=10000.0, group=3, window=7),
}
HEADS = [[True, False], [False, False]]
MODELS = {
    'attention only': recipe(feed_forward=0),
    'some heads': recipe(rope_heads=HEADS),
    'learned heads': recipe(rope_heads='learned'),
    'learned heads with a bias': recipe(ENCODINGS['alibi'], rope_heads='learned'),
    'one layer, odd sizes': recipe(layers=1, heads=3, head_dim=6, width=19, feed_forward=23, vocabulary=13, context=17, batch=5),
    'no decay': recipe(weight_decay=0.0, learning_rate=1e-2),
    'one sequence': recipe(batch=1, context=40),
}
TASKS = {
    'back': recipe(task=dict(id='back', distance=3)),
    'both': recipe(task=dict(id='both', distance=2)),
    'induction': recipe(task=dict(id='induction')),
    'language': recipe(task=dict(id='language'), vocabulary=32),
}
GROUPS = {
    'encodings': {name: recipe(encoding) for name, encoding in ENCODINGS.items()},
    'models': MODELS,
    'tasks': TASKS,
}


def expect(what, ok):
    if not ok:
        faults.append(what)
        print('FAULT', what)


def text_of(value):
    return ','.join(map(str, value)) if isinstance(value, list) else str(value)


def settings_of(made):
    """The recipe as settings of a scene, in the program's syntax."""
    settings = ['construction=model_head', 'construction.source=trained']
    for name, value in made.items():
        path = f'construction.recipe.{name}'
        if name == 'rope_heads' and isinstance(value, list):
            value = ';'.join(','.join(str(h) for h, has in enumerate(layer) if has) or 'none' for layer in value)
        if isinstance(value, dict):
            settings.append(f'{path}={value["id"]}')
            settings += [f'{path}.{field}={text_of(x)}' for field, x in value.items() if field != 'id']
        else:
            settings.append(f'{path}={value}')
    return [x for setting in settings for x in ('--set', setting)]


def run(*arguments):
    without_cache = dict(os.environ, XDG_CACHE_HOME='', HOME='')  # finished runs would hide what the program computes now
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=without_cache)
    if done.returncode != 0:
        raise RuntimeError(f'{" ".join(arguments[:3])}: exit {done.returncode}, {done.stderr.strip()}')


def data(what, made, *options):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'out.npy')
        run('data', 'p-rope', what, '-o', path, *settings_of(made), *options)
        return np.load(path)


def read_safetensors(path):
    """The tensors of a file of single-precision numbers, widened."""
    with open(path, 'rb') as file:
        header = json.loads(file.read(struct.unpack('<Q', file.read(8))[0]))
        body = file.read()
    header.pop('__metadata__', None)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry['data_offsets']
        assert entry['dtype'] == 'F32', name
        tensors[name] = np.frombuffer(body[begin:end], '<f4').reshape(entry['shape']).astype(float)
    return tensors


def start_of(made):
    """The parameters before step 0. Neither the encoding nor the heads with RoPE change them, and RoPE can be written as a folder."""
    with tempfile.TemporaryDirectory() as folder:
        run('train', 'p-rope', '-o', folder, '--steps', '0', *settings_of(dict(made, encoding=ENCODINGS['rope'], rope_heads='all')))
        p = read_safetensors(os.path.join(folder, 'model.safetensors'))
    expected = drawn_start(dict(made, rope_heads='all'), 0)
    if made['feed_forward']:
        expect('names of the tensors', sorted(p) == sorted(expected))
    for name, drawn in expected.items():
        expect(f'{name}: shape {p[name].shape}', p[name].shape == drawn.shape)
        if name.endswith('norm.weight'):
            expect(f'{name}: is not 1', (p[name] == 1).all())
        else:  # six standard errors of a standard deviation
            ratio = p[name].std() / start_deviation(made, name, drawn.shape[1])
            expect(f'{name}: deviation is {ratio} of what it should be', abs(ratio - 1) < 6 / np.sqrt(2 * drawn.size))
    if made['rope_heads'] == 'learned':
        p['gates'] = np.zeros((made['layers'], made['heads']))
    return p


def batch_of(made, step):
    tokens, targets = data('batch', made, '--option', f'step={step}').astype(int)
    expect(f'shape of batch {step}', tokens.shape == (made['batch'], made['context']))
    return tokens, targets


def expanded(made):
    """The recipe with its heads listed, as the derivation wants them."""
    return dict(made, rope_heads=[[True] * made['heads']] * made['layers']) if made['rope_heads'] == 'all' else made


def check_recipe(name, made):
    p = start_of(made)
    model, optimiser = Transformer(expanded(made), p), AdamW(made, p)
    found = data('training', made).astype(float)
    expect(f'{name}: shape {found.shape}', found.shape == (STEPS, 3))
    for step in range(STEPS):
        tokens, targets = batch_of(made, step)
        loss, accuracy, grads = model.loss(tokens, targets)
        expect(f'{name}: loss of step {step} is {found[step, 1]}, derived {loss}', abs(found[step, 1] - loss) <= TOLERANCE * loss)
        # One answer may differ where two logits are nearly equal.
        expect(f'{name}: accuracy of step {step} is {found[step, 2]}, derived {accuracy}',
               found[step, 0] == step and abs(found[step, 2] - accuracy) <= 1.001 / (targets >= 0).sum())
        optimiser.update(grads)


def check_tests():
    """The tested lengths and the use of pairs after training, from the written model and the held-out sequence."""
    made = recipe(task=dict(id='back', distance=1))
    with tempfile.TemporaryDirectory() as folder:
        run('train', 'p-rope', '-o', folder, *settings_of(made))
        model = Transformer(expanded(made), read_safetensors(os.path.join(folder, 'model.safetensors')))
    found = data('length_test', made, '--option', 'sequences=1')
    expect('tested lengths', found[:, 0].tolist() == [made['context'] * 2**i for i in range(5)])
    for length, loss, accuracy in found[:3]:  # the one sequence is the text that the head reads
        text = data('tokens', made, '--set', f'seq_len={int(length)}')
        tokens = text[:, 0].astype(int)
        derived, share, _ = model.loss(tokens[None], np.concatenate([[-1], tokens[:-1]])[None])
        expect(f'length {length:g}: loss {loss}, derived {derived}', abs(loss - derived) <= TOLERANCE * derived)
        expect(f'length {length:g}: accuracy {accuracy}, derived {share}', abs(accuracy - share) <= 1.001 / (length - 1))
        mean = text[1:, 1].mean()
        expect(f'length {length:g}: mean loss of the text {mean}, derived {derived}',
               np.isnan(text[0, 1]) and abs(mean - derived) <= TOLERANCE * derived)
    half = made['head_dim'] // 2
    norms = [np.hypot(x[:, :half], x[:, half:]).mean(0) for x in (data('q', made).astype(float), data('k', made).astype(float))]
    use, shares = norms[0] * norms[1], data('usage_over_training', made)
    expect('use of pairs at the end', np.abs(shares[-1] - use / use.sum()).max() <= 1e-5 and shares.shape == (min(STEPS, 63) + 1, half))


# ---- The derivation itself ----

def random_batch(made, random):
    tokens = random.integers(0, made['vocabulary'], (made['batch'], made['context']))
    targets = random.integers(-1, made['vocabulary'], tokens.shape)
    return tokens, targets


def check_gradients(name, made):
    """Central differences along random directions and single entries of every parameter."""
    random = np.random.default_rng(3)
    p = drawn_start(made, 2)
    if 'gates' in p:
        p['gates'][:] = random.standard_normal(p['gates'].shape)
    for parameter in p:
        if parameter.endswith('norm.weight'):
            p[parameter] += 0.2 * random.standard_normal(p[parameter].shape)
    tokens, targets = random_batch(made, random)
    model = Transformer(expanded(made), p)
    _, _, grads = model.loss(tokens, targets)
    expect(f'{name}: parameters with gradients', sorted(grads) == sorted(p))
    for parameter, x in p.items():
        for direction in (random.standard_normal(x.shape), np.eye(1, x.size, random.integers(x.size)).reshape(x.shape)):
            start, h, losses = x.copy(), 1e-4, []
            for times in (-2, -1, 1, 2):
                x[...] = start + times * h * direction
                losses.append(model.loss(tokens, targets)[0])
            x[...] = start
            slope = (losses[0] - 8 * losses[1] + 8 * losses[2] - losses[3]) / (12 * h)
            derived = (grads[parameter] * direction).sum()
            expect(f'{name}: {parameter}: gradient {derived}, by differences {slope}',
                   abs(slope - derived) <= 1e-7 * max(np.abs(grads[parameter]).max(), abs(slope), 1e-3))


def check_attention(name, made):
    """The scores of one head, entry by entry from the definition, with a rotation matrix for every pair."""
    from transformer import encoding_of, Positions
    random, d, N, e = np.random.default_rng(4), made['head_dim'], made['context'], made['encoding']
    q, k = random.standard_normal((2, 1, 1, N, d))
    of, positions = encoding_of(e, d, N), Positions(e, d, N)
    found, rotary = positions.scores(q, k)[0, 0], of['rotary']
    for i in range(N):
        for j in range(i + 1):
            m, n = i, j
            if of['group'] and i - j >= of['window']:
                m, n = i // of['group'] + of['window'] - of['window'] // of['group'], j // of['group']
            a, b, score = q[0, 0, i] + of['waves'][i], k[0, 0, j] + of['waves'][j], 0
            for t in range(rotary // 2):
                angle, left, right = (m - n) * of['w'][t], a[[t, t + rotary // 2]], b[[t, t + rotary // 2]]
                turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
                score += of['scaling']**2 * np.exp(of['damping'][t] * (i - j)) * left @ turn @ right
            score += a[rotary:] @ b[rotary:]
            expect(f'{name}: score ({i}, {j}) is {found[i, j]}, derived {score}', abs(found[i, j] - score) < 1e-10)


def check_derivation():
    for name, made in {**GROUPS['encodings'], **GROUPS['models']}.items():
        small = dict(made, context=min(made['context'], 12), batch=2)
        check_gradients(name, small)
        check_attention(name, small)
    made = recipe(learning_rate=1e-2, steps=100)
    p = drawn_start(made, 1)
    tokens, targets = random_batch(made, np.random.default_rng(7))
    model, optimiser = Transformer(expanded(made), p), AdamW(made, p)
    losses = []
    for _ in range(40):
        loss, _, grads = model.loss(tokens, targets)
        losses.append(loss)
        optimiser.update(grads)
    expect(f'one batch is learned by heart: {losses[0]} to {losses[-1]}', losses[-1] < 0.5 * losses[0])
    logits, _ = model.forward(tokens)
    expect('softmax', np.allclose(softmax(logits).sum(-1), 1))


def check_batches():
    """Equal settings give equal batches, other steps and seeds give others; the task's rules are tested elsewhere."""
    made = recipe()
    first = batch_of(made, 3)
    expect('the same batch', np.array_equal(first, batch_of(made, 3)))
    expect('another encoding, the same batch', np.array_equal(first, batch_of(dict(made, encoding=ENCODINGS['nope']), 3)))
    expect('another step', not np.array_equal(first, batch_of(made, 4)))
    expect('another seed', not np.array_equal(first, batch_of(dict(made, seed=6), 3)))


def main():
    group = sys.argv[2]
    if group == 'derivation':
        check_derivation()
    elif group == 'batches':
        check_batches()
    elif group == 'tests':
        check_tests()
    else:
        for name, made in GROUPS[group].items():
            check_recipe(name, made)
    print(f'{group}: {len(faults)} faults')
    sys.exit(1 if faults else 0)


main()
