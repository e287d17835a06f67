package browse

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
)

// An overview shows folders before what is in them: a corpus of ten thousand files has
// no other table of contents that anyone could read. All entries of a level are shown
// before any of the next; of one level, what takes the least room is opened first.
const (
	overviewBudget = 2000 // tokens, unless an overview is asked for with another
	maxParsed      = 200  // files whose headings are read for an overview
)

// Overview lists what is in a folder, or the headings of a file, within a budget; ""
// means all documents.
func Overview(ctx context.Context, s snapshot.Snapshot, ref string, o answer.OverviewOptions) (*answer.Overview, error) {
	all, err := filesWhere(ctx, s, o.Where)
	if err != nil {
		return nil, err
	}
	names := place.Spellings(ref)
	out := &answer.Outline{Files: []answer.OutlineFile{}}
	for _, f := range all {
		if isIn(f.File, names) {
			out.AddFile(answer.OutlineFile{File: f.File, Title: markdown.Tidy(f.Title), Lines: f.Lines, Tokens: f.Tokens, Count: f.Sections})
		}
	}
	// A file or a section, no such thing, or headings of few files: these have to be read.
	if len(out.Files) == 0 || o.Depth > 0 && len(out.Files) <= maxParsed {
		if out, err = Outline(ctx, s, ref, o.Depth, o.Where); err != nil {
			return nil, err
		}
	}
	a, err := newAtlas(o)
	if err != nil {
		return nil, err
	}
	if v, err := s.View(ctx, snapshot.Want{}); err == nil { // a database has none
		a.about = func(dir string) (string, error) { return aboutFolder(v, dir) }
	}
	return a.overview(out, ref, o)
}

// filesWhere lists the files that meet some conditions.
func filesWhere(ctx context.Context, s snapshot.Snapshot, where []string) ([]answer.FileInfo, error) {
	if len(where) == 0 {
		return s.Files(ctx, "")
	}
	asked := time.Now()
	v, err := s.View(ctx, snapshot.Want{})
	if err != nil {
		return nil, err
	}
	if v, err = filter.Where(ctx, v, where, asked); err != nil {
		return nil, err
	}
	files, err := v.Files()
	out := make([]answer.FileInfo, len(files))
	for i, k := range files {
		out[i] = k.Describe()
	}
	return out, err
}

// OverviewOf is the overview of a table of contents.
func OverviewOf(out *answer.Outline, of string, o answer.OverviewOptions) (*answer.Overview, error) {
	a, err := newAtlas(o)
	if err != nil {
		return nil, err
	}
	return a.overview(out, of, o)
}

func newAtlas(o answer.OverviewOptions) (*atlas, error) {
	count, err := corpus.Ceiling("")
	if err != nil {
		return nil, err
	}
	return &atlas{count: func(s string) int { return count([]byte(s)) }, room: cmp.Or(o.Budget, overviewBudget)}, nil
}

func (a *atlas) overview(out *answer.Outline, of string, o answer.OverviewOptions) (*answer.Overview, error) {
	root := a.tree(out)
	for len(root.children) == 1 && len(root.children[0].children) > 0 && root.children[0].entry.Files > 0 {
		root = root.children[0]
		of = strings.TrimSuffix(root.entry.Ref, "/")
	}
	view := &answer.Overview{Of: of, Entries: []answer.OverviewEntry{}, Total: out.Total, Count: len(root.children), Offset: min(max(o.Offset, 0), len(root.children))}
	view.Whole = o.Offset == 0 && a.plain(out) <= a.room
	probe := *view
	probe.Next, probe.Closed = view.Count+1, 1
	a.room -= a.count(probe.Closing())
	shown := root.children[view.Offset:]
	for i, b := range shown {
		if a.room -= b.cost(a, 0); a.room < 0 && i > 0 {
			view.Next = view.Offset + i
			shown = shown[:i]
			break
		}
	}
	if view.Next == 0 {
		if err := a.describe(shown); err != nil {
			return nil, err
		}
		a.openLevels(shown)
	}
	for _, b := range shown {
		b.show(view, 0)
	}
	return view, nil
}

// An atlas is an overview being made.
type atlas struct {
	count func(string) int
	room  int                              // tokens that are left
	about func(dir string) (string, error) // what a folder is about; nil where that is not known
}

// A branch is a folder, a file or a heading, with what is in it.
type branch struct {
	entry    answer.OverviewEntry
	children []*branch
	open     bool
}

