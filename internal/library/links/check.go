package links

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/source/git"
	"github.com/docent-md/docent/internal/text/words"
)

// Check looks for problems in the documents: broken links, documents that no link leads
// to, duplicate titles and anchors.
func Check(ctx context.Context, v *snapshot.View, o answer.CheckOptions) (*answer.Health, error) {
	if err := snapshot.CheckGlob(o.File); err != nil {
		return nil, err
	}
	below, err := place.Below(v, o.Paths)
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	for kind := range strings.SplitSeq(o.Only, ",") {
		kind = strings.TrimSpace(kind)
		if kind != "" && !slices.Contains(answer.ProblemKinds(), kind) {
			return nil, fmt.Errorf("no kind of problem is called %q: there are %s", kind, strings.Join(answer.ProblemKinds(), ", "))
		}
		wanted[kind] = true
	}
	w, err := NewWalk(v)
	if err != nil {
		return nil, err
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	shown := func(file string) bool {
		return (o.File == "" || snapshot.MatchPath([]string{o.File}, file)) && below(file)
	}
	c := &checker{w: w, v: v, health: answer.Health{Problems: []answer.Problem{}}, linked: map[graph.ID]bool{}, titles: map[string]string{}}
	c.asked = func(kind, file string) bool { return (o.Only == "" || wanted[kind]) && shown(file) }
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(w.files) > maxKept {
			clear(w.files)
		}
		links := c.health.Links
		if err := c.page(ctx, k); err != nil {
			return nil, err
		}
		if shown(k.Path) {
			c.health.Files++
		} else {
			c.health.Links = links
		}
	}
	c.orphans(files)
	if dir := v.Origin.Dir(); dir != "" {
		if _, under := git.Under(dir); under != "." {
			c.health.Under = under
		}
	}
	if _, known := v.Origin.Exists("."); !known {
		c.health.Note = "a pack holds no images: whether they are there was not looked at"
	}
	for _, p := range c.found {
		c.health.Add(p)
	}
	slices.SortStableFunc(c.health.Problems, func(a, b answer.Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return &c.health, w.Err
}

// A checker collects problems, file by file.
type checker struct {
	w      *Walk
	v      *snapshot.View
	health answer.Health
	found  []answer.Problem
	asked  func(kind, file string) bool // whether a problem is shown: others are not looked for
	linked map[graph.ID]bool            // files that another links to
	titles map[string]string            // path of the first file with a title, in lower case

	verdicts map[linkKey]verdict // on the links of the file that is looked at

	looked int // anchors that were compared to suggest one
}

// maxKept is of how many files the sections are kept in memory. Links lead to few others
// than those near by, and what is gone is read again.
const maxKept = 10_000

// maxLooked limits looked: a file with as many sections as broken links into it would
// take quadratic time, and with that many broken links a guess at each is no help.
const maxLooked = 100_000

func (c *checker) add(kind string, n Node, line int, message string) {
	i := slices.IndexFunc(answer.AllProblemKinds, func(k answer.ProblemKind) bool { return k.Name == kind })
	s := c.w.section(n)
	if line == 0 {
		line = max(s.Lines.Start, 1)
	}
	f := c.w.files[n.ID]
	if f == nil || !c.asked(kind, f.Path) {
		return
	}
	c.found = append(c.found, answer.Problem{
		Kind: kind, Level: answer.AllProblemKinds[i].Level, File: f.Path, Line: line, Ref: c.w.ref(n), Message: message,
	})
}

// page looks at one file.
func (c *checker) page(ctx context.Context, k snapshot.File) error {
	f, err := c.w.file(k.ID())
	if err != nil {
		return err
	}
	edges, err := c.w.Graph.Out(k.ID())
	if err != nil {
		return err
	}
	c.health.Links += len(edges)
	c.verdicts = map[linkKey]verdict{}
	judged := slices.ContainsFunc(linkProblems, func(kind string) bool { return c.asked(kind, k.Path) })
	for i, e := range edges {
		if err := snapshot.Canceled(ctx, i); err != nil {
			return err
		}
		if c.follow(e); judged {
			c.link(e)
		}
	}
	if c.asked("duplicate-anchor", k.Path) {
		if err := c.anchors(f); err != nil {
			return err
		}
	}
	if title := strings.ToLower(k.Info.Title); title != "" {
		if other, ok := c.titles[title]; ok {
			c.add("duplicate-title", Node{k.ID(), 0}, 0, fmt.Sprintf("%q is the title of %s too", k.Info.Title, other))
		} else {
			c.titles[title] = k.Path
		}
	}
	return nil
}

// follow notes which file a link leads to.
func (c *checker) follow(e graph.Edge) {
	if (e.State == graph.Found || e.State == graph.NoAnchor) && e.To.File != e.From.File {
		c.linked[e.To.File] = true
	}
}

// link says what is wrong with a link, if anything is.
func (c *checker) link(e graph.Edge) {
	if e.State == graph.Found || e.State == graph.External {
		return
	}
	key := linkKey{e.State, e.Kind, e.Image, e.Target, e.Text}
	if e.Kind != graph.Text {
		key.text = ""
	}
	v, ok := c.verdicts[key]
	if !ok {
		v = c.judge(e)
		c.verdicts[key] = v
	}
	if v.kind != "" {
		c.add(v.kind, Node{e.From.File, max(e.From.Section, 0)}, e.Line, v.message)
	}
}

// anchors looks for duplicate anchors in a file: of headings with the same parent
// ("Added" under each of several releases is fine), and of explicit ids.
func (c *checker) anchors(f *fileSections) error {
	type heading struct {
		parent int
		title  string
	}
	first := map[heading]int{}
	for i, s := range f.sections {
		h := heading{s.Parent, words.Slug(s.Title)}
		if i == 0 || h.title == "" {
			continue
		}
		if at, ok := first[h]; ok && s.Anchor != "" {
			c.add("duplicate-anchor", Node{f.ID(), i}, 0, fmt.Sprintf("%q is the heading of line %d too: this one is #%s",
				s.Title, f.sections[at].Lines.Start, s.Anchor))
			continue
		}
		first[h] = i
	}
	links, err := c.v.Segments[f.Seg].Links()
	if err != nil {
		return err
	}
	others, err := links.Anchors(f.Row)
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
	data, err := c.v.Text(f.File)
	if err != nil {
		return err
	}
	written := writtenIDs(string(data))
	for _, a := range twice {
		if written[a.ID] > 1 {
			written[a.ID] = 0 // said once
			c.add("duplicate-anchor", Node{f.ID(), a.Section}, 0, fmt.Sprintf("the id %q is there twice", a.ID))
		}
	}
	return nil
}

// writtenIDs counts the explicit ids in a text. Terms of a definition list are anchors
// too, but need not be unique.
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
func (c *checker) orphans(files []snapshot.File) {
	for _, k := range files {
		if !c.linked[k.ID()] && !isEntry(k.Path) && len(files) > 1 {
			c.add("orphan", Node{k.ID(), 0}, 1, "no other document links here")
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
