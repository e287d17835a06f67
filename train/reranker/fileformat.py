"""Writes and reads the model file. FORMAT.md describes it."""
import math
import struct

import numpy as np

import data
import text

MAGIC = b"docent reranker 1\n"
UNIT = 1 << 14  # of the residual stream: one is 16384
FINE = 1 << 20  # of the sum of embeddings, whose values are small
STEPS, EXP = 256, 4096  # the table of powers has 2^(-n/256), n below 4096
HEADER = ("vocabulary", "d", "layers", "heads", "wide", "length", "question", "path", "body", "blocks", "common", "longest", "exp")
LAYER = ("q", "k", "v", "o", "up", "down")


def numbers(x, kind):
    return np.ascontiguousarray(x).astype(kind).tobytes()


def write(net, vocabulary, path):
    """Writes a trained student. Every number it stores is what the reader uses: nothing is computed again there."""
    d, heads = net.shape["d"], net.shape["d"] // 64
    pieces = text.Pieces.load(vocabulary).vocabulary
    wide = net.layers[0].up.out_features
    values = (len(pieces), d, len(net.layers), heads, wide, data.LENGTH, data.QUESTION, data.PATH, data.BODY, data.BLOCKS,
              text.COMMON, text.LONGEST_WORD, EXP)
    out = [MAGIC, struct.pack(f"<{len(values)}I", *values)]
    words = "\n".join(pieces).encode()
    out += [struct.pack("<I", len(words)), words]
    fold = sorted(text.fold_table().items())
    out.append(struct.pack("<I", len(fold)))
    for c, by in fold:
        by = by.encode()
        out.append(struct.pack("<IB", ord(c), len(by)) + by)
    out.append(numbers(np.rint(32767 * 2.0 ** (-np.arange(EXP) / STEPS)), "<u2"))
    array = lambda p: p.detach().double().numpy()
    e = array(net.token.weight)
    step = np.maximum(np.abs(e).max(1), 1e-8) / 127
    out += [numbers(step * FINE, "<f4"), numbers(np.rint(e / step[:, None]), "i1")]
    out += [numbers(np.rint(array(p.weight) * FINE), "<i4") for p in (net.place, net.kind)]

    def linear(m, s_in, scale):
        """Multipliers to the next integers, offsets in the sums' own unit, weights."""
        w = array(m.weight)
        s = np.maximum(np.abs(w).max(1), 1e-8) / 63
        return [numbers(s_in * s * scale, "<f4"), numbers(np.rint(array(m.bias) / (s_in * s)), "<i4"), numbers(np.rint(w / s[:, None]), "i1")]

    for layer in net.layers:
        s = {k: float(v.step()) for k, v in layer.s.items()}
        power = s["q"] * s["k"] / math.sqrt(d // heads) * math.log2(math.e) * STEPS
        out.append(struct.pack("<3f", 1 / s["in1"], 1 / s["in2"], power))
        for n in "qkv":
            out += linear(getattr(layer, n), s["in1"], 1 / s[n])
        out += linear(layer.o, s["v"], UNIT)
        out += linear(layer.up, s["in2"], 1 / s["mid"])
        out += linear(layer.down, s["mid"], UNIT)
    sf, sh = float(net.sf.step()), float(net.sh.step())
    out.append(struct.pack("<f", 1 / sf))
    out += linear(net.h1, sf, 1 / sh) + linear(net.h2, sh, 1)
    with open(path, "wb") as f:
        f.write(b"".join(out))


class File:
    """The numbers of a model file, under the names of FORMAT.md."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.b = f.read()
        if not self.b.startswith(MAGIC):
            raise ValueError(f"{path}: not a reranker file of this version")
        self.at = len(MAGIC)
        for name, v in zip(HEADER, self.take("<u4", len(HEADER))):
            setattr(self, name, int(v))
        self.pieces = text.Pieces(self.bytes(self.int()).decode().split("\n"))
        self.fold = {}
        for _ in range(self.int()):
            c, n = self.int(), self.bytes(1)[0]
            self.fold[c] = self.bytes(n).decode()
        self.exp_table = self.take("<u2", self.exp).astype(np.int64)
        self.token_scale = self.take("<f4", self.vocabulary)
        d, w = self.d, self.wide
        self.token = self.take("i1", self.vocabulary, d)
        self.place, self.kind = self.take("<i4", self.length, d), self.take("<i4", 6, d)
        self.layer = []
        for _ in range(self.layers):
            layer = dict(zip(("in1", "in2", "power"), self.take("<f4", 3)))
            for name in LAYER:
                layer[name] = self.linear(w if name == "up" else d, w if name == "down" else d)
            self.layer.append(layer)
        self.final = self.take("<f4", 1)[0]
        self.h1, self.h2 = self.linear(d, d), self.linear(1, d)
        if self.at != len(self.b):
            raise ValueError(f"{path}: {len(self.b) - self.at} bytes too many")

    def bytes(self, n):
        self.at += n
        return self.b[self.at - n:self.at]

    def take(self, kind, *shape):
        n = int(np.prod(shape)) * np.dtype(kind).itemsize
        return np.frombuffer(self.bytes(n), kind).reshape(shape)

    def int(self):
        return int(self.take("<u4", 1)[0])

    def linear(self, rows, columns):
        return self.take("<f4", rows), self.take("<i4", rows).astype(np.int64), self.take("i1", rows, columns).astype(np.int64)
