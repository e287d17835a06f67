package place

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/retrieve"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// MaxNearest is how many places are named when one is not found.
const MaxNearest = 3

// NoFile is the error for a file the library does not hold, with the three places
// that come nearest: files of the same name elsewhere or a like one, then sections
// about its words; of what reads like a heading, sections first. A name that is not that
// of a Markdown file may be meant for a folder.
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
	if !doc.IsMarkdown(name) {
		paths = withFolders(paths)
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

// byHeading finds a section anywhere by the text of its heading or by the number
// that begins it, and returns its Ref; "" when there is none. Of several the one
// that a search finds first is meant or, of numbers, the first in the order of
// paths.
func byHeading(v *snapshot.View, text string) (string, error) {
	plain := words.Slug(text)
	if plain == "" || strings.Contains(text, "#") || strings.Contains(text, "::") {
		return "", nil
	}
	hits, _, err := retrieve.Lexical(v, answer.Query{Text: plain}, index.Parse(plain), retrieve.Pool, retrieve.Pool)
	if err != nil {
		return "", err
	}
	for _, h := range hits {
		found := ""
		err := h.EachSection(func(_ int, s doctable.Section) bool {
			if words.Slug(s.Title) == plain {
				found = answer.RefIn(h.File.Path, s.Anchor)
			}
			return found == ""
		})
		if err != nil || found != "" {
			return found, err
		}
	}
	if strings.ContainsAny(text, "0123456789") && !strings.ContainsAny(text, " /") {
		return byNumber(v, text)
	}
	return "", nil
}

func byNumber(v *snapshot.View, number string) (string, error) {
	files, err := v.Files()
	if err != nil {
		return "", err
	}
	for _, k := range files {
		for i := range k.Info.Sections {
			s, err := v.Section(k, i)
			if err != nil {
				return "", err
			}
			if isNumbered(s.Title, number) {
				return answer.RefIn(k.Path, s.Anchor), nil
			}
		}
	}
	return "", nil
}

// isNumbered reports whether a heading begins with a number: "2.1. Keys" with 2.1.
func isNumbered(title, number string) bool {
	first, _, more := strings.Cut(title, " ")
	return more && strings.EqualFold(strings.TrimRight(first, ".:"), number)
}

// minSimilarity is the least similarity of a heading to a name that may be that heading
// misspelt.
const minSimilarity = 0.4

// nearestSections are the best answers to a name that nothing has: of each chunk
// the section whose heading is most similar to it. The first section of a file is the
// file. Where words had to be corrected, only headings with a corrected word count: what
// is about another word was not meant.
func nearestSections(v *snapshot.View, name string) ([]string, error) {
	if doc.IsMarkdown(name) { // else what is about Markdown would be near
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	plain := words.Slug(name)
	hits, res, err := retrieve.Lexical(v, answer.Query{Text: plain}, index.Parse(plain), retrieve.Pool, retrieve.Pool)
	if err != nil {
		return nil, err
	}
	want := words.Pairs(plain)
	var out []string
	for _, h := range hits[:min(len(hits), MaxNearest)] {
		best, at, anchor, meant := -1.0, 0, "", len(res.Corrections) == 0
		err := h.EachSection(func(i int, s doctable.Section) bool {
			title := strings.ToLower(words.Slug(s.Title))
			if similarity := words.Similarity(want, words.Pairs(title)); similarity > best {
				best, at, anchor = similarity, i, s.Anchor
			}
			meant = meant || slices.ContainsFunc(res.Corrections, func(c index.Correction) bool {
				return slices.Contains(strings.Fields(title), c.To)
			})
			return true
		})
		if err != nil {
			return nil, err
		}
		if !meant && best < minSimilarity {
			continue
		}
		if at == h.File.FirstSection {
			out = append(out, h.File.Path)
		} else {
			out = append(out, answer.RefIn(h.File.Path, anchor))
		}
	}
	return out, nil
}
