package docent

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Problem is something wrong with the documents.
type Problem struct {
	Kind    string `json:"kind"`  // one of ProblemKinds
	Level   string `json:"level"` // error or warning
	File    string `json:"file"`
	Line    int    `json:"line"`
	Ref     string `json:"ref"` // the section it stands in
	Message string `json:"message"`
}

// A problemKind is a kind of Problem.
type problemKind struct{ name, level, doc string }

// problemKinds are what a check looks for. Errors are what a reader runs into;
// warnings are what an author may have meant.
var problemKinds = []problemKind{
	{"broken-link", "error", "a link leads to a document that is not there"},
	{"broken-anchor", "error", "a link leads to a section that is not there"},
	{"outside", "error", "a link climbs out of the documents"},
	{"missing-image", "error", "an image is not there"},
	{"missing-file", "error", "a file that is linked is not there"},
	{"unresolved-reference", "warning", "words such as \"see section 2.1\" name a section that is not there"},
	{"duplicate-anchor", "warning", "two places of a document have the same name, so that a link finds only the first"},
	{"duplicate-title", "warning", "two documents have the same title"},
	{"orphan", "warning", "no other document links to this one"},
}

// ProblemKinds are the names of what a check looks for.
func ProblemKinds() []string {
	names := make([]string, len(problemKinds))
	for i, k := range problemKinds {
		names[i] = k.name
	}
	return names
}

// A Health is what a check found.
type Health struct {
	Files    int       `json:"files"`
	Links    int       `json:"links"`
	Errors   int       `json:"errors"`
	Warnings int       `json:"warnings"`
	Problems []Problem `json:"problems"` // in the order of files and lines
	Note     string    `json:"note,omitempty"`

	under string // path of the corpus in its git work tree
}

// CheckOptions narrow a check. The zero value looks for everything everywhere.
type CheckOptions struct {
	Only string // kinds of problem, with commas between them
	File string // only problems in files whose path matches this glob
}

// Check looks for what is wrong with the documents: links that lead nowhere,
// documents that no link leads to, names that are there twice.
func (l *Library) Check(ctx context.Context, o CheckOptions) (*Health, error) {
	if err := checkGlob(o.File); err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for kind := range strings.SplitSeq(o.Only, ",") {
		kind = strings.TrimSpace(kind)
		if kind != "" && !slices.Contains(ProblemKinds(), kind) {
			return nil, fmt.Errorf("no kind of problem is called %q: there are %s", kind, strings.Join(ProblemKinds(), ", "))
		}
		wanted[kind] = true
	}
	w, err := l.newWalk()
	if err != nil {
		return nil, err
	}
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	c := &checker{w: w, l: l, linked: map[graph.ID]bool{}, titles: map[string]string{}}
	c.health.Files = len(files)
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := c.page(ctx, k); err != nil {
			return nil, err
		}
	}
	c.orphans(files)
	if l.source != nil && l.source.dir != "" {
		c.health.under = underTop(l.source.dir)
	}
	if l.source == nil {
		c.health.Note = "a pack holds no images: whether they are there was not looked at"
	}
	for _, p := range c.found {
		if (o.Only == "" || wanted[p.Kind]) && (o.File == "" || matchAll([]string{o.File}, p.File)) {
			c.health.add(p)
		}
	}
	slices.SortStableFunc(c.health.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return &c.health, w.err
}

func (h *Health) add(p Problem) {
	h.Problems = append(h.Problems, p)
	if p.Level == "error" {
		h.Errors++
	} else {
		h.Warnings++
	}
}

// Broken reports whether there are errors.
func (h *Health) Broken() bool { return h.Errors > 0 }

// WriteText writes a line a problem, as compilers do, and a line that sums up.
func (h *Health) WriteText(w io.Writer) error {
	b := &strings.Builder{}
	for _, p := range h.Problems {
		fmt.Fprintf(b, "%s:%d: %s: %s\n", visible.Line(p.File), p.Line, p.Kind, visible.Line(p.Message))
	}
	if h.Note != "" {
		fmt.Fprintln(b, h.Note)
	}
	fmt.Fprintf(b, "%s and %s in %s with %s\n", plural(h.Errors, "error"), plural(h.Warnings, "warning"),
		plural(h.Files, "file"), plural(h.Links, "link"))
	_, err := io.WriteString(w, b.String())
	return err
}

// A checker collects problems, file by file.
type checker struct {
	w      *walk
	l      *Library
	health Health
	found  []Problem
	linked map[graph.ID]bool // files that another links to
	titles map[string]string // who has a title, lower case
	looked int               // names that were compared for a better one
}

// maxLooked bounds the comparing: a file with as many sections as broken links
// into it would take the square of its size. Who has that many broken links is
// not helped by a guess at each.
const maxLooked = 100_000

func (c *checker) add(kind string, n node, line int, format string, args ...any) {
	i := slices.IndexFunc(problemKinds, func(k problemKind) bool { return k.name == kind })
	s := c.w.section(n)
	if line == 0 {
		line = max(s.Lines.Start, 1)
	}
	f := c.w.files[n.id]
	if f == nil {
		return
	}
	c.found = append(c.found, Problem{
		Kind: kind, Level: problemKinds[i].level, File: f.path, Line: line, Ref: c.w.ref(n), Message: fmt.Sprintf(format, args...),
	})
}

