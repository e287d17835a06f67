"""Takes questions out of Markdown: headings, sentences, descriptions and link texts, and where their answers are.

What asks is taken out of the text, so that a search cannot find the question itself: a heading or a sentence is
removed, a description too, and a link becomes its words. Line numbers stay as they were.
"""
import collections
import posixpath
import random
import re

FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
LINK = re.compile(r"(?<!!)\[([^\[\]\n]{4,90})\]\(([^()\s]+)\)")
SENTENCE = re.compile(r"(?<=[.!?])\s+")
DESCRIPTION = re.compile(r"description:\s*[\"']?(.{25,220}?)[\"']?\s*$")
ASKS = re.compile(r"^(how|why|what|when|where|which|who|can|does|do|is|are|should|will|"
                  r"using|use|configure|set|create|enable)\b", re.I)
LONGEST_FRONT_MATTER = 80  # lines
MOST_LINKS = 4000  # looked at in one repository

Heading = collections.namedtuple("Heading", "line level title")  # lines from 0
Question = collections.namedtuple("Question", "kind text file first last")  # lines from 1; first 0: the whole file


def slug(heading):
    return re.sub(r"[^a-z0-9_-]", "", heading.lower().replace(" ", "-"))


def front_matter(lines):
    """Returns how many lines the front matter takes."""
    if lines and lines[0] == "---":
        for n in range(1, min(len(lines), LONGEST_FRONT_MATTER)):
            if lines[n].startswith("---"):
                return n + 1
    return 0


def headings(lines):
    """Returns the headings outside of fences and front matter."""
    out, fenced = [], False
    for n in range(front_matter(lines), len(lines)):
        if FENCE.match(lines[n]):
            fenced = not fenced
        m = None if fenced else HEADING.match(lines[n])
        if m:
            title = re.sub(r"[`*]|\{#.*\}", "", LINK.sub(r"\1", m[2])).strip()
            out.append(Heading(n, len(m[1]), title))
    return out


class Repository:
    """The files of one repository, as lines. Each method takes questions out of them and returns these."""

    def __init__(self, name, texts):
        self.random = random.Random(name)
        self.lines = {f: t.split("\n") for f, t in texts.items()}
        self.headings = {f: headings(lines) for f, lines in self.lines.items()}
        self.shuffled = list(self.lines)
        self.random.shuffle(self.shuffled)

    def end(self, file, n):
        """Returns the line after the last of a section's."""
        hs = self.headings[file]
        return hs[n + 1].line if n + 1 < len(hs) else len(self.lines[file])

    def take_headings(self, most):
        """Those that sound like a question first, and of the others about half."""
        found = []
        for f, hs in self.headings.items():
            for n, h in enumerate(hs):
                words = len(h.title.split())
                size = sum(map(len, self.lines[f][h.line + 1:self.end(f, n)]))
                if h.level >= 2 and 3 <= words <= 16 and size > 200:
                    asks = bool(ASKS.match(h.title)) and words >= 4
                    rank = 0 if asks or self.random.random() < 0.4 else 1
                    found.append((rank, self.random.random(), f, n, h, asks))
        out, of_file = [], collections.Counter()
        for _, _, f, n, h, asks in sorted(found, key=lambda x: x[:2]):
            if len(out) == most:
                break
            if of_file[f] <= len(self.headings[f]) // 4:
                of_file[f] += 1
                self.lines[f][h.line] = ""
                out.append(Question("ask" if asks else "head", h.title, f, h.line + 2, self.end(f, n)))
        return out

    def take_sentences(self, most):
        out = []
        for f in self.shuffled * 2:
            if len(out) >= most:
                break
            for n, h in enumerate(self.headings[f]):
                sentences = self.sentences(f, range(h.line + 1, self.end(f, n)))
                if sentences and self.random.random() < 0.3:
                    line, s = self.random.choice(sentences)
                    self.lines[f][line] = self.lines[f][line].replace(s, "")
                    out.append(Question("sent", s.rstrip("."), f, h.line + 1, self.end(f, n)))
                    if self.random.random() < 0.5:
                        break
        return out[:most]

    def sentences(self, file, lines):
        """Returns the sentences of paragraphs that have two or more, with their lines."""
        out = []
        for n in lines:
            line = self.lines[file][n]
            if re.match(r"[A-Z]", line) and "|" not in line and "](" not in line:
                ss = SENTENCE.split(line)
                out += [(n, s) for s in ss if 40 < len(s) < 180 and len(ss) >= 2]
        return out

    def take_descriptions(self, most):
        out = []
        for f in self.shuffled:
            for n in range(front_matter(self.lines[f])):
                m = DESCRIPTION.match(self.lines[f][n])
                if m and len(out) < most:
                    self.lines[f][n] = ""
                    out.append(Question("desc", m[1], f, 0, 0))
                    break
        return out

    def take_links(self, most):
        found = [(m, f) for f in self.shuffled for line in self.lines[f] for m in LINK.finditer(line)]
        out, words = [], {}
        self.random.shuffle(found)
        for m, f in found[:MOST_LINKS]:
            label = re.sub("[`*]", "", m[1]).strip()
            target = self.resolve(f, m[2])
            if len(out) == most:
                break
            if target and target[0] != f and 3 <= len(label.split()) <= 12 and label.lower() not in words.values():
                words[m[0]] = label.lower()
                out.append(Question("link", label, *target))
        for f, lines in self.lines.items():
            self.lines[f] = [LINK.sub(lambda m: m[1] if m[0] in words else m[0], x) if "](" in x else x for x in lines]
        return out

    def resolve(self, file, link):
        """Returns the file and lines that a link leads to, or None."""
        if "://" in link:
            return None
        page, _, anchor = link.partition("#")
        if page.startswith("/"):
            bases = [page.lstrip("/"), "docs" + page, "content" + page]
        else:
            bases = [posixpath.normpath(posixpath.join(posixpath.dirname(file), page))] if page else [file]
        for base in bases:
            base = re.sub(r"\.(mdx|markdown)$", ".md", base.rstrip("/"))
            for f in (base, base + ".md", base + "/index.md", base + "/README.md", base + "/_index.md"):
                if f in self.lines:
                    return self.section(f, anchor)
        return None

    def section(self, file, anchor):
        if not anchor:
            return file, 0, 0
        for n, h in enumerate(self.headings[file]):
            if slug(h.title) == anchor.lower():
                return file, h.line + 1, self.end(file, n)
        return None
