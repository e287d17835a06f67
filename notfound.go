package docent

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
)

// A NotFoundError is an ErrNotFound or ErrNoSection with what comes nearest to
// the name.
type NotFoundError struct {
	Name    string
	Nearest []string // Refs that exist
	err     error
}

func (e *NotFoundError) Error() string { return fmt.Sprintf("%v: %s", e.err, e.Name) }
func (e *NotFoundError) Unwrap() error { return e.err }

// maxNearest is how many places are named when one is not found.
const maxNearest = 3

// noFile is the error for a file the library does not hold, with the three places
// that come nearest: files of the same name elsewhere or a like one, then sections
// about its words; of what reads like a heading, sections first.
func (l *Library) noFile(name string) error {
	if err := l.unsure(time.Now()); err != nil {
		return err
	}
	files, err := l.live()
	if err != nil {
		return err
	}
	paths := make([]string, len(files))
	for i, k := range files {
		paths[i] = k.path
	}
	skipped, _ := l.skips()
	for _, s := range skipped {
		if s.Path == cleanPath(name) {
			return fmt.Errorf("%w: %s was skipped: %s", ErrNotFound, s.Path, s.Reason)
		}
	}
	near := nearestNames(cleanPath(name), paths, maxNearest)
	if len(near) < maxNearest {
		about, err := l.nearestSections(name)
		if err != nil {
			return err
		}
		if strings.Contains(name, " ") && !doc.IsMarkdown(name) {
			near = nearestOf(about, near)
		} else {
			near = nearestOf(near, about)
		}
	}
	return &NotFoundError{Name: name, Nearest: near, err: ErrNotFound}
}

// nearestOf joins places, without repeating any, up to maxNearest.
func nearestOf(a, b []string) []string {
	var out []string
	for _, ref := range slices.Concat(a, b) {
		if len(out) < maxNearest && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// noSection is the error for a section that a file does not have, with those of
// like names in it, then those elsewhere that are about its words.
func (l *Library) noSection(file string, ref doc.Ref, sections []doctable.Section) error {
	if err := l.unsure(time.Now()); err != nil {
		return err
	}
	var anchors []string
	for _, s := range sections {
		if s.Anchor != "" {
			anchors = append(anchors, s.Anchor)
		}
	}
	want := cmp.Or(ref.Anchor, strings.ReplaceAll(strings.ToLower(ref.Heading), " ", "-"))
	near := nearestNames(want, anchors, maxNearest)
	for i, a := range near {
		near[i] = doc.Ref{Path: file, Anchor: a}.String()
	}
	if len(near) < maxNearest {
		about, err := l.nearestSections(want)
		if err != nil {
			return err
		}
		// Who named a section knows the file.
		near = nearestOf(near, slices.DeleteFunc(about, func(ref string) bool { return ref == file }))
	}
	name := ref.String()
	if ref.Heading != "" {
		name = file + "::" + ref.Heading
	}
	return &NotFoundError{Name: name, Nearest: near, err: ErrNoSection}
}

// nearestNames returns the n names most like want: those that share the most
// pairs of letters, with weight on the last element.
func nearestNames(want string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	bare := func(name string) string {
		if doc.IsMarkdown(name) {
			return strings.TrimSuffix(name, path.Ext(name))
		}
		return name
	}
	want = bare(want)
	whole, base := pairs(want), pairs(path.Base(want))
	var all []scored
	for _, name := range names {
		plain := bare(name)
		s := likeness(whole, pairs(plain)) + likeness(base, pairs(path.Base(plain)))
		if s > 0.6 {
			all = append(all, scored{name, s})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var out []string
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.name)
	}
	return out
}

// pairs are the pairs of neighbouring letters of a name.
func pairs(s string) map[[2]byte]int {
	m := map[[2]byte]int{}
	s = " " + strings.ToLower(s[:min(len(s), 256)]) + " "
	for i := 0; i+1 < len(s); i++ {
		m[[2]byte{s[i], s[i+1]}]++
	}
	return m
}

// likeness is Dice's coefficient.
func likeness(a, b map[[2]byte]int) float64 {
	shared, total := 0, 0
	for p, n := range a {
		shared += min(n, b[p])
		total += n
	}
	for _, n := range b {
		total += n
	}
	return 2 * float64(shared) / float64(max(total, 1))
}

// noCode is the error for a code block that is not among the n there are, with the
// last of those.
func noCode(ref doc.Ref, n int, nth func(int) string) error {
	e := &NotFoundError{Name: ref.String(), err: ErrNoSection}
	for i := n; i > 0 && len(e.Nearest) < maxNearest; i-- {
		e.Nearest = append(e.Nearest, nth(i))
	}
	return e
}
