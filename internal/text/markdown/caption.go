package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/docent-md/docent/doc"
)

// captionFrom is how much of a text a caption is looked for in.
const captionFrom = 16 << 10

// Preview is Caption or, of a text that has none, its first line of code.
func Preview(source []byte) string {
	text, code := caption(source)
	if text == "" {
		return code
	}
	return text
}

// Caption returns what a text opens with, in words: its first paragraph that is no
// picture, badge, directive or macro; else the first words of a list, quote or box. It
// is one line without markup, and may be empty.
func Caption(source []byte) string {
	text, _ := caption(source)
	return text
}

// caption returns the caption of a text, and its first line of code if that comes before.
func caption(source []byte) (text, code string) {
	if len(source) > captionFrom {
		source = source[:captionFrom]
		source = source[:bytes.LastIndexByte(source, '\n')+1]
	}
	d := Parse("", source)
	nested := ""
	for i := range d.Blocks {
		b := &d.Blocks[i]
		switch {
		case b.Kind == doc.Fence && code == "":
			code = firstLine(b.Inner.Of(source))
		case b.Kind == doc.IndentedCode && code == "":
			code = firstLine(b.Span.Of(source))
		case b.Kind != doc.Paragraph || notProse().Match(b.Span.Of(source)):
		case b.Parent < 0:
			if text := paragraphWords(&d, b); text != "" {
				return text, code
			}
		case nested == "":
			nested = paragraphWords(&d, b)
		}
	}
	return nested, code
}

// notProse is how paragraphs begin that say nothing: pictures, badges, macros, tags, and
// the ":::" with which mkdocstrings puts an object's documentation there.
var notProse = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(!\[|\[!\[|\{\{|\{%|<|:::|!!!|\?\?\?)`)
})

func paragraphWords(d *doc.Document, b *doc.Block) string {
	text := Tidy(string(AppendText(nil, d, b.Span)))
	if !hasLetters(text) {
		return ""
	}
	return text
}

func hasLetters(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// LineWords returns the words of a line, or of a sentence in it, without markup. The line
// is not one of code. The result is empty where a line only links, anchors or opens something.
func LineWords(line string) string {
	line = strings.Trim(line, "| \t\r\n") // of a table, cells
	if strings.HasPrefix(line, ":::") {   // mkdocstrings
		return ""
	}
	source := []byte(line + "\n")
	d := Parse("", source)
	text := Tidy(string(AppendText(nil, &d, doc.Span{End: len(source)})))
	text = strings.TrimPrefix(text, ": ") // of a definition
	if !hasLetters(text) {
		return ""
	}
	return text
}

func firstLine(code []byte) string {
	for line := range bytes.Lines(code) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return string(line)
		}
	}
	return ""
}

// leftovers are the marks of Markdown's dialects that have no words in them, and
// references that some other program would resolve, of which the words are kept.
var leftovers = sync.OnceValue(func() []leftover {
	return []leftover{
		{regexp.MustCompile(`\[([^\[\]]+)\]\[[^\[\]]*\]`), "$1"},                    // [Field()][pydantic.fields.Field]
		{regexp.MustCompile(`\[\^[^\[\]\s]+\]|\[\]\([^()]*\)`), ""},                 // [^1], [](){#anchor}
		{regexp.MustCompile(`\{\s*[:#.][^{}]*\}`), ""},                              // {: .class }, {#id}, { .annotate }
		{regexp.MustCompile(`:[a-z0-9_+]+(?:-[a-z0-9_+]+)+:`), ""},                  // :simple-slack:
		{regexp.MustCompile(`(^|\s):[a-z][a-z0-9_+]*:($|\s)`), "$1$2"},              // :rocket:
		{regexp.MustCompile(`(^|\s)(?:!!!|\?\?\?\+?|:{3,})\s*[a-z-]*(\s|$)`), "$1"}, // ??? api
	}
})

// A leftover is markup and what is left of it.
type leftover struct {
	markup *regexp.Regexp
	words  string
}

// Tidy removes what markup of dialects is left in a text of words, and puts it on one
// line.
func Tidy(s string) string {
	if strings.ContainsAny(s, "[{:?!") {
		for _, l := range leftovers() {
			s = l.markup.ReplaceAllString(s, l.words)
		}
	}
	return strings.Join(strings.Fields(s), " ")
}
