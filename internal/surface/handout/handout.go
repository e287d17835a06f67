// Package handout writes the texts that agents are handed before they ask: the
// map of the documents for AGENTS.md, a skill, llms.txt, and the configuration
// of MCP clients. It turns a Manifest into text and touches no file.
//
// What documents say of themselves is quoted in these texts, so it is cut short,
// kept on its line and cannot end the block it stands in.
package handout

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-md/docent"
)

// A Guide is what the texts are made of.
type Guide struct {
	*docent.Manifest
	Root string // as the commands shall name it; "" where they need not
	Into string // path, among the documents, of the file that the text goes into; "" for none
}

// instructions are files that agents are handed anyway, by their names in lower
// case: in a map of documents they would be told of what they have read.
var instructions = []string{"agents.md", "agent.md", "claude.md", "claude.local.md", "gemini.md", "qwen.md", "skill.md"}

// documents are the files that agents are told of: not their own instructions, nor
// what the text goes into, which would change whenever it is written.
func (g *Guide) documents() []docent.ManifestFile {
	return slices.DeleteFunc(slices.Clone(g.Files), func(f docent.ManifestFile) bool {
		return f.File == g.Into || slices.Contains(instructions, strings.ToLower(path.Base(f.File)))
	})
}

// command gives a command line for the guide's documents.
func (g *Guide) command(words string) string {
	if g.Root == "" {
		return "docent " + words
	}
	return "docent " + words + " --root " + shellWord(g.Root)
}

// shellWord quotes a word for a shell where it needs that.
func shellWord(s string) string {
	plain := strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == ""
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// size counts the documents.
func (g *Guide) size() string {
	if n := len(g.documents()); n != 1 {
		return fmt.Sprintf("%d Markdown files", n)
	}
	return "1 Markdown file"
}

// quote makes a document's words fit to be quoted: on one line, at most n
// characters, without the marks of an HTML comment. The manifest has already
// taken out what is hidden.
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

// visible takes hidden characters out of a path that is shown. Such a path
// cannot be asked for; a name that hides something is not worth it.
func visible(p string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '`' || r == 0x7f || r >= 0x80 && isHidden(r) {
			return -1
		}
		return r
	}, p)
}
