"""Students as files: model files (fileformat.py) read back into an encoder, and float weights between two trainings."""
import math
import os

import numpy as np
import torch

import fileformat
from model import Encoder


def load(path):
    """Returns the student of a .bin or .pt file; of several, parted by commas, the mean of their weights."""
    nets = [from_bin(p) if p.endswith(".bin") else from_floats(p) for p in path.split(",")]
    if len(nets) > 1:
        states = [n.state_dict() for n in nets]
        nets[0].load_state_dict({k: sum(s[k] for s in states) / len(states) for k in states[0]})
    return nets[0]


def save_floats(net, path):
    state = {k: v.half().cpu() for k, v in net.state_dict().items() if not k.startswith("guess")}
    torch.save({"shape": net.shape, "state": state}, path)


def from_floats(path):
    saved = torch.load(path)
    net = Encoder(**saved["shape"])
    net.load_state_dict({k: v.float() for k, v in saved["state"].items()}, strict=False)
    return net


def save_bin(net, path):
    vocabulary = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vocab.txt")
    fileformat.write(net, vocabulary, path)


def from_bin(path):
    """Returns the student of a model file. The file leaves two steps of a layer free: those are chosen so that the
    weights on both sides are of one size."""
    f = fileformat.File(path)
    net = Encoder(f.vocabulary, f.d, f.layers, True)
    with torch.no_grad():
        net.token.weight.copy_(floats(f.token.astype(np.float64) * f.token_scale[:, None] / fileformat.FINE))
        net.place.weight.copy_(floats(f.place / fileformat.FINE))
        net.kind.weight.copy_(floats(f.kind / fileformat.FINE))
        for layer, l in zip(net.layers, f.layer):
            read_layer(layer, l, f)
        final = 1 / float(f.final)
        head = free_step(f.h1, final, f.h2, 1)
        put(net.h1, f.h1, final, head)
        put(net.h2, f.h2, head, 1)
        net.sf.log.fill_(math.log(final))
        net.sh.log.fill_(math.log(head))
    return net


def read_layer(layer, l, f):
    in1, in2 = 1 / float(l["in1"]), 1 / float(l["in2"])
    qk = math.sqrt(float(l["power"]) * math.sqrt(f.d // f.heads) / math.log2(math.e) / fileformat.STEPS)
    v = free_step(l["v"], in1, l["o"], fileformat.UNIT)
    mid = free_step(l["up"], in2, l["down"], fileformat.UNIT)
    put(layer.q, l["q"], in1, qk)
    put(layer.k, l["k"], in1, qk)
    put(layer.v, l["v"], in1, v)
    put(layer.o, l["o"], v, 1, fileformat.UNIT)
    put(layer.up, l["up"], in2, mid)
    put(layer.down, l["down"], mid, 1, fileformat.UNIT)
    for name, step in {"in1": in1, "in2": in2, "q": qk, "k": qk, "v": v, "mid": mid}.items():
        layer.s[name].log.fill_(math.log(step))


def floats(x):
    return torch.from_numpy(np.array(x, dtype=np.float64)).float()


def put(linear, stored, step_in, step_out, unit=1.0):
    """Sets weights and offsets from what a file has of them: multipliers, offsets in sums, integers."""
    multipliers, offsets, weights = stored
    row = multipliers.astype(np.float64) / step_in * step_out / unit
    linear.weight.copy_(floats(weights * row[:, None]))
    linear.bias.copy_(floats(offsets * step_in * row))


def free_step(first, step_in, second, unit):
    return math.sqrt((second[0].mean() / unit) / (first[0].mean() / step_in))
