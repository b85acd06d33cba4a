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

from checkpoints import all_checkpoints, frequencies, loss_of, rotated, stored

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


def largest(count, only):
    """Channels of the `count` pairs (t, t + d/2) with the largest product of mean norms; all others unless `only`."""
    def keeps(q, k):
        half = q.shape[1] // 2
        use = np.hypot(q[:, :half], q[:, half:]).mean(0) * np.hypot(k[:, :half], k[:, half:]).mean(0)
        marked = np.zeros(half)
        marked[np.argsort(-use, kind='stable')[:count]] = 1
        return np.tile(marked if only else 1 - marked, 2)
    return keeps


def check_interventions(folder):
    """Every kind of change of some heads: logits, and queries of the last layer."""
    checkpoint = all_checkpoints()['llama']
    checkpoint.write(folder)
    spec = checkpoint.spec
    tokens = [int(x) for x in np.random.default_rng(2).integers(0, 53, 33)]
    own = spec['rope'](0)
    some = lambda change, layers, heads: lambda layer, head: change if layer in layers and head in heads else None
    cases = {
        'kind=rotation_off layers=0,2 heads=1,4': some(dict(rope=None), (0, 2), (1, 4)),
        'kind=zero_output heads=3': some(dict(zero=True), (0, 1, 2), (3,)),
        'kind=encoding encoding.base=50 layers=1': some(dict(rope=dict(own, base=50.0)), (1,), range(6)),
        'kind=encoding encoding=linear encoding.factor=4 encoding.base=10000 layers=0':
            some(dict(rope=dict(own, type='linear', factor=4.0, base=10000.0)), (0,), range(6)),
        'kind=only_pairs pairs=2 layers=0,1': some(dict(keeps=largest(2, True)), (0, 1), range(6)),
        'kind=without_pairs layers=1 heads=0,5': some(dict(keeps=largest(1, False)), (1,), (0, 5)),
        'kind=zero_output layers=0 heads=0 | kind=rotation_off layers=1 heads=2':
            lambda layer, head: {(0, 0): dict(zero=True), (1, 2): dict(rope=None)}.get((layer, head)),
        '[{"kind": "zero_output", "layers": [2], "heads": [5]}]': some(dict(zero=True), (2,), (5,))}
    plain, _, _ = checkpoint.forward(tokens)
    for text, change in cases.items():
        logits, queries, _ = checkpoint.forward(tokens, change)
        found = data('model_logits', folder, tokens, ['construction.interventions=' + text])
        expect(f'{text}: changes little', np.abs(logits - plain).max() > 100 * TOLERANCE * np.ptp(logits))
        expect(f'{text}: {np.abs(found - logits).max() / np.ptp(logits):.1e}', np.abs(found - logits).max() <= TOLERANCE * np.ptp(logits))
        at = ['construction.layer=2', 'construction.head=1', 'construction.interventions=' + text]
        found = data('q', folder, tokens, at)
        expect(f'{text}: queries {off(found, queries[2][1]):.1e}', off(found, queries[2][1]) <= TOLERANCE)


def ranks(values):
    """Ranks from 1, the mean of them among equals."""
    values = np.asarray(values)
    return np.array([(values < v).sum() + ((values == v).sum() + 1) / 2 for v in values])


