#!/usr/bin/env python3
"""Trains the student further, on docent's own candidates for each question, and writes it again.

usage: refine.py WORK NAME --init A.bin[,B.pt ...] [--teacher ...] [--float S] [--quant S] ...

Reads WORK/written.npz and WORK/taken.npz (lists.py) and leaves WORK/NAME.pt, the weights in floats, and after --quant
seconds of training with every number rounded WORK/NAME.bin. A list is a question and --list of its candidates. The loss
has three parts: the right one first by docent's score and the model's together, in the shares that search uses; the
right one, or none of these (whose score is 0), by the model's alone; and the scores of the teachers, which keeps what
they know. What is measured and written is the running mean of the weights. Seconds are those of the training itself.
"""
import argparse
import copy
import os
import shutil
import time

import torch
import torch.nn.functional as F

import data
import student
from evaluate import READ, SCALE, SHARES, Lists

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("work")
ap.add_argument("name")
ap.add_argument("--init", required=True, help="model to begin with; the mean of several")
ap.add_argument("--teacher", default="", help="models whose mean score is learnt (default: --init)")
ap.add_argument("--lists", default="written.npz,taken.npz")
ap.add_argument("--float", type=float, default=0, help="seconds")
ap.add_argument("--quant", type=float, default=0, help="seconds, rounded")
ap.add_argument("--rate", type=float, default=2e-4)
ap.add_argument("--decay", type=float, default=0.02)
ap.add_argument("--drop", type=float, default=0.1, help="dropout, in floats")
ap.add_argument("--fused", type=float, default=1.0, help="weight of the first part of the loss")
ap.add_argument("--none", type=float, default=0.4, help="of the second")
ap.add_argument("--kd", type=float, default=0.5, help="of the third")
ap.add_argument("--written", type=float, default=0.5, help="share of written questions in a batch")
ap.add_argument("--mask", type=float, default=0.1, help="share of a question's pieces that half of the lists lose")
ap.add_argument("--mean", type=float, default=0.998, help="of the running mean of weights, what a step leaves")
ap.add_argument("--batch", type=int, default=96)
ap.add_argument("--list", type=int, default=20)
ap.add_argument("--look", type=float, default=30, help="seconds between two looks at what is held out")
ap.add_argument("--out", default="", help="folder for copies of the results")
ap.add_argument("--seed", type=int, default=1)
a = ap.parse_args()

device = "cuda" if torch.cuda.is_available() else "cpu"
T0 = time.time()
torch.manual_seed(a.seed)
if device == "cuda":
    torch.set_float32_matmul_precision("high")
compiled = (lambda f: torch.compile(f, dynamic=False)) if device == "cuda" else (lambda f: f)
half = lambda: torch.autocast(device, torch.bfloat16, enabled=device == "cuda")
generator = torch.Generator(device=device).manual_seed(a.seed)
rand = lambda *shape: torch.rand(*shape, device=device, generator=generator)

# How often a list asks a question of each kind, among the written ones and among the others.
WRITTEN = {"person": 0.62, "box": 0.25, "none": 0.08, "far": 0.05}
TAKEN = {"ask": 0.25, "head": 0.2, "sent": 0.2, "link": 0.28, "desc": 0.07}
WITHOUT = 0.2  # of the lists, whose right candidate is left out
BLIND, ASTRAY = 0.1, 0.1  # of the lists: without paths; with a block of each text that was not chosen for the question
# Docent's score weighs (1 - share) * SCALE / share beside the model's: .5 is search's share, and .35 that of sentences.
BESIDE = [(1 - share) * SCALE / share for share in (0.5, 0.35)]


def say(*x):
    print(f"[{time.time() - T0:6.1f}]", a.name, *x, flush=True)


