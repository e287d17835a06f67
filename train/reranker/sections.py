#!/usr/bin/env python3
"""Cuts Markdown documentation into sections and writes them as one file.

usage: sections.py FOLDER OUT.jsonl [--questions FILE] [--cap BYTES]

FOLDER has one folder per repository. OUT has one line per file:

    {"f": path, "d": description, "s": [[[heading, ...], text], ...], "q": [[kind, section, question], ...]}

Questions in it: link texts of other files ("link") and written questions ("person", "box"). Repositories over the cap
give a sample of their files, chosen by the hash of the path, so that no project dominates. Sections whose text stood
in an earlier file are left out.
"""
import argparse
import collections
import hashlib
import json
import os
import posixpath
import re
from multiprocessing import Pool

import text
from sets import HELD_OUT

FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
LINK = re.compile(r"(?<!!)\[([^\[\]\n]{4,90})\]\(([^()\s]+)\)")
SHORT = 60  # a section with less text than this answers nothing


def front_matter(raw):
    """Returns description, title and how many characters the front matter takes."""
    if not raw.startswith("---\n"):
        return "", "", 0
    end = raw.find("\n---", 4)
    if end < 0:
        return "", "", 0
    fm = raw[4:end]
    desc = re.search(r"^description:\s*[\"']?(.{20,300}?)[\"']?\s*$", fm, re.M)
    title = re.search(r"^title:\s*[\"']?(.{3,120}?)[\"']?\s*$", fm, re.M)
    return desc.group(1) if desc else "", title.group(1) if title else "", end + 4


def slug(heading):
    return re.sub(r"[^a-z0-9_-]", "", heading.lower().replace(" ", "-"))


def split(path):
    """Returns (description, [(headings, text, first line, last line, hash)], [(link text, target)]) of one file."""
    with open(path, encoding="utf8", errors="replace") as f:
        raw = f.read()
    desc, title, skip = front_matter(raw)
    base = [title] if title else []
    stack, out, links, buf = list(base), [], [], []
    first, fenced = 1 + raw.count("\n", 0, skip), False

    def flush(last):
        t = re.sub(r"\n\s*\n+", "\n\n", text.strip_markup("\n".join(buf))).strip()
        if len(t) >= SHORT:
            key = hashlib.sha1(re.sub(r"[^A-Za-z0-9]+", " ", t).encode()).digest()[:10]
            out.append((list(stack), t, first, last, key))
        buf.clear()

    number = first - 1
    for line in raw[skip:].split("\n"):
        number += 1
        if FENCE.match(line):
            fenced = not fenced
        m = None if fenced else HEADING.match(line)
        if not m:
            buf.append(line.rstrip())
            if not fenced:
                links += [x for x in LINK.findall(line) if "://" not in x[1]]
            continue
        flush(number - 1)
        first = number
        h = re.sub(r"\{[#:.%][^}]*\}", "", text.strip_markup(m.group(2))).replace("`", "").strip()
        stack = stack[:max(len(base), min(len(stack), len(base) + len(m.group(1)) - 1))]
        if h and (not stack or stack[-1] != h):
            stack = stack + [h]
    flush(number)
    return desc, out, links


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder")
    ap.add_argument("out")
    ap.add_argument("--questions")
    ap.add_argument("--cap", type=int, default=6_000_000, help="most bytes of one repository")
    a = ap.parse_args()
    written = collections.defaultdict(list)
    if a.questions:
        with open(a.questions, encoding="utf8") as f:
            for q in map(json.loads, f):
                # No section answers "none", and what is held out shows later what was learnt.
                if q["kind"] != "none" and q["file"].split("/")[0] not in HELD_OUT:
                    written[q["file"]].append(q)
    names = []
    for repo in sorted(os.listdir(a.folder)):
        files = [os.path.relpath(os.path.join(d, f), a.folder) for d, _, fs in os.walk(os.path.join(a.folder, repo))
                 for f in fs if f.endswith(".md")]
        # Files with written questions come first, whatever their hash.
        files.sort(key=lambda f: (f not in written, hashlib.sha1(f.encode()).hexdigest()))
        total = 0
        for f in files:
            total += os.path.getsize(os.path.join(a.folder, f))
            if total > a.cap:
                break
            names.append(f)
    names.sort()
    with Pool() as pool:
        docs = dict(zip(names, pool.map(split, [os.path.join(a.folder, f) for f in names], chunksize=64)))
    seen, place, kept = set(), {}, {}
    for f in names:
        desc, secs, links = docs[f]
        rows = []
        for headings, body, first, last, key in secs:
            if key in seen:
                continue
            seen.add(key)
            place.setdefault((f, slug(headings[-1]) if headings else ""), len(rows))
            place.setdefault((f, ""), len(rows))
            rows.append((headings, body, first, last))
        kept[f] = rows
    asked = collections.defaultdict(set)
    for f in names:
        for label, target in docs[f][2]:
            label = text.strip_markup(label).replace("`", "").replace("*", "").strip()
            page, _, anchor = target.partition("#")
            repo = f.split("/")[0]
            if not 2 <= len(label.split()) <= 12 or label.lower() in ("click here", "read more", "learn more", "see more"):
                continue
            if page.startswith("/"):
                bases = [repo + page, repo + "/docs" + page, repo + "/content" + page]
            else:
                bases = [posixpath.normpath(posixpath.join(posixpath.dirname(f), page))] if page else [f]
            for b in bases:
                b = re.sub(r"\.(mdx|markdown)$", ".md", b.rstrip("/"))
                hit = next((x for x in (b, b + ".md", b + "/index.md", b + "/README.md", b + "/_index.md") if x in kept), None)
                if hit is None:
                    continue
                n = place.get((hit, anchor.lower()))
                if n is not None:
                    asked[hit].add(("link", n, label))
                break
    for f, qs in written.items():
        for q in qs:
            overlap = [(min(q["lines"][1], s[3]) - max(q["lines"][0], s[2]), -n) for n, s in enumerate(kept.get(f, []))]
            if overlap and max(overlap)[0] >= 0:
                asked[f].add((q["kind"], -max(overlap)[1], q["question"]))
    kinds = collections.Counter(k for qs in asked.values() for k, _, _ in qs)
    with open(a.out, "w", encoding="utf8") as out:
        for f in names:
            if kept[f]:
                row = {"f": f, "d": docs[f][0], "s": [s[:2] for s in kept[f]], "q": sorted(asked[f])}
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(len(names), "files,", sum(map(len, kept.values())), "sections,", sum(len(s[1]) for r in kept.values() for s in r) // 10**6,
          "MB of text,", dict(kinds), "questions")


if __name__ == "__main__":
    main()
