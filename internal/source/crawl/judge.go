package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/docent-md/docent/doc"
)

// enters decides about the folder of t, which is at path, and by which rules it
// is read.
func (w *worker) enters(t *task, path string) bool {
	switch at := path[w.off:]; {
	case w.named.is[at]:
		if rule, _ := w.rule(t.rules, path, true); t.strict || rule != nil && !rule.Negated {
			t.strict, t.rules = false, nil
		}
	case w.named.below[at]:
		t.strict = t.strict || w.excluded(t.rules, path, true)
	case t.strict || w.excluded(t.rules, path, true):
		return false
	}
	if !w.usable(path, t.name) {
		return false
	}
	if t.depth > MaxDepth {
		w.skip(Skip{Path: path, Reason: TooDeep, Detail: fmt.Sprintf("more than %d folders down", MaxDepth)})
		return false
	}
	return true
}

// named are the places that no rule leaves out.
type named struct {
	is    map[string]bool
	below map[string]bool // the folders that they lie in
}

func newNamed(paths []string) named {
	n := named{map[string]bool{}, map[string]bool{}}
	for _, p := range paths {
		n.is[p] = true
		for i := range len(p) {
			if p[i] == '/' {
				n.below[p[:i]] = true
			}
		}
	}
	return n
}

// file decides about an item in the folder of t that is not a folder.
func (w *worker) file(t task, it item) {
	markdown := doc.IsMarkdown(it.name)
	if !markdown && it.kind != fs.ModeSymlink || it.name == ".gitignore" {
		return
	}
	path := t.path + it.name
	if !w.named.is[path[w.off:]] {
		if t.strict {
			return
		}
		if !markdown {
			w.link(t.rules, path)
			return
		}
		if w.excluded(t.rules, path, false) {
			return
		}
	}
	if !markdown || !w.usable(path, it.name) {
		return
	}
	switch {
	case it.kind == fs.ModeSymlink:
		w.skip(Skip{Path: path, Reason: Symlink})
		return
	case !it.kind.IsRegular():
		w.skip(Skip{Path: path, Reason: NotRegular})
		return
	case it.err != nil:
		w.failed(path, it.err)
		return
	}
	e := Entry{Path: path[w.off:], Size: it.size, ModTime: it.time}
	if skip := checkSize(e, w.max); skip != nil {
		w.out.Skipped = append(w.out.Skipped, *skip)
		return
	}
	if n := len(w.out.Files); n == cap(w.out.Files) {
		w.out.Files = slices.Grow(w.out.Files, max(n, 64)) // append would throw away four times what is used
	}
	w.out.Files = append(w.out.Files, e)
}

// link reports a symbolic link that leads to a folder or, because it leads out
// of the tree, perhaps to one.
func (w *worker) link(r *rules, path string) {
	info, err := w.tree.top.stat(path[w.off:])
	if err == nil && !info.IsDir() || errors.Is(err, fs.ErrNotExist) {
		return
	}
	if w.excluded(r, path, true) {
		return
	}
	detail := "to a folder"
	if err != nil {
		detail = cause(err).Error()
	}
	w.skip(Skip{Path: path, Reason: Symlink, Detail: detail})
}

// excluded reports whether the rules leave out path, and takes note of it.
func (w *worker) excluded(r *rules, path string, isDir bool) bool {
	rule, from := w.rule(r, path, isDir)
	if rule == nil || rule.Negated {
		return false
	}
	w.out.Ignored++
	if w.tell {
		w.skip(Skip{Path: path, Reason: Ignored, Detail: fmt.Sprintf("%s:%d: %s", from, rule.Line, rule.Text)})
	}
	return true
}

// rule returns the rule that decides about path, nil where none does, and where
// it stands; see the package comment.
func (w *worker) rule(r *rules, path string, isDir bool) (*Rule, string) {
	if rule := w.config.Match(path[w.off:], isDir); rule != nil {
		return rule, "config"
	}
	if rule := w.preset.Match(path[w.off:], isDir); rule != nil {
		return rule, "default"
	}
	if rule, in := r.match(path, isDir); rule != nil {
		return rule, in.file
	}
	return nil, ""
}

// usable reports whether we can speak of path. The names above its last have
// passed already.
func (w *worker) usable(path, name string) bool {
	if detail := badName(name); detail != "" {
		w.skip(Skip{Path: path, Reason: BadName, Detail: detail})
		return false
	}
	if n := len(path) - w.off; n > maxPath {
		w.skip(Skip{Path: path, Reason: TooDeep, Detail: fmt.Sprintf("a path of %d bytes", n)})
		return false
	}
	return true
}

func (w *worker) skip(s Skip) {
	s.Path = printable(s.Path[min(w.off, len(s.Path)):])
	w.out.Skipped = append(w.out.Skipped, s)
}

func (w *worker) failed(path string, err error) {
	if s := failed(path, err); s != nil {
		w.skip(*s)
	} else {
		w.stop(err)
	}
}