class Batches:
    """Draws lists that are trained on."""

    def __init__(self, lists):
        self.lists = lists
        n = torch.arange(len(lists["kind"]), device=device)
        self.right = lists["place"] >= 0
        self.has = self.right.any(1)
        self.pools, shares = [], []
        for kinds, part in ((WRITTEN, a.written), (TAKEN, 1 - a.written)):
            for kind, share in kinds.items():
                if kind not in lists.kinds:
                    continue
                of = (lists["kind"] == lists.kinds.index(kind)) & (lists["held"] == 0)
                pool = n[of & (self.has | (kind in WRITTEN) | (kind == "ask"))]
                if len(pool):
                    self.pools.append(pool)
                    shares.append(part * share)
        self.shares = torch.tensor(shares, device=device)
        self.sections = len(lists["file"])
        say("lists of each kind:", [len(p) for p in self.pools])

    def questions(self, n):
        which = torch.multinomial(self.shares, n, replacement=True, generator=generator)
        at = torch.zeros(n, dtype=torch.long, device=device)
        for k, pool in enumerate(self.pools):
            at = torch.where(which == k, pool[(rand(n) * len(pool)).long().clamp(max=len(pool) - 1)], at)
        return at

    def draw(self, B, L):
        """Returns pieces and types of B lists of L pairs, the right one first, docent's scores, which lists have no
        right one, and which questions are sentences. The last pair of a list is with a section from anywhere."""
        lists, at = self.lists, self.questions(B)
        section, right, has = lists["section"][at].long(), self.right[at], self.has[at]
        valid = section >= 0
        none = ~has | (rand(B) < WITHOUT)
        # Of several right ones mostly the one that docent has highest, and of wrong ones more of the higher.
        slope = torch.linspace(1, 0.2, section.shape[1], device=device)
        spare = (~has)[:, None] * 1e-6 * valid.float() + 1e-12
        first = torch.multinomial(right.float() * slope ** 4 + spare, 1, generator=generator)
        weight = valid.float() * (~right).float() * slope
        wrong = torch.multinomial(weight + 1e-9, L, generator=generator)
        missing = weight.gather(1, wrong) < 1e-5
        pick = torch.cat([torch.where(none[:, None], wrong[:, L - 1:], first), wrong[:, :L - 1]], 1)
        lost = torch.cat([(none & missing[:, L - 1])[:, None], missing[:, :L - 1]], 1)
        lost[:, L - 1] = True
        anywhere = (rand(B, L) * self.sections).long().clamp(max=self.sections - 1)
        rows = torch.where(lost, anywhere, section.gather(1, pick).clamp(min=0))
        own = torch.where(lost, torch.zeros(B, L, device=device), lists.own[at].gather(1, pick).clamp(-0.2, 1))
        ids, types = self.pack(self.masked(lists["question"][at]), rows)
        return ids, types, own, none, lists["prose"][at].long()

    def masked(self, q):
        """Leaves pieces of some questions out."""
        lose = (rand(len(q), 1) < 0.5) & (rand(*q.shape) < a.mask)
        q = torch.where(lose, torch.zeros_like(q), q)
        return q.gather(1, torch.argsort((q == 0).int(), dim=1, stable=True))

    def pack(self, q, rows):
        B, L = rows.shape
        lists, r = self.lists, rows.view(-1)
        heads, starts = lists["heads"][r], lists["starts"][r]
        blind = (rand(B) < BLIND).repeat_interleave(L)
        heads = torch.where(blind[:, None], torch.zeros_like(heads), heads)
        astray = (rand(B) < ASTRAY).repeat_interleave(L)
        blocks = (starts >= 0).sum(1)
        one = starts.gather(1, (rand(B * L) * blocks).long().clamp(max=starts.shape[1] - 1)[:, None])
        one = torch.cat([one, torch.full_like(starts[:, 1:], -1)], 1)
        starts = torch.where(astray[:, None], one, starts)
        return data.pack(q.repeat_interleave(L, 0), heads, lists["bodies"][r], starts)


class Held:
    """The lists that are not trained on: what they show of each kind. Only questions of the newest file count, since
    the model before may have been trained on the others."""

    def __init__(self, lists):
        self.lists = lists
        held = (lists["held"] == 1) & ((lists["source"] == int(lists["source"].max())) | (lists["source"] < 0))
        of = lambda kind: held & (lists["kind"] == lists.kinds.index(kind))
        kinds = [k for k in ("person", "box", "none", "far", "ask", "link") if k in lists.kinds]
        self.at = {k: torch.nonzero(of(k)).squeeze(1) for k in kinds}

    def look(self, net, quant, name):
        net.eval()
        best = {}
        say(name, "held out, nDCG@10 and MRR by share", *SHARES)
        for kind, at in self.at.items():
            if not len(at):
                continue
            with half():
                scores = self.lists.read(lambda i, t: net(i, t, quant), at)
            best[kind] = scores.amax(1)
            if kind in ("none", "far"):
                continue
            means = self.lists.measure(at, scores)
            best[kind] = best[kind][(self.lists["place"][at][:, :READ] >= 0).any(1)]
            say(f"    {kind:7s} {len(at):5d}", *(f"{m[0]:.4f}" for m in means), "|", *(f"{m[1]:.4f}" for m in means))
        area = lambda x, y: (best[x][:, None] > best[y][None]).float().mean().item()
        say("    person above none, far:", *(f"{area('person', k):.3f}" for k in ("none", "far") if k in best))
        net.train()


