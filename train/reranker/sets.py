#!/usr/bin/env python3
"""Makes evaluation sets of training text, one of each repository, as "docent eval" reads them.

usage: sets.py RAW OUT QUESTIONS.jsonl ... [--only written|taken] [--bytes N]

OUT/written has the written questions over the text as it is; the id of a question begins with the number of its file.
Questions of kind "none" have no answer there, and so have those of kind "far", which are other repositories'. OUT/taken
has questions that were taken out of the text (takeout.py). OUT/held-out.txt names the repositories that are not trained
on: their written questions show what was learnt.
"""
import argparse
import collections
import hashlib
import json
import os
import random
from multiprocessing import Pool

from takeout import Question, Repository

HEADINGS, SENTENCES, DESCRIPTIONS, LINKS = 90, 45, 15, 50  # taken out of one repository
FAR = 20  # questions of others that it is asked
HELD_OUT = """
    MicrosoftDocs__azure-databases-docs PX4__PX4-user_guide apache__spark dart-lang__site-www nginx__documentation
    nodejs__node open-telemetry__semantic-conventions questdb__documentation sveltejs__svelte swiftlang__swift-book
    trinodb__trino vitejs__vite
""".split()  # not trained on; the first by their hash of those with enough written questions


def digest(s):
    return hashlib.sha1(s.encode()).hexdigest()


def read_written(names):
    """Returns {repository: [(id, question), ...]}."""
    out = collections.defaultdict(list)
    for number, name in enumerate(names):
        with open(name, encoding="utf8") as f:
            for n, q in enumerate(map(json.loads, f)):
                repo, _, file = q["file"].partition("/")
                lines = (0, 0) if q["kind"] == "none" else q["lines"]
                out[repo].append((f"{number}-{n}", Question(q["kind"], q["question"], file, *lines)))
    return out


def read_texts(folder, needed, most):
    """Returns {file: text}: what is needed, then others in the order of their hash while they fit."""
    names = [os.path.relpath(os.path.join(d, f), folder) for d, _, fs in os.walk(folder) for f in fs
             if f.endswith(".md")]
    out, size = {}, 0
    for f in sorted(names, key=lambda f: (f not in needed, digest(f))):
        if f not in needed and size + os.path.getsize(os.path.join(folder, f)) > most:
            continue
        with open(os.path.join(folder, f), encoding="utf8", errors="replace") as file:
            out[f] = file.read()
        size += len(out[f])
    return out


def write_set(folder, texts, questions):
    """Writes a set; questions are (id, Question), and those of a kind without an answer are not judged."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "files.jsonl"), "w", encoding="utf8") as f:
        f.writelines(json.dumps({"_id": name, "text": text}) + "\n" for name, text in texts.items())
    with open(os.path.join(folder, "queries.jsonl"), "w", encoding="utf8") as queries, \
            open(os.path.join(folder, "qrels.tsv"), "w", encoding="utf8") as judged:
        judged.write("query-id\tcorpus-id\tscore\tfile\tstart\tend\n")
        for n, q in questions:
            type_ = "section" if q.first else "page"
            queries.write(json.dumps({"_id": n, "text": q.text, "kind": q.kind, "type": type_}) + "\n")
            if q.kind not in ("none", "far"):
                judged.write(f"{n}\t{q.file}\t1\t{q.file}\t{q.first or 1}\t{q.last or 999999}\n")


def taken(job):
    raw, out, repo, most = job
    r = Repository(repo, read_texts(os.path.join(raw, repo), (), most))
    questions = [*r.take_headings(HEADINGS), *r.take_sentences(SENTENCES), *r.take_descriptions(DESCRIPTIONS),
                 *r.take_links(LINKS)]
    texts = {f: "\n".join(lines) for f, lines in r.lines.items()}
    write_set(os.path.join(out, "taken", repo), texts, [(f"t{n}", q) for n, q in enumerate(questions)])
    return len(questions)


def written(job):
    raw, out, repo, most, questions = job
    texts = read_texts(os.path.join(raw, repo), {q.file for _, q in questions}, most)
    write_set(os.path.join(out, "written", repo), texts, questions)
    return len(questions)


def far(questions):
    """Returns [(repository, (id, question)), ...]: questions that people ask other repositories. What is held out is
    asked nothing that is trained on, nor the reverse."""
    out, rng = [], random.Random(11)
    for repo in sorted(questions):
        asked = [q for r, qs in sorted(questions.items()) if r != repo and (r in HELD_OUT) == (repo in HELD_OUT)
                 for _, q in qs if q.kind == "person"]
        for n, q in enumerate(rng.sample(asked, min(FAR, len(asked)))):
            out.append((repo, (f"far-{n}", q._replace(kind="far", first=0, last=0))))
    return out


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("raw")
    ap.add_argument("out")
    ap.add_argument("questions", nargs="*")
    ap.add_argument("--only", choices=("written", "taken"))
    ap.add_argument("--bytes", type=int, default=2_000_000, help="of a repository, beside what written questions need")
    a = ap.parse_args()
    repos = sorted(os.listdir(a.raw))
    with Pool() as pool:
        if a.only != "written":
            jobs = [(a.raw, a.out, r, a.bytes) for r in repos]
            print(sum(pool.map(taken, jobs, chunksize=1)), "questions taken out")
        if a.only != "taken":
            questions = read_written(a.questions)
            for repo, q in far(questions):
                questions[repo].append(q)
            jobs = [(a.raw, a.out, r, a.bytes, questions[r]) for r in repos if r in questions]
            print(sum(pool.map(written, jobs, chunksize=1)), "written questions")
            with open(os.path.join(a.out, "held-out.txt"), "w", encoding="utf8") as f:
                f.writelines(r + "\n" for r in HELD_OUT)


if __name__ == "__main__":
    main()
