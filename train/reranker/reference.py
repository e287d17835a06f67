#!/usr/bin/env python3
"""The reference scorer: loads a model file and scores pairs, with the arithmetic of FORMAT.md and nothing else.

usage: reference.py reranker.bin [CASES.jsonl [--write]]

With a file of cases it scores each and compares (or with --write stores what it computed); without, it reads lines
of "question TAB path TAB text" from standard input.
"""
import json
import math
import sys

import numpy as np

import fileformat
import text


def to_int(x, multiplier, low, high):
    """Rounds integers times 32-bit floats, half to even, in 32-bit arithmetic, and cuts to low..high."""
    y = np.rint(x.astype(np.float32) * np.float32(multiplier))
    return np.clip(y.astype(np.int64), low, high)


def norm(x, scale, unit=fileformat.UNIT):
    """Centres rows of integers and scales them by scale over their standard deviation; returns floats to round."""
    n = x.shape[-1]
    mean = np.rint(x.sum(-1, keepdims=True).astype(np.float64) / n).astype(np.int64)
    c = x - mean
    var = (c * c).sum(-1, keepdims=True).astype(np.float64) / n
    r = (np.float64(scale) / np.sqrt(var + 1e-5 * unit**2)).astype(np.float32)
    return c, r


class Reranker:
    def __init__(self, path):
        self.f = fileformat.File(path)

    def ids(self, question, path, body):
        """Returns the pieces of a pair and their types."""
        f, p = self.f, self.f.pieces
        q, h = p.ids(question)[:f.question], p.ids(path)[-f.path:]
        t, starts = p.blocks(text.body(body))
        t = t[:f.body]
        room = f.length - 3 - len(q) - len(h)
        begin = 0
        if len(t) > room:
            best = -1
            for s in [s for s in starts if s < len(t)][:f.blocks]:
                inside = set(t[s:s + room])
                n = sum(1 for x in q if x >= f.common and x in inside)
                if n > best:
                    begin, best = s, n
        t = t[begin:begin + room]
        right = h + [text.SEP] + t
        ids = [text.CLS] + q + [text.SEP] + right
        types = [0] * (len(q) + 2) + [1] * (len(h) + 1) + [2] * len(t)
        left_set, right_set = {x for x in q if x >= f.common}, set(right)
        for n, x in enumerate(ids):
            if 0 < n <= len(q) and x >= f.common and x in right_set or n >= len(q) + 2 and x in left_set:
                types[n] += 3
        return ids, types

    def linear(self, x, m, low=None, high=None):
        scale, bias, w = m
        # Sums of bytes times bytes: exact in 64-bit floats, which numpy multiplies faster than integers.
        acc = (x.astype(np.float64) @ w.T.astype(np.float64)).astype(np.int64) + bias
        return to_int(acc, scale, -2**31 if low is None else low, 2**31 - 1 if high is None else high)

    def score(self, question, path, body):
        return self.forward(*self.ids(question, path, body))

    def forward(self, ids, types):
        f = self.f
        e = np.rint(f.token[ids].astype(np.float32) * f.token_scale[ids][:, None]).astype(np.int64)
        e = e + f.place[:len(ids)] + f.kind[types]
        c, r = norm(e, fileformat.UNIT, fileformat.FINE)
        x = to_int(c, r, -2**31, 2**31 - 1)
        for n, layer in enumerate(f.layer):
            last = n == len(f.layer) - 1  # whose result is needed for the first position alone
            a = to_int(*norm(x, layer["in1"]), -127, 127)
            q = self.linear(a[:1] if last else a, layer["q"], -127, 127)
            k, v = self.linear(a, layer["k"], -127, 127), self.linear(a, layer["v"], -127, 127)
            x = x[:1] if last else x
            x = x + self.linear(self.attend(q, k, v, layer["power"]), layer["o"])
            a = to_int(*norm(x, layer["in2"]), -127, 127)
            x = x + self.linear(self.linear(a, layer["up"], 0, 127), layer["down"])
        a = to_int(*norm(x[:1], f.final), -127, 127)
        scale, bias, w = f.h2
        acc = self.linear(a, f.h1, 0, 127) @ w.T + bias
        return float(acc.astype(np.float32)[0, 0] * scale[0])

    def attend(self, q, k, v, power):
        f, out = self.f, np.zeros(q.shape, np.int64)
        size = f.d // f.heads
        for h in range(0, f.d, size):
            s = q[:, h:h + size] @ k[:, h:h + size].T
            n = to_int(s.max(1, keepdims=True) - s, power, 0, 2**31 - 1)
            e = np.where(n < f.exp, f.exp_table[np.minimum(n, f.exp - 1)], 0)
            total = e.sum(1, keepdims=True)
            out[:, h:h + size] = to_int(e @ v[:, h:h + size], (1.0 / total).astype(np.float32), -127, 127)
        return out


def main():
    r = Reranker(sys.argv[1])
    if len(sys.argv) < 3:
        for line in sys.stdin:
            print("%.6f" % r.score(*line.rstrip("\n").split("\t")))
        return
    with open(sys.argv[2], encoding="utf8") as f:
        cases = [json.loads(line) for line in f]
    wrong = 0
    for c in cases:
        s = r.score(c["question"], c["path"], c["text"])
        wrong += not math.isclose(s, c.get("score", math.inf), abs_tol=1e-6)
        c["score"] = s
    if "--write" in sys.argv:
        with open(sys.argv[2], "w", encoding="utf8") as f:
            f.writelines(json.dumps(c, ensure_ascii=False) + "\n" for c in cases)
    else:
        print(len(cases) - wrong, "passed,", wrong, "failed")
        sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
