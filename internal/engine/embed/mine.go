package embed

// What documentation says about itself, without anyone asking:
//
//	the titles above and of a section   its text
//	its own title                       its text
//	the title of the page               its opening
//	the description of the page         its opening
//	a sentence of a section             its titles and the rest of its text
//
// On the left is what somebody might ask, on the right what answers. A text under
// 40 bytes answers nothing. The sentence is one of 4 to 30 words, from a section
// with at least two others of them; which one is chosen by the text's hash, so
// that a page gives the same pairs wherever it is.
//
// Hard negatives are the texts of sections under the same heading: alike, and
// not the answer.

import (
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/docent-md/docent/doc"
)

// A Triplet is a question, the text that answers it, and texts that do not.
type Triplet struct {
	Query     string   `json:"query"`
	Positive  string   `json:"positive"`
	Negatives []string `json:"negatives,omitempty"`

	// section is the same for triplets whose positives are of one section:
	// they are no wrong answers to each other. 0 when nothing is known.
	section uint64
}

const (
	minText      = 40   // bytes of a text that can answer
	maxText      = 4000 // bytes of a text that are looked at
	minSentences = 3
	minSentence  = 4 // words
	maxSentence  = 30
)

// Mine returns the pairs that a page gives, in reading order, each with up to so
// many hard negatives.
func Mine(p *Page, negatives int) []Triplet {
	var out []Triplet
	texts := make([]string, len(p.Sections))
	children := map[int][]int{}
	for i := range p.Sections {
		texts[i] = cut(strings.TrimSpace(p.Sections[i].Body), maxText)
		if len(texts[i]) >= minText {
			children[p.Sections[i].Parent] = append(children[p.Sections[i].Parent], i)
		}
	}
	for i, s := range p.Sections {
		text := texts[i]
		if len(text) < minText {
			continue
		}
		trail := p.trail(i)
		section := hash([]byte(text)) | 1
		var not []string
		if negatives > 0 {
			not = siblings(texts, children[s.Parent], i, negatives)
		}
		pair := func(query, positive string) {
			if query = strings.TrimSpace(query); query != "" {
				out = append(out, Triplet{cut(query, maxText), positive, not, section})
			}
		}
		pair(trail, text)
		if i == 0 || s.Parent < 0 {
			pair(p.Description, text)
		} else {
			pair(s.Title, text)
		}
		if sentence, rest, ok := pick(text, section); ok {
			pair(sentence, trail+"\n"+rest)
		}
	}
	return out
}

// siblings returns the texts that follow and precede the i-th among those under
// the same heading, nearest first.
func siblings(texts []string, of []int, i, n int) []string {
	at := slices.Index(of, i)
	var out []string
	for d := 1; d < len(of) && len(out) < n; d++ {
		if at+d < len(of) {
			out = append(out, texts[of[at+d]])
		}
		if at-d >= 0 && len(out) < n {
			out = append(out, texts[of[at-d]])
		}
	}
	return out
}

// cut returns the first n bytes of s, less what would break a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// pick takes one sentence out of a text, by a number.
func pick(text string, by uint64) (sentence, rest string, ok bool) {
	var good []span
	for from := 0; from < len(text); {
		to := sentenceEnd(text, from)
		if n := wordsIn(text[from:to]); n >= minSentence && n <= maxSentence {
			good = append(good, span{from, to})
		}
		from = to
	}
	if len(good) < minSentences {
		return "", "", false
	}
	s := good[by>>8%uint64(len(good))]
	return text[s.from:s.to], text[:s.from] + "\n" + text[s.to:], true
}

// sentenceEnd returns the end of the sentence at from: after ".", "!" or "?" and
// a space, or at the end of a line.
func sentenceEnd(s string, from int) int {
	for i := from; i < len(s); i++ {
		switch s[i] {
		case '\n':
			return i + 1
		case '.', '!', '?':
			if i+1 < len(s) && s[i+1] == ' ' {
				return i + 2
			}
		}
	}
	return len(s)
}

// wordsIn counts the words between spaces that begin with a letter.
func wordsIn(s string) int {
	n, space := 0, true
	for i := range len(s) {
		c := s[i]
		if space && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80) {
			n++
		}
		space = c == ' ' || c == '\t' || c == '\n'
	}
	return n
}

// A Page is a document as titles and texts: what pairs are mined from.
type Page struct {
	Source      string // pages of one source are about one thing: the repository, the root
	Title       string
	Description string
	Sections    []Section // in reading order; the first is the page itself
}

// A Section is a heading and the text up to the next one.
type Section struct {
	Title  string
	Parent int    // index in Page.Sections, or -1 for the page itself
	Body   string // without the heading
}

// A Text appends the words a reader sees in a range of a document, as
// markdown.AppendText does.
type Text func(dst []byte, d *doc.Document, span doc.Span) []byte

// NewPage takes the titles and texts from a document. Front matter is no text: it
// holds the title and the description, which are to be told from the text.
func NewPage(source string, d *doc.Document, text Text) Page {
	p := Page{Source: source, Title: d.Title, Description: d.Description, Sections: make([]Section, len(d.Sections))}
	front := 0
	if len(d.Blocks) > 0 && d.Blocks[0].Kind == doc.FrontMatter {
		front = d.Blocks[0].Span.End
	}
	var buf []byte
	for i, s := range d.Sections {
		span := doc.Span{Start: max(s.Span.Start, front), End: max(s.Span.End, front)}
		buf = buf[:0]
		if s.Heading >= 0 {
			h := d.Headings[s.Heading].Span
			buf = text(buf, d, doc.Span{Start: span.Start, End: max(span.Start, h.Start)})
			span.Start = max(span.Start, h.End)
		}
		buf = text(buf, d, span)
		p.Sections[i] = Section{Title: s.Title, Parent: s.Parent, Body: string(buf)}
	}
	return p
}

// Pages reads every file whose name ends in ".md" in the order of its path,
// compared byte by byte as a whole with slashes. The source of a page is the
// first element of its path. This order is part of the recipe of a table.
func Pages(fsys fs.FS, parse func(path string, src []byte) doc.Document, text Text) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		var paths []string
		err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".md") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			yield(Page{}, fmt.Errorf("read pages: %w", err))
			return
		}
		slices.Sort(paths)
		for _, path := range paths {
			src, err := fs.ReadFile(fsys, path)
			if err != nil {
				yield(Page{}, fmt.Errorf("read pages: %w", err))
				return
			}
			d := parse(path, src)
			source, _, _ := strings.Cut(path, "/")
			if !yield(NewPage(source, &d, text), nil) {
				return
			}
		}
	}
}

// trail returns the titles from the page down to a section, with spaces between;
// a title that repeats the one above it is there once.
func (p *Page) trail(i int) string {
	var titles []string
	for steps := 0; i >= 0 && i < len(p.Sections) && steps < maxDepth; steps++ {
		titles = append(titles, p.Sections[i].Title)
		i = p.Sections[i].Parent
	}
	titles = append(titles, p.Title)
	slices.Reverse(titles)
	return strings.Join(slices.Compact(titles), " ")
}

// maxDepth ends the way up from a section; there are six levels of headings.
const maxDepth = 10
