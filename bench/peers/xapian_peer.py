"""Answers questions with Xapian: BM25, English stemming, any of the words.

Reads lines of JSON: {"chunk": [title, headings, body]} in turn, then {"question": text};
prints for each question the numbers of the best hundred chunks, and at the end the
milliseconds of CPU that questions took.
"""

import json
import sys
import time

import xapian

db = xapian.WritableDatabase("", xapian.DB_BACKEND_INMEMORY)
generator = xapian.TermGenerator()
generator.set_stemmer(xapian.Stem("en"))
parser = xapian.QueryParser()
parser.set_stemmer(xapian.Stem("en"))
parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
parser.set_default_op(xapian.Query.OP_OR)
spent, questions = 0.0, 0
enquire = None
for line in sys.stdin:
    item = json.loads(line)
    if "chunk" in item:
        doc = xapian.Document()
        generator.set_document(doc)
        for text, weight in zip(item["chunk"], (3, 2, 1)):
            generator.index_text(text, weight)
        db.add_document(doc)
        continue
    enquire = enquire or xapian.Enquire(db)
    before = time.process_time()
    words = "".join(c if c.isalnum() else " " for c in item["question"])
    enquire.set_query(parser.parse_query(words, 0))
    found = [match.docid - 1 for match in enquire.get_mset(0, 100)]
    spent += time.process_time() - before
    questions += 1
    print(json.dumps(found))
print(json.dumps({"ms": 1000 * spent / max(questions, 1)}))
