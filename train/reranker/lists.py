#!/usr/bin/env python3
"""Turns docent's candidates into tables of pieces, for refine.py and evaluate.py.

usage: lists.py OUT.npz CANDIDATES [HELD-OUT.txt]

CANDIDATES is a folder that internal/eval/candidates wrote. Needs no NumPy. The tables have a row for each section:

    path_length, body_length   pieces of its path and of its text (at most text.BODY), which follow each other in pieces
    starts [BLOCKS]            where its blocks begin, -1 where there are no more
    file                       its file's number

and one for each list, a question and its candidates, best first:

    question [QUESTION]        its pieces, padded with 0
    section, score [POOL]      candidates, -1 where there are no more, and docent's score
    place, gain [POOL]         which judged place a candidate holds, -1 for none, and what that is worth
    ideal                      the DCG of the best order
    kind, set, source          numbers of its kind and its set, and of its file of questions: -1 if it was not written
    prose, page, held          it is a sentence; whole files are judged; its set is not trained on

names has the names of kinds and sets, as JSON.
"""
import json
import math
import os
import re
import sys
from array import array
from multiprocessing import Pool

import tables
import text
from text import BLOCKS, BODY, QUESTION

POOL, READ = 24, 20  # candidates of a list, and of those that docent's model reads
FEWEST = 6  # candidates of a list
WRITTEN = re.compile(r"(\d)-\d+")  # ids of written questions, see sets.py
HERE = os.path.dirname(os.path.abspath(__file__))
SECTIONS = {
    "pieces": ("H", 0), "path_length": ("B", 0), "body_length": ("H", 0), "starts": ("h", BLOCKS), "file": ("i", 0),
}
LISTS = {
    "question": ("H", QUESTION), "section": ("i", POOL), "score": ("f", POOL), "place": ("h", POOL),
    "gain": ("f", POOL), "ideal": ("f", 0), "kind": ("b", 0), "set": ("h", 0), "source": ("b", 0), "prose": ("B", 0), "page": ("B", 0),
    "held": ("B", 0),
}  # types of array.array and columns
COLUMNS = {**SECTIONS, **LISTS}


def empty():
    return {name: array(kind) for name, (kind, _) in COLUMNS.items()}


def padded(values, n, by):
    return [*values[:n], *[by] * (n - len(values))]


def add_section(t, pieces, files, d):
    path, body, starts = pieces.section(d["path"], text.body(d["text"]))
    body = body[:BODY]
    t["pieces"].extend(path + body)
    t["path_length"].append(len(path))
    t["body_length"].append(len(body))
    t["starts"].extend(padded(starts, BLOCKS, -1))
    t["file"].append(files.setdefault(d["file"], len(files)))


def add_list(t, pieces, kinds, d):
    ids, found = pieces.ids(d["question"]), d["candidates"] or []
    if len(ids) < 2 or len(found) < FEWEST:
        return
    places = [max(c[2], key=lambda p: d["gains"][p], default=-1) for c in found]
    t["question"].extend(padded(ids, QUESTION, 0))
    t["section"].extend(padded([c[0] for c in found], POOL, -1))
    t["score"].extend(padded([c[1] for c in found], POOL, 0))
    t["place"].extend(padded(places, POOL, -1))
    t["gain"].extend(padded([d["gains"][p] if p >= 0 else 0 for p in places], POOL, 0))
    best = sorted(d["gains"], reverse=True)[:10]
    t["ideal"].append(sum(g / math.log2(n + 2) for n, g in enumerate(best)))
    t["kind"].append(kinds.setdefault(d["kind"] or "all", len(kinds)))
    written = WRITTEN.fullmatch(d["id"])
    t["source"].append(int(written[1]) if written else -1)
    t["prose"].append(d["prose"])
    t["page"].append(d["page"])


def encode(path):
    """Encodes the candidates of one set."""
    pieces = text.Pieces.load(os.path.join(HERE, "vocab.txt"))
    t, files, kinds = empty(), {}, {}
    with open(path, encoding="utf8") as f:
        for d in map(json.loads, f):
            if "text" in d:
                add_section(t, pieces, files, d)
            else:
                add_list(t, pieces, kinds, d)
    return os.path.basename(path).removesuffix(".jsonl"), t, len(files), list(kinds)


def main(out, folder, held_out=None):
    held = open(held_out, encoding="utf8").read().split() if held_out else []
    names = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".jsonl"))
    whole, sets, kinds, files = empty(), [], {}, 0
    with Pool() as pool:
        for name, t, n, own in pool.imap(encode, names, chunksize=1):
            base, lists = len(whole["file"]), len(t["ideal"])
            t["section"] = array("i", [s + base if s >= 0 else -1 for s in t["section"]])
            t["file"] = array("i", [f + files for f in t["file"]])
            t["kind"] = array("b", [kinds.setdefault(own[k], len(kinds)) for k in t["kind"]])
            t["set"] = array("h", [len(sets)] * lists)
            t["held"] = array("B", [name in held] * lists)
            for column in COLUMNS:
                whole[column].extend(t[column])
            sets.append(name)
            files += n
    known = {column: (whole[column], width) for column, (_, width) in COLUMNS.items()}
    known["names"] = array("B", json.dumps({"kinds": list(kinds), "sets": sets}).encode()), 0
    tables.save(out, known)
    report(whole, list(kinds))


def report(t, kinds):
    """Prints how often the right section is among the candidates."""
    for k, name in enumerate(kinds):
        rows = [t["place"][n * POOL:(n + 1) * POOL] for n, x in enumerate(t["kind"]) if x == k]
        share = lambda most: sum(max(r[:most]) >= 0 for r in rows) / len(rows)
        print(f"{name:9s} {len(rows):6d} lists, right in 1, 20, 24:", *(f"{share(n):.3f}" for n in (1, READ, POOL)))
    print(len(t["file"]), "sections,", len(t["ideal"]), "lists,", len(t["pieces"]), "pieces")


if __name__ == "__main__":
    main(*sys.argv[1:])
