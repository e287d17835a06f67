#!/usr/bin/env python3
"""Exports docent's best candidates for the questions of evaluation sets, so that a GPU machine can rerank them.

usage: candidates.py DOCENT OUT.json.xz SET[:KIND,KIND] ... [--questions 200] [--results 50] [--body 4000]

A SET is a folder with queries.jsonl.gz, qrels.tsv and either files.jsonl.gz (whole Markdown files) or corpus.jsonl.gz
(passages). OUT holds every section once and refers to it by number:

    {"sections": [[heading path, text], ...],
     "questions": [{"set", "kind", "q", "page", "gold": [gain, ...],
                    "c": [[section, score, file, [index into gold, ...]], ...]}, ...]}
"""
import argparse
import collections
import gzip
import hashlib
import json
import lzma
import os
import random
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor


def lines(path):
    with gzip.open(path, "rt", encoding="utf8") as f:
        return [json.loads(line) for line in f]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf8") as f:
        f.write(text)


def passage_file(passage):
    return hashlib.sha1(passage.encode()).hexdigest()[:16] + ".md"


def unpack(folder, root):
    """Writes a set's documents below root and returns {file: passage id} if the set has passages."""
    files = os.path.join(folder, "files.jsonl.gz")
    if os.path.exists(files):
        for d in lines(files):
            write(os.path.join(root, d["_id"]), d["text"])
        return {}
    passages = {}
    for d in lines(os.path.join(folder, "corpus.jsonl.gz")):
        headings = d.get("headings") or ""
        if isinstance(headings, list):
            headings = " > ".join(headings)
        title = (d.get("title") or headings or "Passage").replace("\n", " ")
        name = passage_file(d["_id"])
        passages[name] = d["_id"]
        write(os.path.join(root, name), f"# {title}\n\n{d['text']}\n")
    return passages


def judgements(folder):
    """Returns {question id: [(corpus id, gain, (file, first line, last line) or None), ...]}."""
    out = collections.defaultdict(list)
    with open(os.path.join(folder, "qrels.tsv"), encoding="utf8") as f:
        for line in f:
            x = line.rstrip("\n").split("\t")
            if x[0] in ("", "query-id", "qid"):
                continue
            span = (x[3], int(x[4]), int(x[5])) if len(x) > 5 and x[4] else None
            out[x[0]].append((x[1], float(x[2]) if len(x) > 2 else 1.0, span))
    return out


def relevant(hit, gold, page, passages):
    """Says whether a hit answers the judgement gold, by the rules of the evaluation sets' README."""
    corpus_id, _, span = gold
    if passages:
        return passages.get(hit["file"]) == corpus_id
    if page or not span:
        return hit["file"] == corpus_id.split("#")[0]
    return hit["file"] == span[0] and hit["lines"][0] <= span[2] and hit["lines"][1] >= span[1]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("docent")
    ap.add_argument("out")
    ap.add_argument("sets", nargs="+")
    ap.add_argument("--questions", type=int, default=200, help="at most so many of each set and kind")
    ap.add_argument("--results", type=int, default=50)
    ap.add_argument("--body", type=int, default=4000, help="characters of a section's text")
    a = ap.parse_args()
    number, sections, questions = {}, [], []

    def search(root, text):
        cmd = [a.docent, "search", "--json", "--no-refresh", "-n", str(a.results), "--root", root, "--", text]
        r = subprocess.run(cmd, capture_output=True, text=True, env=dict(os.environ, NO_COLOR="1"))
        if r.returncode > 1:
            raise SystemExit(f"candidates: {' '.join(cmd)}: {r.stderr.strip()}")
        found = json.loads(r.stdout) if r.stdout.strip() else []
        return found.get("results") or [] if isinstance(found, dict) else found

    for spec in a.sets:
        folder, _, kinds = spec.partition(":")
        name = os.path.basename(folder.rstrip("/"))
        with tempfile.TemporaryDirectory() as root:
            passages = unpack(folder, root)
            subprocess.run([a.docent, "index", root], check=True, capture_output=True)
            gold = judgements(folder)
            asked = [q for q in lines(os.path.join(folder, "queries.jsonl.gz"))
                     if q["_id"] in gold and (not kinds or (q.get("kind") or "all") in kinds.split(","))]
            random.Random(5).shuffle(asked)
            count, chosen = collections.Counter(), []
            for q in asked:
                kind = q.get("kind") or "all"
                if count[kind] < a.questions:
                    count[kind] += 1
                    chosen.append((kind, q))
            with ThreadPoolExecutor(2) as pool:
                found = list(pool.map(lambda kq: search(root, kq[1]["text"]), chosen))
        for (kind, q), hits in zip(chosen, found):
            page = q.get("type") == "page" or bool(passages)
            row = []
            for h in hits:
                key = (" > ".join(h.get("headings") or [h.get("title") or ""]), h["body"][:a.body])
                if key not in number:
                    number[key] = len(sections)
                    sections.append(key)
                gains = [i for i, g in enumerate(gold[q["_id"]]) if relevant(h, g, page, passages)]
                row.append([number[key], round(h["score"], 5), h["file"] if page else "", gains])
            questions.append({"set": name, "kind": kind, "q": q["text"], "page": page,
                              "gold": [g for _, g, _ in gold[q["_id"]]], "c": row})
        print(name, dict(count), flush=True)
    with lzma.open(a.out, "wt", encoding="utf8", preset=9) as f:
        json.dump({"sections": sections, "questions": questions}, f, ensure_ascii=False)


if __name__ == "__main__":
    main()