// page looks at one file.
func (c *checker) page(ctx context.Context, k known) error {
	f, err := c.w.file(k.id())
	if err != nil {
		return err
	}
	edges, err := c.w.graph.Out(k.id())
	if err != nil {
		return err
	}
	c.health.Links += len(edges)
	for i, e := range edges {
		if err := now(ctx, i); err != nil {
			return err
		}
		c.link(e)
	}
	if err := c.anchors(f); err != nil {
		return err
	}
	if title := strings.ToLower(k.file.Title); title != "" {
		if other, ok := c.titles[title]; ok {
			c.add("duplicate-title", node{k.id(), 0}, 0, "%q is the title of %s too", k.file.Title, other)
		} else {
			c.titles[title] = k.path
		}
	}
	return nil
}

// link says what is wrong with a link.
func (c *checker) link(e graph.Edge) {
	at := node{e.From.File, max(e.From.Section, 0)}
	switch e.State {
	case graph.Found, graph.NoAnchor:
		if e.To.File != e.From.File {
			c.linked[e.To.File] = true
		}
		if e.State == graph.NoAnchor {
			c.add("broken-anchor", at, e.Line, "%s has no section %q%s", e.To.Path, e.Anchor, c.nearest(e))
		}
	case graph.Outside:
		c.add("outside", at, e.Line, "%s climbs out of the documents", e.Target)
	case graph.Missing:
		switch {
		case e.Kind == graph.Text:
			c.add("unresolved-reference", at, e.Line, "%q: there is no such section", e.Text)
		case e.Image && c.there(e):
		case e.Image:
			c.add("missing-image", at, e.Line, "%s is not there", e.Target)
		case !c.there(e):
			c.add("broken-link", at, e.Line, "%s leads nowhere", e.Target)
		}
	case graph.Asset:
		switch {
		case c.there(e):
		case e.Image:
			c.add("missing-image", at, e.Line, "%s is not there", e.Target)
		default:
			c.add("missing-file", at, e.Line, "%s is not there", e.Target)
		}
	}
}

// there reports whether a file that is no document, or is not indexed, is there.
// Of a pack it is not known, and taken to be so.
func (c *checker) there(e graph.Edge) bool {
	if c.l.source == nil {
		return e.State == graph.Asset
	}
	return slices.ContainsFunc(e.Files(), c.l.source.tree.Exists)
}

// nearest names the section that a broken link may have meant.
func (c *checker) nearest(e graph.Edge) string {
	f, err := c.w.file(e.To.File)
	if err != nil {
		return ""
	}
	if c.looked += len(f.sections); c.looked > maxLooked {
		return ""
	}
	var anchors []string
	for _, s := range f.sections {
		if s.Anchor != "" {
			anchors = append(anchors, s.Anchor)
		}
	}
	if near := nearestNames(e.Anchor, anchors, 1); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %q?)", near[0])
	}
	return ""
}

// anchors looks for names that a file gives twice: headings beside each other
// ("Added" under each of several releases is as it should be), and ids that were
// written down.
func (c *checker) anchors(f *walked) error {
	type heading struct {
		parent int
		title  string
	}
	first := map[heading]int{}
	for i, s := range f.sections {
		h := heading{s.Parent, slugWords(s.Title)}
		if i == 0 || h.title == "" {
			continue
		}
		if at, ok := first[h]; ok && s.Anchor != "" {
			c.add("duplicate-anchor", node{f.id(), i}, 0, "%q is the heading of line %d too: this one is #%s",
				s.Title, f.sections[at].Lines.Start, s.Anchor)
			continue
		}
		first[h] = i
	}
	links, err := c.l.segs[f.seg].links()
	if err != nil {
		return err
	}
	others, err := links.Anchors(f.row)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var twice []graph.Anchor
	for _, a := range others {
		if seen[a.ID] {
			twice = append(twice, a)
		}
		seen[a.ID] = true
	}
	if len(twice) == 0 {
		return nil
	}
	data, err := c.l.text(f.known)
	if err != nil {
		return err
	}
	written := writtenIDs(string(data))
	for _, a := range twice {
		if written[a.ID] > 1 {
			written[a.ID] = 0 // said once
			c.add("duplicate-anchor", node{f.id(), a.Section}, 0, "the id %q is there twice", a.ID)
		}
	}
	return nil
}

// writtenIDs counts how often a text gives each id in so many words. Terms of a
// list of definitions are places too, but nobody promised that they are unique.
func writtenIDs(text string) map[string]int {
	const maxID = 256
	n := map[string]int{}
	for _, form := range [][2]string{{`id="`, `"`}, {`name="`, `"`}, {`id='`, `'`}, {"{#", "}"}} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, form[0])
			if !ok {
				break
			}
			if id, _, ok := strings.Cut(after[:min(len(after), maxID)], form[1]); ok {
				n[id]++
			}
			rest = after
		}
	}
	return n
}

// orphans are the files that no other links to. Where readers begin is none.
func (c *checker) orphans(files []known) {
	for _, k := range files {
		if !c.linked[k.id()] && !isEntry(k.path) && len(files) > 1 {
			c.add("orphan", node{k.id(), 0}, 1, "no other document links here")
		}
	}
}

// isEntry reports whether a file is where readers begin, or is known by its name.
func isEntry(file string) bool {
	if strings.Contains(file, "/") {
		return false
	}
	switch strings.ToLower(strings.TrimSuffix(file, path.Ext(file))) {
	case "index", "_index", "readme", "home", "summary", "changelog", "license", "licence", "contributing", "agents", "claude", "security":
		return true
	}
	return false
}
