"""The encoder: a transformer with the norm before each part, whose first position gives the score.

Two shapes of it. The teacher is plain. The student is made so that its inference is integer arithmetic (FORMAT.md):
norms without gain and offset, ReLU, and from quantise() on every weight and activation rounded as the file will have it.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from data import LENGTH

WEIGHT, ACTIVATION = 63, 127  # largest integers: 63 lets AVX2 add two products of bytes in 16 bits without overflow


def round_through(x):
    """Rounds, with the gradient of not rounding."""
    return x + (torch.round(x) - x).detach()


class Scale(nn.Module):
    """Turns activations into integers by a learnt step."""

    def __init__(self, low=-ACTIVATION):
        super().__init__()
        self.low = low
        self.log = nn.Parameter(torch.zeros(()))

    def step(self):
        return self.log.exp()

    def forward(self, x):
        # The gradient of one step is shared by many values: scaled down, as learnt step sizes need.
        g = 1.0 / math.sqrt(x.shape[-1] * 1024)
        s = self.step()
        s = s * g + (s - s * g).detach()
        return round_through((x.float() / s).clamp(self.low, ACTIVATION)), s


class Linear(nn.Linear):
    def whole(self):
        """Returns integer weights and the step of each output."""
        s = (self.weight.detach().abs().amax(1) / WEIGHT).clamp(min=1e-8)
        return round_through((self.weight / s[:, None]).clamp(-WEIGHT, WEIGHT)), s

    def quantised(self, x, step):
        w, s = self.whole()
        return F.linear(x, w).float() * (s * step) + self.bias


def attend(q, k, v, mask):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    a = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    a = a if mask is None else a.masked_fill(~mask, -1e9)
    return a.softmax(-1) @ v


def same(x):
    return x


class Layer(nn.Module):
    def __init__(self, d, heads, student):
        super().__init__()
        self.heads, self.student = heads, student
        self.n1, self.n2 = (nn.LayerNorm(d, elementwise_affine=not student) for _ in range(2))
        self.q, self.k, self.v, self.o = (Linear(d, d) for _ in range(4))
        self.up, self.down = Linear(d, 4 * d), Linear(4 * d, d)
        if student:
            self.s = nn.ModuleDict({n: Scale() for n in ("in1", "q", "k", "v", "in2")})
            self.s["mid"] = Scale(0)

    def split(self, x):
        B, L, D = x.shape
        return x.view(B, L, self.heads, D // self.heads).transpose(1, 2)

    def join(self, x):
        B, H, L, D = x.shape
        return x.transpose(1, 2).reshape(B, L, H * D)

    def forward(self, x, mask, quant=False, first=False, watch=None, drop=same):
        n = self.n1(x)
        y = x[:, :1] if first else x
        if quant:
            n, s = self.s["in1"](n)
            q, sq = self.s["q"](self.q.quantised(n[:, :1] if first else n, s))
            k, sk = self.s["k"](self.k.quantised(n, s))
            v, sv = self.s["v"](self.v.quantised(n, s))
            c = self.join(attend(self.split(q * sq), self.split(k * sk), self.split(v), mask))
            y = y + self.o.quantised(round_through(c.float()), sv)
            n, s = self.s["in2"](self.n2(y))
            h, s = self.s["mid"](self.up.quantised(n, s))
            return y + self.down.quantised(h, s)
        q, k, v = self.q(n[:, :1] if first else n), self.k(n), self.v(n)
        y = y + drop(self.o(self.join(attend(self.split(q), self.split(k), self.split(v), mask))))
        m = self.n2(y)
        h = self.up(m)
        if watch is not None:
            watch += [(self.s["in1"], n), (self.s["q"], q), (self.s["k"], k), (self.s["v"], v), (self.s["in2"], m), (self.s["mid"], h)]
        h = F.relu(h) if self.student else F.gelu(h)
        return y + drop(self.down(h))


class Encoder(nn.Module):
    def __init__(self, vocabulary, d, layers, student):
        super().__init__()
        self.drop = 0.0  # share of activations that are left out in training
        self.shape = dict(vocabulary=vocabulary, d=d, layers=layers, student=student)
        self.token, self.place, self.kind = nn.Embedding(vocabulary, d), nn.Embedding(LENGTH, d), nn.Embedding(6, d)
        self.n0, self.nf = (nn.LayerNorm(d, elementwise_affine=not student) for _ in range(2))
        self.layers = nn.ModuleList([Layer(d, d // 64, student) for _ in range(layers)])
        self.h1, self.h2 = Linear(d, d), Linear(d, 1)
        self.guess = nn.Linear(d, d)  # for pre-training only
        self.guess_bias = nn.Parameter(torch.zeros(vocabulary))
        if student:
            self.sf, self.sh = Scale(), Scale(0)
        for m in self.modules():
            if isinstance(m, (nn.Linear, nn.Embedding)):
                nn.init.normal_(m.weight, std=0.02)
            if isinstance(m, nn.Linear):
                nn.init.zeros_(m.bias)
        for m in self.layers:
            for w in (m.o.weight, m.down.weight):
                nn.init.normal_(w, std=0.02 / math.sqrt(2 * layers))

    def embed(self, ids, types, quant):
        e = self.token(ids)
        if quant:
            # Rounding the rows that a batch uses is rounding the table.
            s = e.detach().float().abs().amax(-1, keepdim=True).clamp(min=1e-8) / ACTIVATION
            e = round_through(e.float() / s) * s
        return self.n0(e + self.place.weight[:ids.shape[1]] + self.kind(types))

    def masked(self, ids, chosen):
        """Returns logits of the pieces at the flat positions chosen."""
        x = self.embed(ids, torch.full_like(ids, 2), False)
        for layer in self.layers:
            x = layer(x, None)
        x = F.gelu(self.guess(self.nf(x).reshape(-1, x.shape[-1])[chosen]))
        x = F.layer_norm(x, x.shape[-1:])
        return x @ self.token.weight.T.to(x.dtype) + self.guess_bias.to(x.dtype)

    def forward(self, ids, types, quant=False, watch=None):
        mask = (ids > 0)[:, None, None, :]
        drop = (lambda x: F.dropout(x, self.drop)) if self.training and self.drop else same
        x = drop(self.embed(ids, types, quant))
        for n, layer in enumerate(self.layers):
            x = layer(x, mask, quant, n == len(self.layers) - 1, watch, drop)  # the last is needed at the first position alone
        x = self.nf(x[:, 0])
        if quant:
            x, s = self.sf(x)
            h, s = self.sh(self.h1.quantised(x, s))
            return self.h2.quantised(h, s).squeeze(-1)
        h = self.h1(x)
        if watch is not None:
            watch += [(self.sf, x), (self.sh, h)]
        h = F.relu(h) if self.student() else torch.tanh(h)
        return self.h2(h).float().squeeze(-1)

    def student(self):
        return self.shape["student"]

    @torch.no_grad()
    def calibrate(self, ids, types):
        """Sets every step from what one batch shows: the largest of all but a few values in ten thousand."""
        watch = []
        self.forward(ids, types, watch=watch)
        for scale, x in watch:
            x = x.float().flatten()
            x = (x if scale.low else x.clamp(min=0)).abs()
            x = x[torch.randperm(len(x), device=x.device)[:1_000_000]]
            top = x.kthvalue(max(1, int(len(x) * 0.9995))).values
            scale.log.copy_((top.clamp(min=1e-3) / ACTIVATION).log())
