#!/usr/bin/env python3
"""Learns the word pieces: byte-pair merges over the words of a sample, ordered by how often a piece is used.

usage: vocab.py FOLDER OUT.txt [--size 16384] [--sample BYTES]

The sample takes as much of each repository, so that the largest ones do not choose the pieces.
"""
import argparse
import collections
import hashlib
import heapq
import os

import text


def count_words(folder, sample):
    count = collections.Counter()
    for repo in sorted(os.listdir(folder)):
        files = [os.path.join(d, f) for d, _, fs in os.walk(os.path.join(folder, repo)) for f in fs if f.endswith(".md")]
        files.sort(key=lambda f: hashlib.sha1(os.path.relpath(f, folder).encode()).hexdigest())
        left = sample
        for name in files:
            if left <= 0:
                break
            with open(name, encoding="utf8", errors="replace") as f:
                t = f.read(20_000)
            left -= len(t)
            count.update(text.words(text.strip_markup(t)))
    return count


def learn(count, size):
    """Returns at most size pieces. Pieces merge inside words only; "##" marks one that continues a word."""
    characters = collections.Counter()
    for w, n in count.items():
        for c in w:
            characters[c] += n
    alphabet = {c for c, n in characters.most_common(300) if n >= 20} | set("abcdefghijklmnopqrstuvwxyz0123456789.?+#")
    pieces = sorted(alphabet | {"##" + c for c in alphabet if c not in ".?+#"})
    known = set(pieces)
    words, counts = [], []
    for w, n in sorted(count.items()):
        if n >= 3 and len(w) <= 24 and all(c in alphabet for c in w):
            words.append([w[0]] + ["##" + c for c in w[1:]])
            counts.append(n)
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for i, w in enumerate(words):
        for p in zip(w, w[1:]):
            pairs[p] += counts[i]
            where[p].add(i)
    heap = [(-n, p) for p, n in pairs.items()]
    heapq.heapify(heap)
    while heap and len(pieces) < size:
        n, pair = heapq.heappop(heap)
        if pairs[pair] != -n or n == 0:
            if pairs[pair] > 0 and pairs[pair] < -n:
                heapq.heappush(heap, (-pairs[pair], pair))
            continue
        new = pair[0] + pair[1][2:]
        if new not in known:
            known.add(new)
            pieces.append(new)
        touched = set()
        for i in where.pop(pair):
            w = words[i]
            for p in zip(w, w[1:]):
                pairs[p] -= counts[i]
            j = 0
            while j < len(w) - 1:
                if (w[j], w[j + 1]) == pair:
                    w[j:j + 2] = [new]
                j += 1
            for p in zip(w, w[1:]):
                pairs[p] += counts[i]
                where[p].add(i)
                touched.add(p)
        for p in touched:
            if new in p:
                heapq.heappush(heap, (-pairs[p], p))
    return pieces


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("folder")
    ap.add_argument("out")
    ap.add_argument("--size", type=int, default=16384)
    ap.add_argument("--sample", type=int, default=200_000, help="bytes of each repository")
    a = ap.parse_args()
    count = count_words(a.folder, a.sample)
    print(len(count), "words", flush=True)
    # Many merges are only steps towards longer pieces: learn more than needed and keep what is used.
    learned = learn(count, a.size * 3 // 2)
    used = collections.Counter()
    p = text.Pieces(text.SPECIAL + learned)
    for w, n in count.items():
        for i in p.split(w):
            used[i] += n
    single = {x for x in learned if len(x.removeprefix("##")) == 1}
    order = sorted(learned, key=lambda x: (x not in single, -used[p.id[x]], x))[:a.size - len(text.SPECIAL)]
    order.sort(key=lambda x: (-used[p.id[x]], x))
    with open(a.out, "w", encoding="utf8") as f:
        f.write("\n".join(text.SPECIAL + order) + "\n")
    print(len(order) + len(text.SPECIAL), "pieces;", sum(used.values()) / sum(count.values()), "pieces a word")


if __name__ == "__main__":
    main()
