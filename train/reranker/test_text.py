"""Stored cases hold the text preparation still, and the batches of training to what the reference scorer reads.

run: python3 -m unittest test_text.py; python3 test_text.py --write stores the cases again.
"""
import json
import os
import sys
import types
import unittest

import numpy as np

import text

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(HERE, "testdata", "cases.jsonl")
PIECES = text.Pieces.load(os.path.join(HERE, "vocab.txt"))
TEXTS = [
    "", " \t\n", "How do I rotate keys?", "HTTPServer getUserName2FA parseJSON iOS", "snake_case kebab-case dotted.path.name",
    "C++ and C# and .NET 8.0 -- what... now???", "naïve café Ångström Straße œuvre ŁÓDŹ", "e\u0301te\u0301 zero\u200bwidth soft\u00adhyphen",
    "“smart quotes” – dash — ellipsis… don’t", "Привет МИР", "Ελληνικά ΣΑΣ", "日本語のドキュメント", "한국어 문서", "full ＷＩＤＴＨ ＡＢＣ１２３",
    "emoji 🎉 and 🚀 arrows → ← ≥ ≤ ×2 ÷", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "supercalifragilisticexpialidocious kubeadm", "see [the guide](../guide.md#keys) and ![logo](a.png)",
    "[![badge](https://x.io/b.svg)](https://x.io) text", "[broken](link and [nested [x](y)](z)", "<!-- a\nlicence\ncomment --> Title",
    "<div class=\"note\">Careful</div> Vec<String> a<b and b>c <https://example.org/x?y=1> </p>", "visit https://example.org/a/b?c=d#e, now",
    "x://`code` http://localhost:8080/path) end", "```go\nfunc main() { fmt.Println(\"hi\") }\n```", "| a | b |\n|---|---|\n| 1 | 22 |",
    "# Heading\n\ntext ## more ###", "$ kubectl get pods -n kube-system --watch=true", "a\r\nb\r\n\r\nc", "١٢٣ अनुच्छेद ไทย",
    "tab\tand\u00a0nbsp\u3000wide", "IDs APIs OAuth2 v1beta1 x86_64 utf8mb4", "<!-- never closed", "<a\nb> < c> <1>", "µs ½ ² ™ ©",
]


def case(t):
    ids, starts = PIECES.blocks(t)
    return {"text": t, "ids": PIECES.ids(t), "block_ids": ids, "starts": starts}


class Cases(unittest.TestCase):
    def test_stored(self):
        with open(CASES, encoding="utf8") as f:
            stored = [json.loads(line) for line in f]
        self.assertEqual([c["text"] for c in stored], TEXTS)
        for c in stored:
            self.assertEqual(case(c["text"]), c)

    def test_batches_are_what_the_reference_reads(self):
        import torch
        import data
        import reference
        r = reference.Reranker.__new__(reference.Reranker)
        r.f = types.SimpleNamespace(pieces=PIECES, length=data.LENGTH, question=data.QUESTION, path=data.PATH, body=data.BODY,
                                    blocks=data.BLOCKS, common=text.COMMON)
        long = "\n\n".join(f"Block {n} speaks of {w} at length. " * 9 for n, w in enumerate(TEXTS))
        pairs = [(q, "Guide. " + q, b) for q in TEXTS for b in (q, long, long[3000:])]
        pairs.append((long, long, long))
        q = np.stack([data.fixed(PIECES.ids(p[0]), data.QUESTION) for p in pairs])
        rows = [data.encode_section(PIECES, p[1], text.body(p[2]))[:3] for p in pairs]
        ids, kinds = data.pack(torch.from_numpy(q), *(torch.from_numpy(np.stack(x)) for x in zip(*rows)))
        for n, p in enumerate(pairs):
            want, want_kinds = r.ids(*p)
            got = ids[n].tolist()
            self.assertEqual(got[:len(want)], want)
            self.assertEqual(set(got[len(want):]) | {0}, {0})
            self.assertEqual(kinds[n].tolist()[:len(want)], want_kinds)


if __name__ == "__main__":
    if "--write" in sys.argv:
        with open(CASES, "w", encoding="utf8") as f:
            f.writelines(json.dumps(case(t), ensure_ascii=False) + "\n" for t in TEXTS)
    else:
        unittest.main()
