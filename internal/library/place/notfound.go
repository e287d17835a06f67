package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// MaxNearest is how many places are named when one is not found.
const MaxNearest = 3

// NoFile is the error for a file the library does not hold, with the three places
// that come nearest: files of the same name elsewhere or a like one, then sections
// about its words; of what reads like a heading, sections first.
func NoFile(v *snapshot.View, name string) error {
	if err := v.StaleMiss(time.Now()); err != nil {
		return err
	}
	files, err := v.Files()
	if err != nil {
		return err
	}
	paths := make([]string, len(files))
	for i, k := range files {
		paths[i] = k.Path
	}
	skipped, _ := v.Skips()
	for _, s := range skipped {
		if s.Path == CleanPath(name) {
			return fmt.Errorf("%w: %s was skipped: %s", answer.ErrNotFound, s.Path, s.Reason)
		}
	}
	near := words.Nearest(CleanPath(name), paths, MaxNearest)
	if len(near) < MaxNearest {
		about, err := nearestSections(v, name)
		if err != nil {
			return err
		}
		if strings.Contains(name, " ") && !doc.IsMarkdown(name) {
			near = nearestOf(about, near)
		} else {
			near = nearestOf(near, about)
		}
	}
	return &answer.NotFoundError{Name: name, Nearest: near, Err: answer.ErrNotFound}
}

// nearestOf joins places, without repeating any, up to MaxNearest.
func nearestOf(a, b []string) []string {
	var out []string
	for _, ref := range slices.Concat(a, b) {
		if len(out) < MaxNearest && !slices.Contains(out, ref) {
			out = append(out, ref)
		}
	}
	return out
}

// noSection is the error for a section that a file does not have, with those of
// like names in it, then those elsewhere that are about its words.
func noSection(v *snapshot.View, file string, ref doc.Ref, sections []doctable.Section) error {
	if err := v.StaleMiss(time.Now()); err != nil {
		return err
	}
	var anchors []string
	for _, s := range sections {
		if s.Anchor != "" {
			anchors = append(anchors, s.Anchor)
		}
	}
	want := cmp.Or(ref.Anchor, strings.ReplaceAll(strings.ToLower(ref.Heading), " ", "-"))
	near := words.Nearest(want, anchors, MaxNearest)
	for i, a := range near {
		near[i] = doc.Ref{Path: file, Anchor: a}.String()
	}
	if len(near) < MaxNearest {
		about, err := nearestSections(v, want)
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
	return &answer.NotFoundError{Name: name, Nearest: near, Err: answer.ErrNoSection}
}

// NoCode is the error for a code block that is not among the n there are, with the
// last of those.
func NoCode(ref doc.Ref, n int, nth func(int) string) error {
	e := &answer.NotFoundError{Name: ref.String(), Err: answer.ErrNoSection}
	for i := n; i > 0 && len(e.Nearest) < MaxNearest; i-- {
		e.Nearest = append(e.Nearest, nth(i))
	}
	return e
}
