package crawl

import (
	"bytes"
	"strings"

	"github.com/docent-md/docent/internal/glob"
)

// An Ignore holds the rules of one .gitignore file, by gitignore(5): a rule a
// line, the last that matches wins, "!" takes back an earlier one, a "/" at the
// end means folders only, a "/" anywhere else ties the rule to the file's own
// folder. "#" begins a comment, a backslash takes away a special meaning,
// spaces at the end do not count, nor do a byte order mark and carriage returns.
//
// Rules without wildcards and those like "*.log", which are most, are found by
// hashing: a file that lists ten thousand names costs no more than one that
// lists ten.
type Ignore struct {
	rules []Rule
	names map[string]last // rules without wildcards that match a name
	paths map[string]last // rules without wildcards that match a path
	exts  map[string]last // rules of the form "*.x"
	globs []globRule      // the others, in file order
	wild  int             // bytes of the others
}

// A Rule is one line of an Ignore.
type Rule struct {
	Line    int    // counted from 1
	Text    string // as written, without spaces at the end
	Negated bool   // "!": what it matches is not ignored
}

// last is the number of the last rule with one text: of those for anything,
// and of those for folders only. -1 means none.
type last struct{ any, folder int }

type globRule struct {
	glob.Glob
	rule     int
	anchored bool // matches the whole path, not just its last element
	folder   bool // matches folders only
}

// ParseIgnore reads the text of a .gitignore file. All text is valid; lines
// that can match nothing are dropped.
func ParseIgnore(data []byte) *Ignore {
	g := &Ignore{names: make(map[string]last), paths: make(map[string]last), exts: make(map[string]last)}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	for n := 1; len(data) > 0; n++ {
		var line []byte
		line, data, _ = bytes.Cut(data, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		line, _, _ = bytes.Cut(line, []byte("\x00")) // where git's C strings end
		if len(line) > 0 && line[0] != '#' {
			g.add(n, trimSpaces(string(line)))
		}
	}
	return g
}

func (g *Ignore) add(line int, text string) {
	pattern, negated := strings.CutPrefix(text, "!")
	pattern, folder := strings.CutSuffix(pattern, "/")
	anchored := strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	c, ok := glob.Git(pattern)
	if pattern == "" || !ok {
		return
	}
	n := len(g.rules)
	g.rules = append(g.rules, Rule{Line: line, Text: text, Negated: negated})
	exact := g.names
	key, ok := c.Literal()
	if ok && anchored {
		exact = g.paths
	} else if !ok && !anchored {
		exact = g.exts
		key, ok = c.Extension()
	}
	if !ok {
		g.globs = append(g.globs, globRule{Glob: c, rule: n, anchored: anchored, folder: folder})
		g.wild += len(pattern)
		return
	}
	l, ok := exact[key]
	if !ok {
		l = last{-1, -1}
	}
	if folder {
		l.folder = n
	} else {
		l.any = n
	}
	exact[key] = l
}

// Match returns the rule that decides about the file or folder at path, which
// is relative to the folder of the .gitignore file and has forward slashes. It
// returns nil when none does.
//
// It looks at path alone. A folder that is ignored hides all it holds, so a
// walk must not enter it.
func (g *Ignore) Match(path string, isDir bool) *Rule {
	if g == nil || len(g.rules) == 0 {
		return nil
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	best := max(find(g.names, base, isDir), find(g.paths, path, isDir))
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
		best = max(best, find(g.exts, base[dot:], isDir))
	}
	for i := len(g.globs) - 1; i >= 0 && g.globs[i].rule > best; i-- {
		r := &g.globs[i]
		s := base
		if r.anchored {
			s = path
		}
		if (isDir || !r.folder) && r.Match(s) {
			best = r.rule
			break
		}
	}
	if best < 0 {
		return nil
	}
	return &g.rules[best]
}

func find(exact map[string]last, key string, isDir bool) int {
	l, ok := exact[key]
	switch {
	case !ok:
		return -1
	case isDir:
		return max(l.any, l.folder)
	}
	return l.any
}

// trimSpaces takes off the spaces at the end that no backslash protects.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		if s[i] == ' ' {
			continue
		}
		if s[i] == '\\' {
			i++
		}
		end = i + 1
	}
	return s[:min(end, len(s))]
}
