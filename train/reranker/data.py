"""Training data: sections and questions as tables of word pieces, hard negatives, and batches made on the device.

All tables are padded with 0 and live on the device, so that a batch is a few gathers and no loader stands in the way:

    heads, parents  [sections, PATH]   heading path, and the path without its last heading; the last PATH pieces
    bodies          [sections, BODY]   text
    starts          [sections, BLOCKS] where blocks begin in bodies, -1 where there are no more
    questions       [questions, QUESTION], target (the section that answers), kind
    negatives       [questions, NEGATIVES] other sections of the same repository, best by BM25 first
"""
import json
import random
import re
from multiprocessing import Pool

import numpy as np
import torch

import text
from text import BLOCKS, BODY, LENGTH, PATH, QUESTION

NEGATIVES = 32
KINDS = ["head", "link", "desc", "sent", "person", "box"]
SENTENCE = re.compile(r"(?<=[.!?])\s+")


def path_text(headings):
    return ". ".join(headings)


def fixed(ids, n):
    row = np.zeros(n, np.int16)
    row[:min(n, len(ids))] = ids[:n]
    return row


_pieces = None


def _load(path):
    global _pieces
    _pieces = text.Pieces.load(path)


def encode_section(pieces, path, body, stripped=False):
    """Returns the pieces of a path (its last PATH), of a text (its first BODY), the text's block starts, and all of the
    text's pieces."""
    path, ids, starts = pieces.section(path, body, stripped)
    row = np.full(BLOCKS, -1, np.int16)
    row[:len(starts)] = starts
    return fixed(path, PATH), fixed(ids, BODY), row, ids


def encode_file(line):
    """Encodes one file: its rows, its questions [(kind, row, ids)] and its stream of pieces for pre-training."""
    d = json.loads(line)
    rng = random.Random(d["f"])
    p = _pieces
    rows, questions, stream = [], [], []

    def ask(kind, row, question):
        ids = p.ids(question)
        if len(ids) >= 2:
            questions.append((KINDS.index(kind), row, fixed(ids, QUESTION)))

    for n, (headings, body) in enumerate(d["s"]):
        h, b, s, ids = encode_section(p, path_text(headings), body, True)
        rows.append((h, fixed(p.ids(path_text(headings[:-1]))[-PATH:], PATH), b, s))
        stream += [text.CLS, *h[h > 0].tolist(), text.SEP, *ids]
    for n, (headings, body) in enumerate(d["s"]):
        if np.count_nonzero(rows[n][2]) < 20:
            continue
        if headings and 2 <= len(headings[-1].split()) <= 14:
            longer = len(headings) > 1 and rng.random() < 0.5
            ask("head", n, headings[-2] + " " + headings[-1] if longer else headings[-1])
        # A sentence asks for its section, from whose text it is taken out: a row of its own.
        prose = re.sub(r"```.*?```", " ", body, flags=re.S)
        sentences = [x for x in SENTENCE.split(prose) if 30 < len(x) < 200 and x in body]
        if len(sentences) >= 4 and rng.random() < 0.25:
            q = rng.choice(sentences[1:])
            _, b, s, _ = encode_section(p, "", body[:6000].replace(q, " "), True)
            ask("sent", len(rows), q)
            rows.append((rows[n][0], rows[n][1], b, s))
    if d["d"] and d["s"]:
        ask("desc", 0, d["d"])
    for kind, n, q in d["q"]:
        ask(kind, n, q)
    rows = [np.stack(x) for x in zip(*rows)]
    kinds, targets, asked = zip(*questions) if questions else ((), (), np.zeros((0, QUESTION), np.int16))
    return d["f"].split("/")[0], len(d["s"]), rows, (kinds, targets, np.array(asked, np.int16)), np.array(stream, np.int16)


