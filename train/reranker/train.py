#!/usr/bin/env python3
"""Trains the reranker, one phase per call; every phase ends by the clock and leaves its result in the work folder.

usage: train.py PHASE WORK [--minutes M] [--out FOLDER] [...]

    prepare    WORK/corpus.jsonl -> WORK/tables.pt
    pretrain   masked words, --model teacher or student -> WORK/MODEL-mlm.pt
    teach      the teacher as a cross-encoder -> WORK/teacher.pt
    distil     the student learns the teacher's scores, first in floats (WORK/student-float.pt), then rounded
               (WORK/student.pt)
    export     WORK/student.pt -> WORK/reranker.bin

teach, distil and export print nDCG@10 on the evaluation sets if WORK/evaluation.npz is there.
"""
import argparse
import io
import os
import sys
import time

import torch
import torch.nn.functional as F

import data
import evaluate
import text
from model import Encoder

HERE = os.path.dirname(os.path.abspath(__file__))
ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("phase", choices=["prepare", "pretrain", "teach", "distil", "export"])
ap.add_argument("work")
ap.add_argument("--minutes", type=float, default=1)
ap.add_argument("--quant-minutes", type=float, default=1, help="distil: minutes of rounded training after --minutes")
ap.add_argument("--model", choices=["teacher", "student"], default="student")
ap.add_argument("--teacher", default="8x512", help="layers x width")
ap.add_argument("--student", default="4x320")
ap.add_argument("--batch", type=int, default=1024, help="pretrain: rows; the others: lists a step")
ap.add_argument("--list", type=int, default=8, help="sections in a list, the right one first")
ap.add_argument("--rate", type=float, default=0, help="highest learning rate (0: the phase's own)")
ap.add_argument("--limit", type=int, default=0, help="prepare: use so many files only")
ap.add_argument("--workers", type=int, default=os.cpu_count())
ap.add_argument("--out", default="", help="folder for copies of the results, in parts of at most 15 MB")
ap.add_argument("--seed", type=int, default=1)
a = ap.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
T0 = time.time()
torch.manual_seed(a.seed)
if device == "cuda":
    torch.set_float32_matmul_precision("high")
compiled = (lambda f: torch.compile(f, dynamic=False)) if device == "cuda" else (lambda f: f)
half = lambda: torch.autocast(device, torch.bfloat16, enabled=device == "cuda")
file = lambda name: os.path.join(a.work, name)
# How often a list asks a question of each kind, and how often its paths lose their last heading.
SHARE = {"head": 0.38, "link": 0.17, "desc": 0.08, "sent": 0.12, "person": 0.17, "box": 0.08}
DROP = {"head": 0.7, "link": 0.3, "desc": 0.0, "sent": 0.0, "person": 0.1, "box": 0.1}


def say(*x):
    print(f"[{time.time() - T0:6.1f}]", *x, flush=True)


def new(which):
    layers, d = map(int, getattr(a, which).split("x"))
    vocabulary = len(text.Pieces.load(os.path.join(HERE, "vocab.txt")).vocabulary)
    return Encoder(vocabulary, d, layers, which == "student").to(device)


def load(which, name):
    """Loads weights from the work folder, where they may also lie in the parts that save left in an out folder."""
    net = new(which)
    if os.path.exists(file(name)):
        net.load_state_dict(torch.load(file(name), map_location=device))
        return net
    parts = sorted(p for p in os.listdir(a.work) if p.startswith(name + "."))
    if not parts:
        raise SystemExit(f"train.py: {file(name)} is missing: run the phase that makes it")
    b = io.BytesIO(b"".join(open(file(p), "rb").read() for p in parts))
    small = torch.load(b, map_location=device)
    state = {k: v.float() * small[k + ".step"] if v.dtype == torch.int8 else v.float() for k, v in small.items() if not k.endswith(".step")}
    net.load_state_dict(state, strict=False)  # what pre-training alone needs is not in the parts
    return net


def save(net, name):
    """Saves the weights in the work folder and, smaller, in parts in the out folder.

    Smaller means 16-bit floats for a student; a teacher's matrices become bytes, each row with a step of its own.
    """
    torch.save(net.state_dict(), file(name))
    if not a.out:
        return
    small = {}
    for k, v in net.state_dict().items():
        if k.startswith("guess"):
            continue
        if v.dim() == 2 and not net.student():
            step = v.abs().amax(1, keepdim=True).clamp(min=1e-8) / 127
            small[k], small[k + ".step"] = torch.round(v / step).to(torch.int8), step
        else:
            small[k] = v.half()
    buffer = io.BytesIO()
    torch.save(small, buffer)
    b = buffer.getvalue()
    for n in range(0, len(b), 15_000_000):
        with open(os.path.join(a.out, f"{name}.{n // 15_000_000}"), "wb") as f:
            f.write(b[n:n + 15_000_000])


