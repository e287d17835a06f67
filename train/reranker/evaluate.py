"""nDCG@10 on the evaluation sets when docent's best candidates are put in the order of its score and the model's."""
import collections
import json
import lzma
import math
import os

import numpy as np
import torch

import data
import text

WEIGHTS = [0, 0.15, 0.3, 0.45, 0.6, 0.8, 1]


def ndcg(question, order):
    """Scores an order of candidates. Each judgement counts once; a page question counts each file once."""
    seen, files, gains = set(), set(), []
    for n in order:
        _, _, name, right = question["c"][n]
        if question["page"]:
            if name in files:
                continue
            files.add(name)
        new = [question["gold"][i] for i in right if i not in seen]
        seen.update(right)
        gains.append(max(new, default=0))
    dcg = lambda xs: sum(x / math.log2(i + 2) for i, x in enumerate(xs))
    return dcg(gains[:10]) / max(1e-9, dcg(sorted(question["gold"], reverse=True)[:10]))


def scaled(x):
    x = np.asarray(x, np.float64)
    return (x - x.min()) / (np.ptp(x) + 1e-9)


class Sets:
    def __init__(self, path, vocabulary):
        with lzma.open(path, "rt", encoding="utf8") as f:
            d = json.load(f)
        self.questions, self.sections = d["questions"], d["sections"]
        self.pieces = text.Pieces.load(vocabulary)
        self.cache = path + ".pt"  # encoding takes seconds, and every phase needs it

    def rows(self):
        """Returns the pieces of every question and section as tables, and the pairs to score."""
        if not os.path.exists(self.cache):
            torch.save(self.encode(), self.cache)
        return torch.load(self.cache)

    def encode(self):
        used = sorted({c[0] for q in self.questions for c in q["c"]})
        place = {n: i for i, n in enumerate(used)}
        rows = [data.encode_section(self.pieces, self.sections[n][0].replace(" > ", ". "), text.body(self.sections[n][1]))[:3] for n in used]
        tables = [torch.from_numpy(np.stack(x)) for x in zip(*rows)]
        asked = torch.from_numpy(np.stack([data.fixed(self.pieces.ids(q["q"]), data.QUESTION) for q in self.questions]))
        pairs = [(n, place[c[0]]) for n, q in enumerate(self.questions) for c in q["c"]]
        return asked, tables, torch.tensor(pairs)

    def score(self, f, device, batch=1024):
        """Returns the model's score of every candidate of every question; f takes ids and types."""
        asked, tables, pairs = self.rows()
        asked, tables = asked.to(device), [t.to(device) for t in tables]
        at = pairs.to(device)
        out = []
        for n in range(0, len(at), batch):
            part = at[n:n + batch]
            full = torch.cat([part, part[:1].expand(batch - len(part), 2)])  # one shape, compiled once
            h, b, s = (t[full[:, 1]] for t in tables)
            out.append(f(*data.pack(asked[full[:, 0]], h, b, s)).float()[:len(part)].cpu())
        flat = torch.cat(out).tolist()
        scores, n = [], 0
        for q in self.questions:
            scores.append(flat[n:n + len(q["c"])])
            n += len(q["c"])
        return scores

    def table(self, scores, name, depth):
        groups = collections.defaultdict(list)
        for n, q in enumerate(self.questions):
            groups[q["set"] + " " + q["kind"]].append(n)
        out = [f"{name}: nDCG@10 by the model's weight", f"{'set':24s} {'n':>4s}  " + "  ".join(f"{w:4.2f}" for w in WEIGHTS) + "  perfect"]
        for group, ns in sorted(groups.items()):
            sums = np.zeros(len(WEIGHTS) + 1)
            for n in ns:
                q = self.questions[n]
                if not q["c"]:
                    continue
                ours, model = scaled([c[1] for c in q["c"]]), scaled(scores[n])
                # Beyond depth nothing is reranked: those stay below, in docent's order.
                model = scaled(np.array(scores[n][:depth])) if len(ours) > depth else model
                for i, w in enumerate(WEIGHTS):
                    x = ours - 9
                    x[:depth] = (1 - w) * ours[:depth] + w * model[:depth]
                    sums[i] += ndcg(q, np.argsort(-x, kind="stable"))
                best = [max([q["gold"][i] for i in c[3]], default=0) for c in q["c"]]
                sums[-1] += ndcg(q, np.argsort(-np.array(best), kind="stable"))
            out.append(f"{group:24s} {len(ns):4d}  " + "  ".join(f"{x / len(ns):.3f}".removeprefix("0").rjust(4)[:4] for x in sums))
        return "\n".join(out)