def prepare(corpus, vocabulary, out, limit=0, workers=16):
    """Encodes the corpus and saves its tables. Rows made for sentences are no candidates: real marks the others."""
    with open(corpus, encoding="utf8") as f:
        lines = f.readlines()
    random.Random(7).shuffle(lines)
    lines = lines[:limit] if limit else lines
    repos, repo, real, tables, base = {}, [], [], [], 0
    kind, target, questions, streams, qrepo = [], [], [], [], []
    with Pool(workers, _load, (vocabulary,)) as pool:
        for name, own, rows, (kinds, targets, asked), stream in pool.imap(encode_file, lines, chunksize=32):
            r, n = repos.setdefault(name, len(repos)), len(rows[0])
            tables.append(rows)
            repo += [r] * n
            real += [i < own for i in range(n)]
            kind += kinds
            target += [base + i for i in targets]
            qrepo += [r] * len(kinds)
            questions.append(asked)
            streams.append(stream)
            base += n
    heads, parents, bodies, starts = (np.concatenate(x) for x in zip(*tables))
    stream = np.concatenate(streams)
    stream = stream[:len(stream) // LENGTH * LENGTH].reshape(-1, LENGTH)
    t = {"heads": heads, "parents": parents, "bodies": bodies, "starts": starts,
         "repo": np.array(repo, np.int32), "real": np.array(real), "kind": np.array(kind, np.int8),
         "target": np.array(target, np.int32), "questions": np.concatenate(questions), "qrepo": np.array(qrepo, np.int32),
         "stream": stream}
    torch.save({k: torch.from_numpy(v) for k, v in t.items()}, out)
    count = {KINDS[k]: int(n) for k, n in zip(*np.unique(t["kind"], return_counts=True))}
    return f"{len(lines)} files, {len(heads)} rows, {stream.size / 1e6:.0f} M pieces, questions {count}"


def mine(t, vocabulary_size, device):
    """Adds t["negatives"]: for each question the best sections of its repository by BM25, the right one left out."""
    V = vocabulary_size
    half = torch.float16 if device == "cuda" else torch.float32
    out = torch.full((len(t["questions"]), NEGATIVES), -1, dtype=torch.int32, device=device)
    df = torch.zeros(V, device=device)
    for b in t["bodies"].split(8192):
        seen = torch.zeros(len(b), V, device=device, dtype=torch.bool)
        df += seen.scatter_(1, b.long(), True).sum(0)
    df[0] = len(t["bodies"])
    idf = torch.log(1 + (len(t["bodies"]) - df + 0.5) / (df + 0.5))
    lengths = (t["bodies"] > 0).sum(1).float()
    # A row made from a section for a sentence has the same path and nearly the same text: never its negative.
    for r in range(int(t["repo"].max()) + 1):
        docs = torch.nonzero((t["repo"] == r) & t["real"]).squeeze(1)
        asked = torch.nonzero(t["qrepo"] == r).squeeze(1)
        if len(docs) < 12 or len(asked) == 0:
            continue
        weights = []
        for d in docs.split(8192):
            tf = torch.zeros(len(d), V, device=device)
            tf.scatter_add_(1, t["bodies"][d].long(), torch.ones(1, device=device).expand(len(d), BODY))
            tf.scatter_add_(1, t["heads"][d].long(), torch.full((1,), 2.0, device=device).expand(len(d), PATH))
            tf[:, 0] = 0
            norm = 1.2 * (0.3 + 0.7 * lengths[d] / lengths.mean())
            weights.append((tf * 2.2 / (tf + norm[:, None]) * idf).to(half))
        weights = torch.cat(weights)
        k = min(NEGATIVES + 4, len(docs))
        for q in asked.split(2048):
            ask = torch.zeros(len(q), V, device=device, dtype=half).scatter_(1, t["questions"][q].long(), 1)
            top = docs[(ask @ weights.T).topk(k, 1).indices]
            right = t["target"][q].long()
            same = (t["heads"][top] == t["heads"][right][:, None]).all(2)  # the right one, and its twins by path
            order = torch.argsort(same.int(), dim=1, stable=True)[:, :NEGATIVES]
            chosen = torch.where(same.gather(1, order), -1, top.gather(1, order)).int()
            out[q, :chosen.shape[1]] = chosen
    t["negatives"] = out
    t["minable"] = (out >= 0).sum(1) >= 8


def window(q, body, starts, room):
    """Returns where the text of each pair begins: the block from which most pieces of the question are in the window.

    All of the text fits: 0. Frequent pieces do not count; the earliest block wins a tie.
    """
    B, L = body.shape
    length = (body > 0).sum(1)
    hit = (body[:, None, :] == q[:, :, None]) & (q >= text.COMMON)[:, :, None]
    upto = torch.zeros(B, q.shape[1], L + 1, dtype=torch.int16, device=q.device)
    upto[:, :, 1:] = hit.cumsum(2, dtype=torch.int16)
    first = starts.clamp(min=0).long()
    last = torch.minimum(first + room[:, None], torch.full_like(first, L))
    K = first.shape[1]
    inside = upto.gather(2, last[:, None].expand(B, q.shape[1], K)) - upto.gather(2, first[:, None].expand(B, q.shape[1], K))
    score = (inside > 0).sum(1) * 64 - torch.arange(K, device=q.device)
    score = torch.where(starts >= 0, score, -1000)
    best = first.gather(1, score.argmax(1, keepdim=True)).squeeze(1)
    return torch.where(length <= room, torch.zeros_like(best), best)


def pack(q, h, body, starts):
    """Makes [CLS] question [SEP] path [SEP] text of LENGTH pieces, and each piece's type.

    Types: 0 question, 1 path, 2 text, each with the mark that ends it; 3 more where the piece (not a frequent one)
    stands on the other side too: in the question for path and text, in path or text for the question.
    """
    B, device = len(q), q.device
    ql, hl, bl = ((x > 0).sum(1) for x in (q, h, body))
    room = LENGTH - 3 - ql - hl
    begin = window(q, body, starts, room)
    p = torch.arange(LENGTH, device=device)[None].expand(B, LENGTH)
    a, b = (2 + ql)[:, None], (3 + ql + hl)[:, None]  # where path and text begin
    ids = torch.full((B, LENGTH), text.PAD, dtype=torch.long, device=device)
    take = lambda src, i: src.long().gather(1, i.clamp(0, src.shape[1] - 1))
    ids = torch.where(p < a, take(q, p - 1), ids)
    ids = torch.where((p >= a) & (p < b), take(h, p - a), ids)
    at = begin[:, None] + p - b
    ids = torch.where((p >= b) & (at < bl[:, None]), take(body, at), ids)
    ids = torch.where((p == a - 1) | (p == b - 1), text.SEP, ids)
    ids[:, 0] = text.CLS
    types = (p >= a).long() + (p >= b).long()
    same = (ids[:, :, None] == q[:, None, :].long()) & (q >= text.COMMON)[:, None, :]
    other = (p >= a)
    text_side = other & same.any(2)
    found = (same & other[:, :, None]).any(1)  # [B, QUESTION]: this piece of the question stands in path or text
    question_side = ~other & (p > 0) & take(found, p - 1).bool() & (p - 1 < ql[:, None])
    return ids, types + 3 * (text_side | question_side).long()


def to_device(path, device):
    return {k: v if k == "stream" else v.to(device) for k, v in torch.load(path).items()}
