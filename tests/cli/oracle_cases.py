"""What every group of the oracle uses: scenes to write, data to ask the program for, errors to report."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import mpmath as mp
import numpy as np

mp.mp.dps = 50
PROGRAM = sys.argv[1]
FOLDER = Path(tempfile.mkdtemp(prefix="ropewalk-oracle-"))

failures = []

derived = {"encodings": set(), "constructions": set(), "data": set()}  # what the groups together derive
used = {kind: set() for kind in derived}


def derives(**names):
    """Says what a group derives; a name that the group never uses is refused when it has run."""
    def decorate(function):
        function.derives = {kind: set(text.split()) for kind, text in names.items()}
        for kind, ids in function.derives.items():
            derived[kind] |= ids
        return function
    return decorate


def scene(**experiment):
    for kind, default in (("encoding", "rope"), ("construction", "ones")):
        used[kind + "s"].add(experiment.get(kind, {"id": default})["id"])
    path = FOLDER / "scene.json"
    path.write_text(json.dumps({"schema": 1, "experiment": experiment}))
    return path


def data(path, what, *options):
    used["data"].add(what)
    out = FOLDER / "out.npy"
    subprocess.run([PROGRAM, "data", str(path), what, "-o", str(out), *map(str, options)], check=True)
    return np.load(out)


def report(name, error, bound):
    good = error <= bound
    if not good:
        failures.append(name)
    print(f"{'ok  ' if good else 'FAIL'} {name}: {mp.nstr(error, 3)} (bound {mp.nstr(bound, 3)})", flush=True)
