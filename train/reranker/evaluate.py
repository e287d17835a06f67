#!/usr/bin/env python3
"""nDCG@10 and MRR when docent's best 20 candidates are put in the order of its score and a model's.

usage: evaluate.py LISTS.npz MODEL.bin ...

LISTS.npz is of evaluation sets (lists.py). Scores are joined as internal/library/search/local.go does it, by the
model's share: docent's brought to 0..1, the model's to max(0, 1 - (best - score) / 8).
"""
import json
import math
import sys

import numpy as np
import torch

import data
import text

READ, SCALE = 20, 8.0
SHARES = (0, 0.2, 0.35, 0.5, 0.65, 0.8, 1)


class Lists:
    """The tables of lists.py, of one or several files, on a device: tensors by their names."""

    def __init__(self, paths, device):
        self.kinds, self.sets, parts = [], [], []
        sections = files = 0
        for path in paths:
            t = dict(np.load(path))
            names = json.loads(t.pop("names").tobytes())
            for column, known, own in (("kind", self.kinds, names["kinds"]), ("set", self.sets, names["sets"])):
                known += [n for n in own if n not in known]
                t[column] = np.array([known.index(n) for n in own], np.int64)[t[column]]
            t["section"] = np.where(t["section"] >= 0, t["section"] + sections, -1)
            t["file"] = t["file"] + files
            sections, files = sections + len(t["file"]), files + int(t["file"].max()) + 1
            t["heads"], t["bodies"] = unpack(t.pop("pieces"), t.pop("path_length"), t.pop("body_length"))
            t["question"] = t["question"].astype(np.int16)
            parts.append(t)
        self.t = {k: torch.from_numpy(np.concatenate([p[k] for p in parts])).to(device) for k in parts[0]}
        self.device = device
        self.own = self.scaled()

    def __getitem__(self, column):
        return self.t[column]

    def scaled(self):
        """Docent's scores, 1 for the best and 0 for the last that a model reads."""
        valid = self["section"][:, :READ] >= 0
        score = self["score"]
        low = torch.where(valid, score[:, :READ], torch.full_like(score[:, :READ], 1e9)).amin(1, keepdim=True)
        return (score - low) / (score[:, :1] - low).clamp(min=1e-6)

    def pack(self, question, sections):
        return data.pack(question, self["heads"][sections], self["bodies"][sections], self["starts"][sections])

    @torch.no_grad()
    def read(self, score, at, batch=2048):
        """Returns the scores of the best candidates of the lists at some places, -99 where there are fewer."""
        sections = self["section"][at][:, :READ].long()
        pair = torch.nonzero(sections >= 0)
        out = torch.full(sections.shape, -99.0, device=self.device)
        for p in pair.split(batch):
            full = torch.cat([p, p[:1].expand(batch - len(p), 2)])
            s = score(*self.pack(self["question"][at[full[:, 0]]], sections[full[:, 0], full[:, 1]]))
            out[p[:, 0], p[:, 1]] = s.float()[:len(p)]
        return out

    def measure(self, at, scores):
        """Returns the mean nDCG@10 and MRR of lists for each share."""
        column = lambda name: self[name][at].cpu().numpy()
        own, read = self.own[at][:, :READ].cpu().numpy(), scores.cpu().numpy()
        known = read > -90
        model = np.maximum(0, 1 - (read.max(1, keepdims=True) - read) / SCALE)
        section, place, gain, page, ideal = (column(x) for x in ("section", "place", "gain", "page", "ideal"))
        files = self["file"].cpu().numpy()
        means = []
        for share in SHARES:
            order = np.argsort(-np.where(known, (1 - share) * own + share * model, -1e9), axis=1, kind="stable")
            each = [measure_one(order[n], section[n], place[n], gain[n], files if page[n] else None, ideal[n])
                    for n in range(len(order))]
            means.append(np.mean(each, axis=0) if each else (0.0, 0.0))
        return means


def unpack(pieces, path_length, body_length):
    """Returns padded tables of paths and texts, whose pieces follow each other."""
    lengths = np.stack([path_length, body_length], 1).astype(np.int64).reshape(-1)
    ends = np.cumsum(lengths)
    out = []
    for which, width in ((0, text.PATH), (1, text.BODY)):
        table = np.zeros((len(path_length), width), np.int16)
        size, first = lengths[which::2], (ends - lengths)[which::2]
        inside = np.arange(width)[None] < size[:, None]
        table[inside] = pieces[(first[:, None] + np.arange(width)[None])[inside]]
        out.append(table)
    return out


def measure_one(order, section, place, gain, files, ideal):
    """Scores an order of candidates as package eval does: a judged place counts once, and so does a file where files
    are judged."""
    seen, dcg, first, rank = set(), 0.0, 0.0, 0
    for i in order:
        if section[i] < 0:
            continue
        if files is not None:
            if files[section[i]] in seen:
                continue
            seen.add(files[section[i]])
        rank += 1
        if rank > 10:
            break
        key = ("place", place[i])
        if place[i] < 0 or key in seen:
            continue
        seen.add(key)
        dcg += gain[i] / math.log2(rank + 1)
        first = first or 1 / rank
    return dcg / max(ideal, 1e-9), first


def print_table(lists, name, score):
    """Prints a line for each set and kind; score takes pieces and types."""
    with torch.autocast(lists.device, torch.bfloat16, enabled=lists.device == "cuda"):
        scores = lists.read(score, torch.arange(len(lists["kind"]), device=lists.device))
    print(f"{name}: nDCG@10 by the model's share", *SHARES)
    for s, k in sorted(set(zip(lists["set"].tolist(), lists["kind"].tolist()))):
        at = torch.nonzero((lists["set"] == s) & (lists["kind"] == k)).squeeze(1)
        means = lists.measure(at, scores[at])
        print(f"  {lists.sets[s]:16s} {lists.kinds[k]:12s} {len(at):4d}", *(f"{m[0]:.4f}" for m in means), flush=True)


def main(path, *models):
    import student
    lists = Lists([path], "cuda" if torch.cuda.is_available() else "cpu")
    for name in models:
        net = student.load(name).to(lists.device).eval()
        print_table(lists, name, lambda i, t: net(i, t, name.endswith(".bin")))


if __name__ == "__main__":
    main(*sys.argv[1:])
