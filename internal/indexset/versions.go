package indexset

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/history"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/words"
)

// Versions of the same documents are indexes whose names differ after an "@": react@17,
// react@18. Without it the newest is meant, and asking all indexes asks the newest of each.

// splitVersion divides a name into what it is of and its version.
func splitVersion(name string) (of, version string, ok bool) { return strings.Cut(name, "@") }

// compareVersions orders versions from old to new: numbers by their values, a release
// after what led up to it (19.0.0-rc.1), and names such as "next" before all numbers, for
// nobody knows what they stand for.
func compareVersions(a, b string) int {
	a, b = strings.TrimPrefix(a, "v"), strings.TrimPrefix(b, "v")
	isNumber := func(s string) int {
		if s != "" && s[0] >= '0' && s[0] <= '9' {
			return 1
		}
		return 0
	}
	coreA, preA, _ := strings.Cut(a, "-")
	coreB, preB, _ := strings.Cut(b, "-")
	isRelease := func(pre string) int {
		if pre == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(isNumber(a)-isNumber(b), words.CompareNatural(coreA, coreB), isRelease(preA)-isRelease(preB), words.CompareNatural(preA, preB))
}

// newest returns the newest version of what a name without one stands for.
func newest(all []answer.NamedIndex, name string) (answer.NamedIndex, bool) {
	var out answer.NamedIndex
	found, best := false, ""
	for _, n := range all {
		if of, version, ok := splitVersion(n.Name); ok && of == name && (!found || compareVersions(version, best) > 0) {
			out, best, found = n, version, true
		}
	}
	return out, found
}

// withoutOlder drops the versions of which there is a newer one.
func withoutOlder(all []answer.NamedIndex) []answer.NamedIndex {
	return slices.DeleteFunc(slices.Clone(all), func(n answer.NamedIndex) bool {
		of, _, ok := splitVersion(n.Name)
		if !ok {
			return false
		}
		last, _ := newest(all, of)
		return last.Name != n.Name
	})
}

// Between says what became of the sections of one index in another, mostly a later version
// of the same documents. With no other, it is the newest version. Refs begin with the name
// of the index that they lead to.
func (s *Set) Between(ctx context.Context, from, to string) (*answer.Changes, error) {
	before, err := s.Named(from)
	if err != nil {
		return nil, err
	}
	if to == "" {
		to, _, _ = splitVersion(from)
	}
	after, err := s.Named(to)
	if err != nil {
		return nil, err
	}
	old, err := versionsOf(ctx, before)
	if err != nil {
		return nil, err
	}
	now, err := versionsOf(ctx, after)
	if err != nil {
		return nil, err
	}
	c := &answer.Changes{Since: before.name, Until: after.name, Sections: history.Compare(old, now)}
	for i := range c.Sections {
		change := &c.Sections[i]
		if change.Was != "" {
			change.Was = before.name + ":" + change.Was
		}
		in := after.name
		if change.Status == "removed" {
			in = before.name
		}
		change.Ref = in + ":" + change.Ref
	}
	c.Count()
	return c, nil
}

func versionsOf(ctx context.Context, n *Named) (out history.Versions, err error) {
	err = refresh.Do(ctx, n, func(snap snapshot.Snapshot) error {
		v, err := snap.View(ctx, snapshot.Want{})
		if err == nil {
			out, err = history.VersionsOf(ctx, v)
		}
		return err
	})
	return out, err
}
