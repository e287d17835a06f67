package measure

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

var goFile = regexp.MustCompile(`[\w./-]+\.go\b`)

// queryPath counts the files that a newcomer reads to follow a question to its
// answer. ARCHITECTURE.md names them, in the first fenced or indented block
// under "## The path of a query".
func queryPath(fsys fs.FS) Row {
	const heading = "## The path of a query"
	r := Row{Name: "files on the path of a query", Most: 10}
	text, err := fs.ReadFile(fsys, "ARCHITECTURE.md")
	if err != nil {
		r.Fault = err.Error()
		return r
	}
	r.Offenders = goFile.FindAllString(block(string(text), heading), -1)
	slices.Sort(r.Offenders)
	r.Offenders = slices.Compact(r.Offenders)
	r.Value = len(r.Offenders)
	if r.Value == 0 {
		r.Fault = fmt.Sprintf("ARCHITECTURE.md has no block with files under %q", heading)
	}
	for _, f := range r.Offenders {
		if _, err := fs.Stat(fsys, f); err != nil {
			r.Fault = f + " does not exist"
		}
	}
	return r
}

// block returns the first code block under a heading, fenced or indented.
func block(text, heading string) string {
	_, after, found := strings.Cut("\n"+text, "\n"+heading+"\n")
	if !found {
		return ""
	}
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(after) {
		fence := strings.HasPrefix(line, "```")
		indented := strings.HasPrefix(line, "    ")
		switch {
		case fence && fenced:
			return out.String()
		case fence:
			fenced = true
		case fenced || indented:
			out.WriteString(line)
		case strings.HasPrefix(line, "## ") || out.Len() > 0 && strings.TrimSpace(line) != "":
			return out.String()
		}
	}
	return out.String()
}