class Schedule:
    """Drives an optimizer by elapsed time: a short rise, then a straight fall to a fiftieth, then stop."""

    def __init__(self, net, rate, minutes, decay, rise):
        flat = [p for p in net.parameters() if p.dim() <= 1]
        full = [p for p in net.parameters() if p.dim() > 1]
        groups = [{"params": full, "weight_decay": decay}, {"params": flat, "weight_decay": 0.0}]
        extra = {"fused": True} if device == "cuda" else {}
        self.o = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-6, **extra)
        self.net, self.rate, self.seconds, self.rise, self.steps, self.t0 = net, rate, minutes * 60, rise, 0, None

    def step(self, loss):
        """Takes one step; false when the time is over. The clock starts after the first, which compiles."""
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        if self.t0 is None:
            if device == "cuda":
                torch.cuda.synchronize()
            self.t0 = time.time()
            say("first step done")
        gone = (time.time() - self.t0) / self.seconds
        for g in self.o.param_groups:
            g["lr"] = self.rate * min(1, (self.steps + 1) / self.rise) * max(0.02, 1 - gone)
        self.o.step()
        self.o.zero_grad(set_to_none=True)
        self.steps += 1
        return gone < 1

    def speed(self):
        return self.steps / max(1e-9, time.time() - self.t0)


