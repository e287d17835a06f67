package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/tool"
	"github.com/spf13/pflag"
)

// What grep has on the command line and nowhere else: the flags that its users type,
// colours, and lines cut to the width of a terminal.

// grepFlags adds flags to grep, and returns what rewrites its arguments and shows its
// answer.
func grepFlags(f *pflag.FlagSet, lib *libraryFlags, out *formatFlags) (arrange func([]string) ([]string, error), show func(*console, tool.Answer) error) {
	given := f.StringArrayP("regexp", "e", nil, "a pattern, which may begin with a dash; several match any of them")
	f.BoolP("line-number", "n", false, "number the lines (the default)")
	f.BoolP("recursive", "r", false, "search folders with all that is in them (the default)")
	f.BoolP("extended-regexp", "E", false, "the pattern is an expression (the default)")
	colour := f.String("color", "auto", "colour what matches: auto, always, never")
	f.Lookup("color").NoOptDefVal = "always"
	arrange = func(args []string) ([]string, error) {
		fixed, _ := f.GetBool("fixed-strings")
		extended, _ := f.GetBool("extended-regexp")
		switch {
		case *colour != "auto" && *colour != "always" && *colour != "never":
			return nil, fmt.Errorf("--color is %q: must be one of auto, always, never", *colour)
		case fixed && extended:
			return nil, fmt.Errorf("a pattern cannot be both plain text (-F) and an expression (-E)")
		case len(*given) > 1 && fixed:
			return nil, fmt.Errorf("--regexp is given %d times: with -F a pattern is one text", len(*given))
		case len(*given) == 1:
			args = append([]string{(*given)[0]}, args...)
		case len(*given) > 1:
			args = append([]string{"(?:" + strings.Join(*given, ")|(?:") + ")"}, args...)
		}
		return lib.elsewhere(args, 1)
	}
	show = func(c *console, found tool.Answer) error {
		if *colour != "auto" {
			c.colour = *colour == "always"
		}
		m, isMatches := found.(*answer.Matches)
		if !isMatches || out.json || m.Empty() || !c.colour && c.width == 0 {
			return out.write(c, found)
		}
		p := painter{console: c, match: matchExpr(f, m.Pattern), words: matchExpr(f, strings.Join(strings.Fields(m.Pattern), "|"))}
		return p.write(m.WriteText)
	}
	return arrange, show
}

// matchExpr returns an expression for what to colour. Only colours depend on it, so where
// the two kinds of expression differ nothing is lost; nil colours nothing.
func matchExpr(f *pflag.FlagSet, pattern string) *regexp.Regexp {
	is := func(flag string) bool { on, _ := f.GetBool(flag); return on }
	if is("fixed-strings") {
		pattern = regexp.QuoteMeta(pattern)
	}
	if is("word-regexp") {
		pattern = `\b(?:` + pattern + `)\b`
	}
	if !is("case-sensitive") {
		pattern = "(?i)" + pattern
	}
	re, _ := regexp.Compile(pattern)
	return re
}

// A painter shows matches on a terminal.
type painter struct {
	*console
	match, words *regexp.Regexp // what to colour: in lines that match, in those that hold all words
}

// numbered is how a line of a document begins.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+[:-] `) })

// write runs write and styles its lines.
func (p *painter) write(write func(io.Writer) error) error {
	b := &strings.Builder{}
	if err := write(b); err != nil {
		return err
	}
	for line := range strings.Lines(b.String()) {
		if _, err := p.out.WriteString(p.line(strings.TrimSuffix(line, "\n")) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// line cuts a line to the width of the terminal, around the first match if that is
// further right, and colours it.
func (p *painter) line(s string) string {
	head := numbered().FindString(s)
	if head == "" {
		ref, title, _ := strings.Cut(cut(s, 0, p.width), "  ")
		if title == "" {
			return ref
		}
		return p.sgr("35", ref) + "  " + p.dim(title)
	}
	text := s[len(head):]
	if strings.HasSuffix(head, "- ") {
		return p.dim(head) + cut(text, 0, p.width-len(head))
	}
	re := p.match
	if re == nil || !re.MatchString(text) {
		re = p.words
	}
	first := 0
	if re != nil {
		if at := re.FindStringIndex(text); at != nil {
			first = at[0]
		}
	}
	text = cut(text, first, p.width-len(head))
	if re != nil && p.colour {
		text = re.ReplaceAllStringFunc(text, func(m string) string { return p.sgr("1;31", m) })
	}
	return p.sgr("32", head) + text
}

// cut returns at most width characters of a text, those around the byte at. A width of
// no use, as without a terminal, cuts nothing.
func cut(s string, at, width int) string {
	runes := []rune(s)
	if width < 20 || len(runes) <= width {
		return s
	}
	from := len([]rune(s[:at])) - width/3
	from = max(min(from, len(runes)-width), 0)
	out := runes[from : from+width]
	if from > 0 {
		out[0] = '…'
	}
	if from+width < len(runes) {
		out[width-1] = '…'
	}
	return string(out)
}
