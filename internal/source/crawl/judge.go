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
		t.left = nil
	case w.named.below[at]:
		t.strict = t.strict || w.excluded(t, path, true)
	case t.strict && !w.tell || w.excluded(t, path, true) && !w.tell:
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
		if t.left != nil && markdown {
			w.skip(Skip{Path: path, Reason: t.left.Reason, Detail: t.left.Detail})
		}
		if t.strict || t.left != nil {
			return
		}
		if !markdown {
			w.link(t, path)
			return
		}
		if w.excluded(&t, path, false) {
			if w.tell {
				w.skip(Skip{Path: path, Reason: t.left.Reason, Detail: t.left.Detail})
			}
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
func (w *worker) link(t task, path string) {
	info, err := w.tree.top.stat(path[w.off:])
	if err == nil && !info.IsDir() || errors.Is(err, fs.ErrNotExist) {
		return
	}
	if w.excluded(&t, path, true) {
		return
	}
	detail := "to a folder"
	if err != nil {
		detail = cause(err).Error()
	}
	w.skip(Skip{Path: path, Reason: Symlink, Detail: detail})
}

// excluded reports whether the rules leave out path, and takes note of it: in t, of
// which it is the folder or a file of it, where that is asked for.
func (w *worker) excluded(t *task, path string, isDir bool) bool {
	rule, why := w.rule(t.rules, path, isDir)
	if rule == nil || rule.Negated {
		return false
	}
	w.out.Ignored++
	if w.tell && t.left == nil {
		t.left = &why
	}
	return true
}

// rule returns the rule that decides about path, nil where none does, and what it says
// of paths that it leaves out; see the package comment.
func (w *worker) rule(r *rules, path string, isDir bool) (*Rule, Skip) {
	at := path[w.off:]
	if rule := w.config.Match(at, isDir); rule != nil {
		return rule, Skip{Reason: ByConfig, Detail: rule.Text}
	}
	if rule := w.preset.Match(at, isDir); rule != nil && !isPage(w.tree.top.open, at) {
		if rule.Line == 1 {
			return rule, Skip{Reason: Hidden}
		}
		return rule, Skip{Reason: ByDefault, Detail: rule.Text}
	}
	if rule, in := r.match(path, isDir); rule != nil {
		return rule, Skip{Reason: ByGit, Detail: fmt.Sprintf("%s:%d: %s", in.file, rule.Line, rule.Text)}
	}
	return nil, Skip{}
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
