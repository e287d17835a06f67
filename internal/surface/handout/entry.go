package handout

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/docent-md/docent/answer"
)

func newEntry(f *answer.ManifestFile, folder string, common map[string]bool) *entry {
	name := visible(strings.TrimPrefix(f.File, folder))
	e := &entry{name: name}
	title := quote(f.Title, maxTitle)
	if slug(title) == slug(strings.TrimSuffix(path.Base(name), path.Ext(name))) {
		title = ""
	}
	e.line[1] = strings.TrimSuffix(strings.TrimSuffix(name, ".md"), "/index")
	e.line[2] = strings.TrimRight(name+" "+title, " ")
	e.line[3], e.line[4] = e.line[2], e.line[2]
	if !isChangelog(f) {
		e.line[3] = withHeadings(e.line[2], f, 2, maxHeadings, common)
		e.line[4] = withHeadings(e.line[2], f, 3, 2*maxHeadings, common)
	}
	e.stub = f.Tokens < stubTokens && e.line[3] == e.line[2]
	return e
}

// isChangelog reports whether most headings of a file are versions or dates: they say
// nothing of what the file is about.
func isChangelog(f *answer.ManifestFile) bool {
	versions, all := 0, 0
	for _, h := range f.Headings {
		if h.Level == 2 {
			all++
			if versionHeading().MatchString(h.Title) {
				versions++
			}
		}
	}
	return all >= 3 && 2*versions > all
}

// versionHeading matches headings such as v2.11.0 (2025-03-27), [1.2], Version 3, 2024.
var versionHeading = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\W*(v|version|release)?\s*\d+([.-]\d+)*`)
})

// withHeadings adds a file's headings down to a heading level, as many as fit into n
// bytes. Those below level 2 are in brackets after their parent.
func withHeadings(line string, f *answer.ManifestFile, deepest, n int, common map[string]bool) string {
	b := &strings.Builder{}
	inside := false
	for _, h := range f.Headings {
		text := quote(h.Title, maxTitle)
		if h.Level < 2 || h.Level > deepest || text == "" || common[slug(text)] {
			continue
		}
		if b.Len()+len(text) > n {
			text = "…"
		}
		switch {
		case h.Level == 2 && inside:
			b.WriteString("); " + text)
		case b.Len() == 0 || h.Level > 2 && inside || h.Level == 2:
			if b.Len() > 0 {
				b.WriteString("; ")
			}
			b.WriteString(text)
		default:
			b.WriteString(" (" + text)
			inside = true
		}
		inside = inside && h.Level > 2
		if text == "…" {
			break
		}
	}
	if b.Len() == 0 {
		return line
	}
	if inside {
		b.WriteString(")")
	}
	return line + ": " + b.String()
}

// commonHeadings returns those that more than a tenth of the files have, and at least
// six files.
func commonHeadings(files []answer.ManifestFile) map[string]bool {
	n := map[string]int{}
	for _, f := range files {
		seen := map[string]bool{}
		for _, h := range f.Headings {
			if s := slug(quote(h.Title, maxTitle)); !seen[s] {
				seen[s] = true
				n[s]++
			}
		}
	}
	common := map[string]bool{}
	for s, k := range n {
		common[s] = k > max(5, len(files)/10)
	}
	return common
}