def measures_of(checkpoint, q, k, layer, head):
    """The atlas's measures of one head that follow from its queries, keys and weights: MODELS.md, section 5."""
    spec, w = checkpoint.spec, checkpoint.w
    d, group = spec['d'], head * spec['key_heads'] // spec['heads']
    half, n, rope = d // 2, len(q), spec['rope'](layer)
    frequency, _ = frequencies(rope, d, n)
    a, b = rotated(q, rope, d), rotated(k, rope, d)
    norm = lambda x: np.linalg.norm(x, axis=1)
    diagonal = (np.sum(a * b, 1) / (norm(q) * norm(k))).mean()
    previous = (np.sum(a[1:] * b[:-1], 1) / (norm(q)[1:] * norm(k)[:-1])).mean()
    use = np.hypot(q[:, :half], q[:, half:]).mean(0) * np.hypot(k[:, :half], k[:, half:]).mean(0)
    by_distance = [[] for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):  # of at most 100 keys, all are among the 100 with the highest logits
            terms = a[i] * b[j]
            g = terms[:half] + terms[half:]
            share = np.exp(g - g.max())
            by_distance[i - j].append(share @ np.arange(half) / share.sum())
    means = [np.mean(x) for x in by_distance]

    def rank(matrix):
        share = np.linalg.svd(matrix, compute_uv=False)
        share = share[share > 0] / share.sum()
        return np.exp(-(share * np.log(share)).sum())
    names = spec['names'](layer)
    rows = lambda name, number: w[names[name] + '.weight'][number * d:(number + 1) * d]
    embedding, unembedding = w[spec['embedding']], w[spec['output']]
    raised = embedding @ rows('v', group).T @ w[names['o'] + '.weight'][:, head * d:(head + 1) * d].T @ unembedding.T
    own = raised[np.arange(len(raised)), np.arange(len(raised))]
    return dict(bound=max(diagonal, previous), spearman=np.corrcoef(ranks(np.arange(n)), ranks(means))[0, 1],
                rank=(rank(rows('q', head)) + rank(rows('k', group))) / 2, slow_share=np.sort(use[np.argsort(frequency)][:half // 4]).sum() / use.sum(),
                wavelength=(use * np.log10(2 * np.pi / frequency)).sum() / use.sum(), copying=((raised > own[:, None]).sum(1) < 10).mean())


def check_atlas(folder):
    checkpoint = all_checkpoints()['llama']
    checkpoint.write(folder)
    spec = checkpoint.spec
    tokens = [int(x) for x in np.random.default_rng(4).integers(0, 53, 36)]
    _, queries, keys = checkpoint.forward(tokens)
    expected = [[measures_of(checkpoint, q, keys[layer][h * spec['key_heads'] // spec['heads']], layer, h) for h, q in enumerate(queries[layer])]
                for layer in range(spec['layers'])]
    for measure in expected[0][0]:
        found = data('head_atlas', folder, tokens, (), ['--option', f'measure={measure}'])
        wanted = np.array([[head[measure] for head in layer] for layer in expected])
        expect(f'{measure} differs by {np.abs(found - wanted).max():.1e}', np.abs(found - wanted).max() <= TOLERANCE * np.abs(wanted).max())


def check_methods(folder):
    """The loss by position under methods of context extension, and without some heads."""
    checkpoint = all_checkpoints()['llama']
    checkpoint.write(folder)
    tokens = [int(x) for x in np.random.default_rng(3).integers(0, 53, 40)]
    own, context, factor = checkpoint.spec['rope'](0), 10, 4.0
    plain, _, _ = checkpoint.forward(tokens)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, 'out.csv')
        sets = ['construction=model_head', f'construction.model={folder}', 'construction.tokens=' + ','.join(map(str, tokens))]
        run('data', 'p-rope', 'loss_by_position', '-o', path, *[x for s in sets for x in ('--set', s)], '--option', f'factor={factor:g}',
            '--option', f'trained={context}')
        with open(path) as file:
            names, table = file.readline().strip().split(','), np.loadtxt(file, delimiter=',')
    expect('losses as set here', np.abs(table[:, 0] - loss_of(plain, tokens)).max() <= TOLERANCE * np.ptp(plain))
    base = own['base']
    ropes = dict(linear=dict(own, type='linear', factor=factor), yarn=dict(own, type='yarn', factor=factor, original=context),
                 ntk=dict(own, base=base * factor**(8 / 6)), dynamic_ntk=dict(own, base=base * (len(tokens) / context)**(8 / 6)))
    for name, rope in ropes.items():
        logits, _, _ = checkpoint.forward(tokens, lambda layer, head: dict(rope=rope))
        expected = loss_of(logits, tokens)
        expect(f'{name}: losses differ by {np.abs(table[:, names.index(name)] - expected).max():.1e}',
               np.abs(table[:, names.index(name)] - expected).max() <= TOLERANCE * np.ptp(logits))
    atlas = data('head_atlas', folder, tokens, (), ['--option', 'measure=entropy']).ravel()
    table = data('masked_heads', folder, tokens, (), ['--option', 'measure=entropy', '--option', 'shares=0.05,0.2', '--option', 'repetitions=3'])

    def loss_without(heads):
        logits, _, _ = checkpoint.forward(tokens, lambda layer, head: dict(zero=True) if layer * 6 + head in heads else None)
        return loss_of(logits, tokens)[1:].mean()
    expect('loss of all heads', abs(table[0, 2] - loss_of(plain, tokens)[1:].mean()) < 1e-5)
    for row, count in ((1, 1), (2, 4)):  # 5 % and 20 % of 18 heads
        expected = loss_without(set(np.argsort(-atlas, kind='stable')[:count]))
        expect(f'{count} heads masked: {table[row, 2]} for {expected}', table[row, 1] == count and abs(table[row, 2] - expected) < 1e-5)
    one_out = np.array([loss_without({head}) for head in range(18)])
    expect('a random head is one of them', all(np.abs(one_out - loss).min() < 1e-5 for loss in table[1, 3:]))


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


def check_not_finite(folder):
    """A model with weights that are NaN or infinite opens; what depends on them is refused with the tensor's name."""
    def spoil(name, places, value):
        checkpoint = all_checkpoints()['llama']
        dtype, shape, _ = checkpoint.w.tensors[name]
        checkpoint.w.tensors[name] = (dtype, shape, stored(put(checkpoint.w[name].copy(), places, value), dtype)[0])
        checkpoint.write(folder)

    def put(values, places, value):
        for place in places:
            values[place] = value
        return values

    def written(what, layer, head):
        sets = ['construction=model_head', f'construction.model={folder}', 'construction.tokens=1,2,3,4,5',
                f'construction.layer={layer}', f'construction.head={head}']
        return run('data', 'p-rope', what, *[x for s in sets for x in ('--set', s)])

    def named(what, done, sentence):
        expect(f'{what}: exit {done.returncode}, {done.stderr.strip()!r}',
               done.returncode == 3 and done.stderr.count('\n') == 1 and sentence in done.stderr)

    def fine(what, done):
        expect(f'{what}: exit {done.returncode}, {done.stderr.strip()!r}',
               done.returncode == 0 and 'nan' not in done.stdout.lower())

    query = 'model.layers.1.self_attn.q_proj.weight'
    spoil(query, [(0, 5), (0, 6), (1, 0)], np.nan)
    sentence = f"tensor '{query}' holds 3 values that are NaN or infinite, the first at [0, 5]"
    described = run('model', folder, '--json')
    expect('a model with NaN opens', described.returncode == 0 and sentence in described.stderr)
    found = json.loads(described.stdout)['not_finite']
    expect('it is listed', [(f['count'], f['first']) for f in found] == [(3, '[0, 5]')] and query in found[0]['tensor'])
    named('its head', written('q', 1, 0), sentence)
    named('the loss', written('tokens', 0, 0), sentence)
    named('all heads', written('usage_by_layer', 0, 0), sentence)
    fine('the layer before', written('weights', 0, 0))
    fine('another head', written('weights', 1, 1))
    down = 'model.layers.0.mlp.down_proj.weight'
    spoil(down, [(2, 3)], np.inf)
    named('the layer after', written('q', 1, 0), f"tensor '{down}' holds a value that is NaN or infinite, at [2, 3]")
    fine('its own layer', written('weights', 0, 0))
    norm = 'model.norm.weight'
    spoil(norm, [(4,)], np.nan)
    named('the output', written('tokens', 1, 0), f"tensor '{norm}' holds a value that is NaN or infinite, at [4]")
    fine('the last layer', written('weights', 1, 0))
    embedding = 'model.embed_tokens.weight'
    spoil(embedding, [(9, 1)], np.nan)
    fine('a text without that token', written('weights', 1, 0))
    spoil(embedding, [(3, 1)], np.nan)
    named('a text with that token', written('q', 0, 0), f"tensor '{embedding}' holds a value")


def check_list_items(folder):
    """An unknown field in an item of a list is named, with its item and what may have been meant."""
    unknown = '[{"kind": "rotation_off"}, {"kind": "rotation_off", "layerz": [0]}]'
    done = run('data', 'model-induction', 'tokens', '--set', 'construction.interventions=' + unknown)
    expect(f'the setting: {done.stderr!r}', done.returncode == 3 and
           "construction.interventions: /1/layerz: is unknown; did you mean 'layers'?" in done.stderr)
    path = os.path.join(folder, 'scene.json')
    with open(path, 'w') as file:
        file.write('{"schema": 1, "experiment": {"seq_len": 13, "head_dim": 64, "pairing": "half_split", "construction":'
                   '{"id": "model_head", "model": "bundled:induction", "interventions": ' + unknown + '}}}')
    done = run('check', path)
    expect(f'the scene: {done.stderr!r}', done.returncode == 0 and
           "/experiment/construction/interventions/1/layerz: is unknown, ignored and not saved; did you mean 'layers'?" in done.stderr + done.stdout)


def main():
    group = sys.argv[2]
    with tempfile.TemporaryDirectory() as scratch:
        if group == 'refusals':
            check_refusals(os.path.join(scratch, 'refused'))
            check_list_items(scratch)
            check_not_finite(os.path.join(scratch, 'not finite'))
        elif group == 'changes':
            check_changes(scratch)
            check_interventions(scratch)
            check_methods(scratch)
            check_atlas(scratch)
        else:
            for number, (name, checkpoint) in enumerate(all_checkpoints().items()):
                if number % 2 == int(group == 'odd'):
                    check_family(name, checkpoint, os.path.join(scratch, name), number)
    print(f'{group}: {len(faults)} faults')
    sys.exit(1 if faults else 0)


main()
