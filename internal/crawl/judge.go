package crawl

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/docent-md/docent/doc"
)

// enters decides about the folder at path, of that name in the folder of t.
func (w *worker) enters(t task, path, name string) bool {
	if w.excluded(t.rules, path, true) || !w.usable(path, name) {
		return false
	}
	if t.depth == MaxDepth {
		w.skip(Skip{Path: path, Reason: TooDeep, Detail: fmt.Sprintf("more than %d folders down", MaxDepth)})
		return false
	}
	return true
}

// file decides about an item in the folder of t that is not a folder.
func (w *worker) file(t task, it item) {
	markdown := doc.IsMarkdown(it.name)
	if !markdown && it.kind != fs.ModeSymlink || it.name == ".gitignore" {
		return
	}
	path := t.path + it.name
	if !markdown {
		w.link(t.rules, path)
		return
	}
	if w.excluded(t.rules, path, false) || !w.usable(path, it.name) {
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

// excluded reports whether the rules leave out path; see the package comment.
func (w *worker) excluded(r *rules, path string, isDir bool) bool {
	from := "config"
	rule := w.config.Match(path[w.off:], isDir)
	if rule == nil {
		from = "default"
		rule = w.preset.Match(path[w.off:], isDir)
	}
	if rule == nil {
		var in *rules
		if rule, in = r.match(path, isDir); rule != nil {
			from = in.file
		}
	}
	if rule == nil || rule.Negated {
		return false
	}
	w.out.Ignored++
	if w.tell {
		w.skip(Skip{Path: path, Reason: Ignored, Detail: fmt.Sprintf("%s:%d: %s", from, rule.Line, rule.Text)})
	}
	return true
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
