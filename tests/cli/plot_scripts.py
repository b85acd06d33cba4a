#!/usr/bin/python3
"""Runs the scripts that state data as formulas, and compares them with the data as numbers.

usage: plot_scripts.py PROGRAM      prints what differs and exits 1 if anything does
"""
import os
import runpy
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM = sys.argv[1]
OF_FREQUENCIES = ('inv_freq', 'wavelengths', 'rotations', 'cosines', 'rotation_heatmap', 'base_bound')
CURVES = (  # settings of a decay curve, and whether it has a formula
    ((), True),
    (('positions.stride=3', 'positions.start=7', 'scale=sqrt_d', 'softcap=4', 'temperature=2'), True),
    (('construction=bands', 'construction.amplitudes=' + ','.join(map(str, range(16))), 'construction.phases=0.5'), True),
    (('encoding=partial', 'encoding.fraction=0.5'), True),
    (('encoding=alibi',), True),
    (('encoding=yarn',), True),
    (('construction=gaussian',), False),
    (('encoding=xpos',), False),
    (('encoding=self_extend',), False),
)
faults = []


def data(folder, kind, what, settings, options=()):
    """The data of the scene p-rope with these settings, as 'npy' or by running the script ('py'); and the file."""
    path = os.path.join(folder, f'data.{kind}')
    subprocess.run([PROGRAM, 'data', 'p-rope', what, '-o', path, *(x for s in settings for x in ('--set', s)), *options],
                   check=True)
    if kind == 'npy':
        return np.load(path), ''
    with open(path) as script:
        return runpy.run_path(path)['data'], script.read()


def compare(folder, what, settings, options=(), has_formula=True):
    expected, _ = data(folder, 'npy', what, settings, options)
    found, script = data(folder, 'py', what, settings, options)
    title = ' '.join((what, *settings, *options))
    if ('w = ' in script) != has_formula:
        faults.append(f'{title}: a formula is {"missing" if has_formula else "stated"}')
    if found.shape != expected.shape or not np.allclose(found, expected, rtol=1e-11, atol=1e-9, equal_nan=True):
        faults.append(f'{title}: the numbers differ, shapes {found.shape} and {expected.shape}')


listed = subprocess.run([PROGRAM, 'list', 'encodings'], check=True, capture_output=True, text=True).stdout
encodings = [line.split()[0] for line in listed.splitlines()]
with tempfile.TemporaryDirectory() as folder:
    for encoding in encodings:
        for what in OF_FREQUENCIES:
            compare(folder, what, ('head_dim=32', 'seq_len=300', f'encoding={encoding}'))
    compare(folder, 'cosines', ('positions.stride=5',), ('--option', 'marked=5,1000'))
    compare(folder, 'rotations', ('head_dim=96',), ('--option', 'context=131072'))
    compare(folder, 'rotation_heatmap', ('positions.stride=5',), ('--columns', '100:200'))
    for settings, has_formula in CURVES:
        compare(folder, 'decay', ('head_dim=32', 'seq_len=1000', *settings), has_formula=has_formula)
    compare(folder, 'decay', (), ('--option', 'compared=', '--option', 'x=100:200'))
print(*faults, f'{len(encodings)} encodings, {len(faults)} faults', sep='\n')
sys.exit(bool(faults) or len(encodings) < 17)
