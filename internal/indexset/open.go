package indexset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
)

// An indexRef identifies one index that a query should search.
type indexRef struct {
	answer.NamedIndex      // without a name: the project's own documents
	byName            bool // it was asked for by name, so that without it there is no answer
}

// resolve returns the indexes that names mean: "all", or names with commas between
// them. All are the named ones, of several versions the newest, and the project's own
// documents, which have no name.
func (s *Set) resolve(names string) ([]indexRef, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	var out []indexRef
	for n := range strings.SplitSeq(names, ",") {
		if n = strings.TrimSpace(n); n != All {
			x, err := s.Find(n)
			if err != nil {
				return nil, err
			}
			out = append(out, indexRef{x, true})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("%w: there are none (docent index --name docs <folder> makes one)", ErrNoIndex)
		}
		for _, x := range withoutOlder(all) {
			out = append(out, indexRef{x, false})
		}
		if s.registry.hasOwn() {
			out = append(out, indexRef{})
		}
	}
	// An index that is named and also among all counts as named.
	slices.SortStableFunc(out, func(a, b indexRef) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 || a.byName == b.byName {
			return c
		}
		if a.byName {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(out, func(a, b indexRef) bool { return a.Name == b.Name }), nil
}

// hasOwn reports whether the project has documents of its own to ask: it has a config,
// or they are indexed already. A folder that merely holds named indexes is not indexed
// by asking those.
func (r *registry) hasOwn() bool {
	if r.project == "" || r.fixed() {
		return false
	}
	own, err := corpus.Find(r.project)
	return err == nil && (own.File != "" || own.HasIndex())
}

// Open opens an index, which stays open until the set is closed.
func (s *Set) Open(ctx context.Context, name string) (*refresh.Live, error) {
	n, err := s.Find(name)
	if err != nil {
		if !s.registry.sees(name) {
			return nil, err
		}
		return nil, errors.Join(err, s.drop(name))
	}
	m, err := s.member(ctx, indexRef{NamedIndex: n, byName: true})
	if err != nil {
		return nil, err
	}
	return m.Live, nil
}

// OpenAll opens all named indexes, so that their files are watched. It reports those
// that cannot be opened.
func (s *Set) OpenAll(ctx context.Context, note func(string)) {
	all, err := s.List()
	if err != nil {
		note(err.Error())
	}
	for _, n := range all {
		if _, err := s.member(ctx, indexRef{NamedIndex: n}); err != nil {
			note(err.Error())
		}
	}
}

// member returns an open index. It opens the index if it is not open, or has changed
// its folder, options or build time since.
func (s *Set) member(ctx context.Context, r indexRef) (*member, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, context.Canceled
	}
	have := s.open[r.Name]
	if have != nil && r.Same(&have.index) {
		return have, nil
	}
	if have != nil {
		delete(s.open, r.Name)
		_ = have.close()
	}
	m, err := s.openMember(ctx, r)
	if err != nil {
		return nil, err
	}
	if s.open == nil {
		s.open = map[string]*member{}
	}
	s.open[r.Name] = m
	return m, nil
}

func (s *Set) openMember(ctx context.Context, r indexRef) (*member, error) {
	m := &member{index: r.NamedIndex}
	var err error
	root, isRoot := s.registry.root(r.Name)
	switch o := s.options; {
	case isRoot:
		m.Live, err = root.open(ctx, o)
	case r.Name == "" && o.Own != nil:
		m.Live, m.shared = o.Own, true
	case o.Background != nil:
		m.Live = s.openInBackground(r)
	case r.Name == "":
		m.Live, err = refresh.Open(ctx, s.registry.project, o.Options)
	default:
		var c *corpus.Corpus
		if c, err = s.registry.corpus(r.NamedIndex); err == nil {
			m.Live, err = refresh.OpenCorpus(ctx, c, o.Options)
		}
	}
	return m, err
}

func (s *Set) openInBackground(r indexRef) *refresh.Live {
	b := *s.options.Background
	if r.Name == "" {
		return refresh.OpenInBackground(s.registry.project, s.options.Options, b)
	}
	if s.options.Watch {
		b.Watch = func(ctx context.Context, changed func()) error {
			return s.Watch(ctx, r.Name, refresh.WatchOptions{Note: s.options.Note}, changed)
		}
	}
	return refresh.OpenCorpusInBackground(func() (*corpus.Corpus, error) { return s.registry.corpus(r.NamedIndex) }, s.options.Options, b)
}

// drop closes an index that is not there any more.
func (m *members) drop(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	have := m.open[name]
	if have == nil {
		return nil
	}
	delete(m.open, name)
	return have.close()
}

func (m *member) close() error {
	if m.shared {
		return nil
	}
	return m.Live.Close()
}

// Shortfall says what answers may lack because indexes are being refreshed in the
// background, or could not be; "" when nothing.
func (s *Set) Shortfall() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := map[string]bool{}
	for name, m := range s.open {
		if !s.registry.sees(name) {
			continue
		}
		if note := m.Shortfall(); note != "" {
			notes[note] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(notes)), "; ")
}

// Close closes all indexes, unless they are another set's.
func (s *Set) Close() error {
	if s.borrowed {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var all []error
	for _, m := range s.open {
		all = append(all, m.close())
	}
	s.open = nil
	return errors.Join(all...)
}
