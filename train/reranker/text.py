"""Text preparation and word pieces: text -> ids, the same in training and in Go.

The rules are plain enough to be written again exactly (FORMAT.md repeats them; testdata/cases.jsonl proves them):
regular expressions that RE2 knows too, a table of folded characters that travels in the model file, and
greedy word pieces. Nothing depends on the Unicode tables of a language's library.
"""
import re
import unicodedata

PAD, UNK, CLS, SEP, MASK = range(5)
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# The most pieces of a pair, of a question, of a path, of a text that is looked at; and the most blocks of that text.
LENGTH, QUESTION, PATH, BODY, BLOCKS = 160, 40, 32, 576, 12
COMMON = 40  # ids below this are the most frequent pieces; they say nothing about what a text is about
LONGEST_WORD = 40  # a longer word (a hash, an encoded blob) is [UNK]

# Markup that says nothing: comments, link targets (twice: an image may stand in a link), tags, addresses.
# A "<" after a letter or digit begins a type parameter, unless a "/" follows.
MARKUP = [
    (re.compile(r"<!--[\x00-\U0010FFFF]*?-->"), " "),
    (re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)"), r"\1"),
    (re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)"), r"\1"),
    (re.compile(r"</[A-Za-z][^<>\n]{0,200}>"), " "),
    (re.compile(r"(^|[^A-Za-z0-9])<[A-Za-z][^<>\n]{0,200}>"), r"\1 "),
    (re.compile(r"[A-Za-z]+://[^ \t\n)>\"'`]+"), " "),
]
CAMEL = re.compile(r"([a-z0-9])([A-Z])")
# A word, one of four marks (a run of one mark counts once), or a character of a script without spaces.
TOKEN = re.compile(r"[a-z0-9\u00c0-\u1fff]+|\.+|\?+|\++|#+|[\u2e80-\uffef\U00020000-\U0003ffff]")


def fold_table():
    """Returns {character: replacement}: accents off, lower case, invisible characters out, full width to ASCII."""
    fold = {chr(c): chr(c + 32) for c in range(65, 91)}
    for c in [*range(0xC0, 0x250), *range(0x1E00, 0x1F00)]:
        base = "".join(x for x in unicodedata.normalize("NFD", chr(c)) if not unicodedata.combining(x)).lower()
        if base != chr(c) and all("a" <= x <= "z" for x in base):
            fold[chr(c)] = base
    for c in range(0x370, 0x530):
        low = chr(c).lower()
        if len(low) == 1 and low != chr(c):
            fold[chr(c)] = low
    for c in range(0xFF01, 0xFF5F):
        fold[chr(c)] = chr(c - 0xFEE0).lower()
    fold.update({"ß": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d",
                 "ł": "l", "Ł": "l", "þ": "th", "Þ": "th", "ð": "d", "Ð": "d", "ı": "i", "µ": "u",
                 "×": " ", "÷": " ", "\u3000": " "})
    for c in [0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0x300, 0x370)]:
        fold[chr(c)] = ""
    return fold


FOLD = str.maketrans(fold_table())


def strip_markup(s):
    for pattern, by in MARKUP:
        s = pattern.sub(by, s)
    return s


def words(s):
    """Returns the words of text whose markup is stripped already."""
    s = CAMEL.sub(r"\1 \2", s)
    s = s.lower() if s.isascii() else s.translate(FOLD)
    return [w if w[0] not in ".?+#" else w[0] for w in TOKEN.findall(s)]


class Pieces:
    """Pieces turns text into ids by greedy longest match; a piece inside a word is written "##piece"."""

    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.id = {p: i for i, p in enumerate(vocabulary)}
        self.cache = {}

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf8") as f:
            return cls(f.read().split("\n")[:-1])

    def word(self, w):
        ids = self.cache.get(w)
        if ids is None:
            ids = self.cache[w] = self.split(w)
        return ids

    def split(self, w):
        if len(w) > LONGEST_WORD:
            return [UNK]
        ids, start = [], 0
        while start < len(w):
            mark = "##" if start else ""
            for end in range(len(w), start, -1):
                i = self.id.get(mark + w[start:end])
                if i is not None:
                    ids.append(i)
                    start = end
                    break
            else:
                return [UNK]
        return ids

    def ids(self, text, stripped=False):
        out = []
        for w in words(text if stripped else strip_markup(text)):
            out += self.word(w)
        return out

    def blocks(self, text, stripped=False):
        """Returns the ids of text and where in them its blocks (parted by blank lines) begin, 0 included.

        Markup goes first, so a block is a run of what is left between blank lines.
        """
        ids, starts = [], []
        for block in re.split(r"\n[ \t\r]*\n", text if stripped else strip_markup(text)):
            new = self.ids(block, True)
            if new:
                starts.append(len(ids))
                ids += new
        return ids, starts or [0]

    def section(self, path, body, stripped=False):
        """Returns the last PATH pieces of a path, the pieces of a text, and where its blocks begin in the first BODY."""
        ids, starts = self.blocks(body, stripped)
        starts = [s for s in starts if s < min(BODY, len(ids))][:BLOCKS] or [0]
        return self.ids(path)[-PATH:], ids, starts


def body(text):
    """Returns a section's text without the heading line it may begin with: the heading is in the path."""
    if text.startswith("#"):
        return text.partition("\n")[2]
    return text
