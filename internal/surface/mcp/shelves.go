package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/docent-md/docent"
)

// WithIndex runs fn with the newest library of a named index, as With does with the
// server's own. It is opened when it is first asked for, and kept open.
func (s *Server) WithIndex(ctx context.Context, name string, fn func(*docent.Library) error) (note string, err error) {
	n, err := s.opts.Catalogue.Find(name)
	if err != nil {
		return "", errors.Join(err, s.named.drop(name))
	}
	shelf, err := s.named.of(s, docent.Wanted{NamedIndex: n})
	if err != nil {
		return "", err
	}
	return shelf.with(ctx, fn)
}

// searchIndexes answers a question from the newest libraries of the indexes that names
// mean. Files are compared as often as those of the server's own library.
func (s *Server) searchIndexes(ctx context.Context, names string, q docent.Query) (a *docent.Answer, note string, err error) {
	wanted, err := s.opts.Catalogue.Wanted(names)
	if err != nil {
		return nil, "", err
	}
	many := &borrowing{s: s, notes: map[string]bool{}}
	for _, w := range wanted {
		shelf, err := s.named.of(s, w)
		if err != nil {
			return nil, "", err
		}
		shelf.refresh() // all at once, before the first is waited for
		many.wanted, many.shelves = append(many.wanted, w), append(many.shelves, shelf)
	}
	o := &s.opts
	err = many.with(ctx, 0, nil, nil, func(libs []docent.Lent, left []string) (err error) {
		a, err = o.Catalogue.SearchLent(ctx, names, libs, left, q, docent.Options{Note: o.Note, Remote: o.Remote, Assistant: o.Assistant})
		return err
	})
	return a, strings.Join(slices.Sorted(maps.Keys(many.notes)), "; "), err
}

// A borrowing takes libraries from several shelves, one within the other, so that each
// shelf sees to its own: an error that is about its library comes back to it.
type borrowing struct {
	s       *Server
	wanted  []docent.Wanted
	shelves []*shelf
	notes   map[string]bool
	missing error // why the first of those left out could not be opened
}

// with borrows the libraries from number at on, and runs fn with these and the ones it
// is given.
func (b *borrowing) with(ctx context.Context, at int, libs []docent.Lent, left []string, fn func([]docent.Lent, []string) error) error {
	if at == len(b.wanted) && len(libs) == 0 && b.missing != nil {
		return b.missing
	}
	if at == len(b.wanted) {
		return fn(libs, left)
	}
	w, ran := b.wanted[at], false
	note, err := b.shelves[at].with(ctx, func(lib *docent.Library) error {
		ran = true
		err := b.with(ctx, at+1, append(slices.Clip(libs), docent.Lent{Name: w.Name, Library: lib}), left, fn)
		if lent, ok := errors.AsType[*docent.LentError](err); ok && lent.Name == w.Name {
			return lent.Err
		}
		return err
	})
	if note != "" {
		b.notes[note] = true
	}
	if ran || err == nil || w.ByName || ctx.Err() != nil {
		return err
	}
	if w.Name != "" || !errors.Is(err, docent.ErrNoDocuments) {
		b.s.opts.Note(fmt.Sprintf("left out: %v", err))
		b.missing = cmp.Or(b.missing, err)
		left = append(slices.Clip(left), w.Name)
	}
	return b.with(ctx, at+1, libs, left, fn)
}

// shelves are those of the named indexes that were asked for.
type shelves struct {
	mu     sync.Mutex
	byName map[string]*namedShelf
	closed bool
}

type namedShelf struct {
	*shelf
	index docent.NamedIndex // as it was when the shelf was made
}

// of returns the shelf of an index that the catalogue has.
func (n *shelves) of(s *Server, w docent.Wanted) (*shelf, error) {
	if w.Name == "" && s.opts.Own {
		return s.shelf, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return nil, context.Canceled
	}
	have := n.byName[w.Name]
	if have != nil && w.Same(&have.index) {
		return have.shelf, nil
	}
	if have != nil { // made anew, perhaps of another folder
		delete(n.byName, w.Name)
		_ = have.close()
	}
	o := Options{NoRefresh: s.opts.NoRefresh, Note: s.opts.Note}
	o.Open = func(ctx context.Context, o docent.Options) (*docent.Library, error) {
		o.Remote = s.opts.Remote
		return s.opts.Catalogue.OpenWanted(ctx, w, o)
	}
	if watch := s.opts.WatchIndex; watch != nil && w.Name != "" {
		o.Watch = func(ctx context.Context, changed func()) error { return watch(ctx, w.Name, changed) }
	}
	if n.byName == nil {
		n.byName = map[string]*namedShelf{}
	}
	made := &namedShelf{newShelf(o), w.NamedIndex}
	n.byName[w.Name] = made
	return made.shelf, nil
}

// drop closes the shelf of an index that is not there any more.
func (n *shelves) drop(name string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	have := n.byName[name]
	if have == nil {
		return nil
	}
	delete(n.byName, name)
	return have.close()
}

// watchNamed opens the named indexes there are, to have their files watched. Those
// made later are watched once they are asked for.
func (s *Server) watchNamed() {
	if s.opts.WatchIndex == nil || s.opts.Catalogue == nil {
		return
	}
	all, err := s.opts.Catalogue.List()
	if err != nil {
		s.opts.Note(err.Error())
	}
	for _, n := range all {
		if _, err := s.named.of(s, docent.Wanted{NamedIndex: n}); err != nil {
			s.opts.Note(err.Error())
		}
	}
}

// close closes all of them.
func (n *shelves) close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	var all []error
	for _, s := range n.byName {
		all = append(all, s.close())
	}
	return errors.Join(all...)
}
