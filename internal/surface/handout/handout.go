// Package handout writes the texts that agents get before they ask: the map of the
// documents for AGENTS.md, a skill, llms.txt, and the configuration of MCP clients. It
// turns a Manifest into text and touches no file.
//
// These texts quote titles and summaries of documents, which are shortened, kept on
// one line and cannot end the block that they are in.
package handout

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/text/human"
)

// A Guide is the source of all these texts.
type Guide struct {
	*answer.Manifest
	Root string // the value of --root in commands; "" means that they need none
	Into string // path of the file that the text goes into, if it is one of the documents
}

// instructions are files that agents read anyway, in lower case. The map leaves them
// out.
var instructions = []string{"agents.md", "agent.md", "claude.md", "claude.local.md", "gemini.md", "qwen.md", "skill.md"}

// documents returns the files for the map: all but instructions and the file that the
// text goes into, which would change whenever it is written.
func (g *Guide) documents() []answer.ManifestFile {
	return slices.DeleteFunc(slices.Clone(g.Files), func(f answer.ManifestFile) bool {
		return f.File == g.Into || slices.Contains(instructions, strings.ToLower(path.Base(f.File)))
	})
}

// command returns a command line for the guide's documents.
func (g *Guide) command(words string) string {
	if g.Root == "" {
		return "docent " + words
	}
	return "docent " + words + " --root " + human.ShellWord(g.Root)
}

func (g *Guide) size() string {
	return count(len(g.documents()), "Markdown file")
}

// quote prepares text of a document: one line, at most n characters, without the
// delimiters of an HTML comment. The manifest has already removed hidden characters.
func quote(s string, n int) string {
	for strings.Contains(s, "<!--") || strings.Contains(s, "-->") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "<!--", ""), "-->", "")
	}
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x85 || r == 0xa0 || r == 0x2028 || r == 0x2029 }), " ")
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n < 0 {
			s = s[:i]
			break
		}
	}
	return strings.TrimRight(s, " ") + "…"
}

// visible removes hidden characters from a path. The result may not be usable as a
// path, which is acceptable for a name that hides something.
func visible(p string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '`' || r == 0x7f || r >= 0x80 && isHidden(r) {
			return -1
		}
		return r
	}, p)
}

// link escapes a path for a Markdown link.
func link(p string) string {
	s := (&url.URL{Path: p}).String()
	return strings.NewReplacer("(", "%28", ")", "%29").Replace(s)
}

// mdText shortens and escapes text of a document for Markdown.
func mdText(s string, n int) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`).Replace(quote(s, n))
}