def pretrain():
    net = new(a.model)
    stream = torch.load(file("tables.pt"))["stream"].to(device)
    say(a.model, getattr(a, a.model), f"{sum(p.numel() for p in net.parameters()) / 1e6:.1f} M weights,", stream.numel() // 10**6, "M pieces")
    B, K = a.batch, int(a.batch * data.LENGTH * 0.2)

    def loss_of(ids, chosen, label):
        with half():
            return F.cross_entropy(net.masked(ids, chosen).float(), label)

    f = compiled(loss_of)
    s = Schedule(net, a.rate or (1e-3 if a.model == "teacher" else 2e-3), a.minutes, 0.05, 300)
    g = torch.Generator(device=device).manual_seed(a.seed)
    V = net.shape["vocabulary"]
    while True:
        ids = stream[torch.randint(0, len(stream), (B,), device=device, generator=g)].long()
        flat = ids.view(-1)
        chosen = torch.randperm(flat.numel(), device=device, generator=g)[:K]
        label = flat[chosen].clone()
        r = torch.rand(K, device=device, generator=g)
        other = torch.randint(len(text.SPECIAL), V, (K,), device=device, generator=g)
        flat[chosen] = torch.where(r < 0.8, torch.full_like(label, text.MASK), torch.where(r < 0.9, other, label))
        loss = f(ids, chosen, label)
        more = s.step(loss)
        if s.steps % 200 == 0 or not more:
            say("masked words", s.steps, f"loss {loss.item():.3f}, {s.steps * B * data.LENGTH / 1e6:.0f} M pieces, {s.speed() * B * data.LENGTH / 1e6:.2f} M/s")
        if not more:
            break
    save(net, f"{a.model}-mlm.pt")


class Lists:
    """Draws lists: a question, the section that answers it, and sections that BM25 takes for answers."""

    def __init__(self):
        self.t = t = data.to_device(file("tables.pt"), device)
        t.pop("stream")
        data.mine(t, len(text.Pieces.load(os.path.join(HERE, "vocab.txt")).vocabulary), device)
        self.pools, share = [], []
        for k, name in enumerate(data.KINDS):
            pool = torch.nonzero((t["kind"] == k) & t["minable"]).squeeze(1)
            if len(pool):
                self.pools.append((k, pool))
                share.append(SHARE[name])
        self.share = torch.tensor(share, device=device)
        self.drop = torch.tensor([DROP[k] for k in data.KINDS], device=device)
        self.g = torch.Generator(device=device).manual_seed(a.seed + 1)
        say("hard negatives found for", int(t["minable"].sum()), "questions", {data.KINDS[k]: len(p) for k, p in self.pools})

    def rand(self, *shape):
        return torch.rand(*shape, device=device, generator=self.g)

    def draw(self, lists, size):
        """Returns ids and types of lists * size pairs, the right section first in each list, and the kinds."""
        t = self.t
        which = torch.multinomial(self.share, lists, replacement=True, generator=self.g)
        at = torch.zeros(lists, dtype=torch.long, device=device)
        for n, (_, pool) in enumerate(self.pools):
            mine = pool[(self.rand(lists) * len(pool)).long().clamp(max=len(pool) - 1)]
            at = torch.where(which == n, mine, at)
        kind = t["kind"][at].long()
        # The best wrong section often answers too, where nobody wrote the question for one section: leave it out.
        neg = t["negatives"][at].long()
        weight = (neg >= 0).float() * torch.linspace(1.5, 0.5, neg.shape[1], device=device)
        weight[:, 0] *= (kind >= data.KINDS.index("person"))
        chosen = neg.gather(1, torch.multinomial(weight + 1e-9, size - 1, generator=self.g))
        chosen = torch.where(chosen >= 0, chosen, (self.rand(lists, size - 1) * len(t["heads"])).long().clamp(max=len(t["heads"]) - 1))
        # One wrong section in eight comes from anywhere.
        far = self.rand(lists, size - 1) < 0.125
        chosen = torch.where(far, (self.rand(lists, size - 1) * len(t["heads"])).long().clamp(max=len(t["heads"]) - 1), chosen)
        rows = torch.cat([t["target"][at].long()[:, None], chosen], 1).view(-1)
        q = t["questions"][at]
        # Some words of some questions go missing, as people leave them out.
        lose = (self.rand(lists, 1) < 0.25) & (self.rand(*q.shape) < 0.2)
        q = torch.where(lose, torch.zeros_like(q), q)
        q = q.gather(1, torch.argsort((q == 0).int(), dim=1, stable=True))
        short = (self.rand(lists) < self.drop[kind]).repeat_interleave(size)
        h = torch.where(short[:, None], t["parents"][rows], t["heads"][rows])
        ids, types = data.pack(q.repeat_interleave(size, 0), h, t["bodies"][rows], t["starts"][rows])
        return ids, types, kind


def teach():
    net = load("teacher", "teacher-mlm.pt")
    lists = Lists()
    f = compiled(lambda i, t: net(i, t))
    s = Schedule(net, a.rate or 2e-4, a.minutes, 0.02, 200)
    first = torch.zeros(a.batch, dtype=torch.long, device=device)
    right = torch.zeros(a.batch, a.list, device=device)
    right[:, 0] = 1
    log = []
    while True:
        ids, types, _ = lists.draw(a.batch, a.list)
        with half():
            score = f(ids, types)
        score = score.float().view(a.batch, a.list)
        # The second part gives scores a meaning across questions: above 0 says that a section answers.
        loss = F.cross_entropy(score, first) + 0.2 * F.binary_cross_entropy_with_logits(score, right)
        more = s.step(loss)
        log.append(torch.stack([loss.detach(), (score.argmax(1) == 0).float().mean()]))
        if s.steps % 200 == 0 or not more:
            say("teacher", s.steps, "loss %.3f, right first %.3f," % tuple(torch.stack(log[-200:]).mean(0).tolist()), f"{s.speed():.1f} steps/s")
        if not more:
            break
    save(net, "teacher.pt")
    table(net, "teacher " + a.teacher, False)


def distil():
    teacher, net = load("teacher", "teacher.pt"), load("student", "student-mlm.pt")
    teacher.eval().requires_grad_(False)
    lists = Lists()
    ask = compiled(lambda i, t: teacher(i, t))

    def run(quant, minutes, rate, name):
        f = compiled(lambda i, t: net(i, t, quant))
        s = Schedule(net, rate, minutes, 0.02, 200)
        log = []
        while True:
            ids, types, kind = lists.draw(a.batch, a.list)
            with half(), torch.no_grad():
                want = ask(ids, types)
            with half():
                got = f(ids, types)
            want, got = want.float().view(a.batch, a.list), got.float().view(a.batch, a.list)
            written = (kind >= data.KINDS.index("person")).float()
            loss = F.kl_div(got.log_softmax(1), want.softmax(1), reduction="batchmean") + 0.03 * F.mse_loss(got, want)
            # Written questions have a label to trust beside the teacher's word.
            loss = loss + 0.3 * (-got.log_softmax(1)[:, 0] * written).mean()
            more = s.step(loss)
            log.append(torch.stack([loss.detach(), (got.argmax(1) == want.argmax(1)).float().mean(), (got.argmax(1) == 0).float().mean()]))
            if s.steps % 200 == 0 or not more:
                say(name, s.steps, "loss %.3f, as the teacher %.3f, right first %.3f," % tuple(torch.stack(log[-200:]).mean(0).tolist()), f"{s.speed():.1f} steps/s")
            if not more:
                break

    if a.minutes > 0:
        run(False, a.minutes, a.rate or 5e-4, "student")
        save(net, "student-float.pt")
        table(net, "student " + a.student, False)
    else:
        net = load("student", "student-float.pt")
    ids, types, _ = lists.draw(32, a.list)
    net.calibrate(ids, types)
    run(True, a.quant_minutes, (a.rate or 5e-4) * 0.3, "rounded")
    save(net, "student.pt")
    table(net, "student " + a.student + ", rounded", True)


def table(net, name, quant):
    if not os.path.exists(file("evaluation.npz")):
        return
    net.eval()
    evaluate.print_table(evaluate.Lists([file("evaluation.npz")], device), name, lambda i, t: net(i, t, quant))
    net.train()


def export():
    import fileformat
    net = load("student", "student.pt").eval().cpu()
    fileformat.write(net, os.path.join(HERE, "vocab.txt"), file("reranker.bin"))
    say("reranker.bin:", os.path.getsize(file("reranker.bin")), "bytes")
    if a.out:
        with open(file("reranker.bin"), "rb") as f, open(os.path.join(a.out, "reranker.bin"), "wb") as g:
            g.write(f.read())


if a.phase == "prepare":
    say(data.prepare(file("corpus.jsonl"), os.path.join(HERE, "vocab.txt"), file("tables.pt"), a.limit, a.workers))
else:
    {"pretrain": pretrain, "teach": teach, "distil": distil, "export": export}[a.phase]()
sys.stdout.flush()