class Schedule:
    """AdamW whose rate rises for a hundred steps and falls until the seconds are over. The clock begins with the first
    step, after compiling, and stands still in a pause."""

    def __init__(self, net, rate, seconds):
        wide = [p for p in net.parameters() if p.dim() > 1]
        narrow = [p for p in net.parameters() if p.dim() <= 1]
        groups = [{"params": wide, "weight_decay": a.decay}, {"params": narrow, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), eps=1e-6, fused=device == "cuda")
        self.params, self.rate, self.seconds, self.steps, self.began = wide + narrow, rate, seconds, 0, None

    def gone(self):
        return time.time() - self.began if self.began else 0.0

    def pause(self, work):
        t = time.time()
        work()
        if self.began:
            self.began += time.time() - t

    def step(self, loss):
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.params, 1.0)
        if self.began is None:
            if device == "cuda":
                torch.cuda.synchronize()
            self.began = time.time()
            say("first step")
        for g in self.optimizer.param_groups:
            g["lr"] = self.rate * min(1, (self.steps + 1) / 100) * max(0.02, 1 - self.gone() / self.seconds)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.steps += 1
        return self.gone() < self.seconds


def train(net, batches, held, quant, seconds, rate, teachers):
    """Trains net and leaves in it the running mean of its weights."""
    mean = copy.deepcopy(net).requires_grad_(False)
    net.drop = 0.0 if quant else a.drop
    score = compiled(lambda i, t: net(i, t, quant))
    teach = compiled(lambda i, t: sum(x(i, t) for x in teachers) / len(teachers)) if teachers else None
    beside = torch.tensor(BESIDE, device=device)
    s = Schedule(net, rate, seconds)
    B, L, log, looked, more = a.batch, a.list, [], 0.0, True
    pairs = list(zip(mean.parameters(), net.parameters()))
    while more:
        ids, types, own, none, prose = batches.draw(B, L)
        with half():
            x = score(ids, types)
        x = x.float().view(B, L)
        z = x + beside[prose][:, None] * own
        some = (~none).float()
        fused = -(z.log_softmax(1)[:, 0] * some).sum() / some.sum().clamp(min=1)
        whole = torch.cat([x, torch.zeros(B, 1, device=device)], 1).log_softmax(1)
        alone = -torch.where(none, 0.8 * whole[:, L], whole[:, 0]).mean()
        loss = a.fused * fused + a.none * alone
        if teach is not None:
            with half(), torch.no_grad():
                y = teach(ids, types)
            y = y.float().view(B, L)
            loss = loss + a.kd * F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean")
        more = s.step(loss)
        with torch.no_grad():
            left = min(a.mean, s.steps / (s.steps + 10))
            torch._foreach_lerp_([m for m, _ in pairs], [p.detach() for _, p in pairs], 1 - left)
        first = ((z.argmax(1) == 0).float() * some).sum() / some.sum().clamp(min=1)
        log.append(torch.stack([loss.detach(), fused.detach(), alone.detach(), first]))
        if s.steps % 300 == 0 or not more:
            say("rounded" if quant else "floats", s.steps, "loss %.3f fused %.3f alone %.3f first %.3f" %
                tuple(torch.stack(log[-300:]).mean(0).tolist()), f"{s.steps / max(1e-9, s.gone()):.1f} steps/s")
        if s.gone() - looked > a.look or not more:
            looked = s.gone()
            s.pause(lambda: held.look(mean, quant, f"{'rounded' if quant else 'floats'} after {looked:.0f} s"))
    net.load_state_dict(mean.state_dict())
    net.drop = 0.0


def main():
    lists = Lists([os.path.join(a.work, x) for x in a.lists.split(",")], device)
    say(len(lists["kind"]), "lists,", len(lists["file"]), "sections")
    batches, held = Batches(lists), Held(lists)
    net = student.load(a.init).to(device)
    names = (a.teacher or a.init).split(",") if a.kd else []
    teachers = [student.load(p).to(device).eval().requires_grad_(False) for p in names]
    held.look(net, False, "before")
    written = []
    if a.float:
        train(net, batches, held, False, a.float, a.rate, teachers)
        written.append(os.path.join(a.work, a.name + ".pt"))
        student.save_floats(net, written[-1])
    if a.quant:
        ids, types, *_ = batches.draw(64, a.list)
        net.calibrate(ids, types)
        train(net, batches, held, True, a.quant, a.rate * 0.35, teachers)
        written.append(os.path.join(a.work, a.name + ".bin"))
        student.save_bin(net.eval().cpu(), written[-1])
    for path in written:
        if a.out:
            shutil.copy(path, a.out)
        say("written", path, os.path.getsize(path))


if __name__ == "__main__":
    main()