// tree arranges the files of a table of contents by their folders.
func (a *atlas) tree(out *answer.Outline) *branch {
	root := &branch{}
	folders := map[string]*branch{"": root}
	var folder func(dir string) *branch
	folder = func(dir string) *branch {
		if b := folders[dir]; b != nil {
			return b
		}
		b := &branch{entry: answer.OverviewEntry{Ref: dir + "/"}}
		folders[dir] = b
		parent := folder(parentOf(dir))
		parent.children = append(parent.children, b)
		return b
	}
	for _, f := range out.Files {
		dir := parentOf(f.File)
		in := folder(dir)
		b := &branch{entry: answer.OverviewEntry{Ref: f.File, Title: f.Title, Tokens: f.Tokens}}
		b.children = headings(f.Sections)
		if len(out.Files) == 1 && len(b.children) > 0 { // the file itself is the first heading
			root.children = b.children
			return root
		}
		in.children = append(in.children, b)
		if in != root && isFront(f.File) && in.entry.Title == "" {
			in.entry.Title = f.Title
		}
		for d := dir; d != ""; d = parentOf(d) {
			folders[d].entry.Files++
			folders[d].entry.Tokens += f.Tokens
		}
	}
	root.collapse()
	return root
}

// collapse puts what is alone in a folder in the folder's place.
func (b *branch) collapse() {
	for i, c := range b.children {
		for c.entry.Files > 0 && len(c.children) == 1 {
			c = c.children[0]
		}
		c.collapse()
		b.children[i] = c
	}
}

// headings are the branches of some sections. Of a document that is one section, those
// under it stand beside it.
func headings(sections []answer.OutlineSection) []*branch {
	var out []*branch
	for _, s := range sections {
		b := &branch{entry: answer.OverviewEntry{Ref: s.Ref, Title: s.Title, Tokens: s.Tokens}}
		under := headings(s.Children)
		out = append(out, b)
		if s.Level <= 1 && len(sections) == 1 {
			out = append(out, under...)
		} else {
			b.children = under
		}
	}
	return out
}

// parentOf is the folder of a path; "" for the top.
func parentOf(p string) string {
	if dir := path.Dir(p); dir != "." && dir != "/" {
		return dir
	}
	return ""
}

// isFront reports whether a file is the front page of its folder.
func isFront(file string) bool {
	name := strings.ToLower(path.Base(file))
	return slices.Contains([]string{"index", "_index", "readme"}, strings.TrimSuffix(name, path.Ext(name)))
}

// plain is about what the table of contents costs without an overview.
func (a *atlas) plain(out *answer.Outline) int {
	sum := 40 // for its closing line
	for _, f := range out.Files {
		if sum > a.room {
			break
		}
		if len(f.Sections) == 0 {
			e := answer.OverviewEntry{Ref: f.File, Title: f.Title, Tokens: f.Tokens, Files: f.Count}
			sum += a.count(e.Line()) + 1
		}
		for _, b := range headings(f.Sections) {
			sum += b.costOfAll(a)
		}
	}
	return sum
}

func (b *branch) cost(a *atlas, level int) int {
	e := b.entry
	e.Level = level
	return a.count(e.Line())
}

func (b *branch) costOfAll(a *atlas) int {
	sum := b.cost(a, 3)
	for _, c := range b.children {
		sum += c.costOfAll(a)
	}
	return sum
}

// describe says what folders are about, in a quarter of the room at most: a reader who
// knows that needs to open fewer.
func (a *atlas) describe(branches []*branch) error {
	if a.about == nil {
		return nil
	}
	room, read := a.room/4, 0
	for _, b := range branches {
		if b.entry.Files == 0 || read >= maxParsed {
			continue
		}
		read++
		about, err := a.about(strings.TrimSuffix(b.entry.Ref, "/"))
		if err != nil {
			return err
		}
		if about == "" || about == b.entry.Title {
			continue
		}
		before := b.cost(a, 0)
		b.entry.About = about
		if more := b.cost(a, 0) - before; more <= room {
			room -= more
			a.room -= more
		} else {
			b.entry.About = ""
		}
	}
	return nil
}

// openLevels opens branches as long as there is room, level by level.
func (a *atlas) openLevels(branches []*branch) {
	for level := 1; len(branches) > 0; level++ {
		costs := map[*branch]int{}
		for _, b := range branches {
			for _, c := range b.children {
				if costs[b] += c.cost(a, level); costs[b] > a.room {
					break
				}
			}
		}
		byCost := slices.Clone(branches)
		slices.SortStableFunc(byCost, func(x, y *branch) int { return cmp.Compare(costs[x], costs[y]) })
		var next []*branch
		for _, b := range byCost {
			if len(b.children) > 0 && costs[b] <= a.room {
				b.open = true
				a.room -= costs[b]
				next = append(next, b.children...)
			}
		}
		branches = next
	}
}

// show adds a branch, and what is in it if it is open.
func (b *branch) show(view *answer.Overview, level int) {
	e := b.entry
	e.Level = level
	e.Closed = len(b.children) > 0 && !b.open
	if e.Closed {
		view.Closed++
	}
	view.Entries = append(view.Entries, e)
	if b.open {
		for _, c := range b.children {
			c.show(view, level+1)
		}
	}
}
