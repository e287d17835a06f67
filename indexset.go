package docent

import (
	"context"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/library/refresh"
)

// AllIndexes names every index of a set.
const AllIndexes = indexset.All

// An IndexSet holds indexes by name, and asks several of them as one. Those that were
// asked for stay open until it is closed. It may be used by many goroutines at once.
type IndexSet struct {
	set     *indexset.Set
	options Options
}

// IndexSetOptions say how the indexes of a set are opened.
type IndexSetOptions struct {
	Options

	Own   *Library // the project's own documents, where they are open already; may be nil
	Watch bool     // with Background: refreshes indexes when their files change

	// Roots are folders and packs that the set has under names, besides the indexes that
	// Make built. With roots, Make and Remove are refused.
	Roots []NamedRoot
}

// A NamedRoot is a folder or a pack with the name that it has in a set.
type NamedRoot struct{ Name, Root string }

func (o IndexSetOptions) internal() indexset.Options {
	in := indexset.Options{Options: o.Options.internal(), Watch: o.Watch}
	in.DeferVectors = false // several are asked as one, whose similarities must compare
	if o.Background != nil {
		b := refresh.Background(*o.Background)
		in.Background = &b
	}
	if o.Own != nil {
		in.Own, _ = o.Own.live.(*refresh.Live)
	}
	for _, r := range o.Roots {
		in.Roots = append(in.Roots, indexset.Root{Name: r.Name, Path: r.Root})
	}
	return in
}

// ProjectIndexes are the named indexes of the project that a folder belongs to; ""
// means the project that contains the working directory.
func ProjectIndexes(dir string, o IndexSetOptions) (*IndexSet, error) {
	s, err := indexset.OfProject(dir, o.internal())
	if err != nil {
		return nil, err
	}
	return &IndexSet{s, o.Options}, nil
}

// Indexes are the named indexes of the project that the library belongs to.
func (l *Library) Indexes(ctx context.Context) (*IndexSet, error) {
	status, err := l.Status(ctx, answer.StatusOptions{})
	if err != nil {
		return nil, err
	}
	return ProjectIndexes(status.Root, IndexSetOptions{Options: l.options})
}

// UserIndexes are the named indexes in a folder of the user's own.
func UserIndexes(dir string, o IndexSetOptions) *IndexSet {
	return &IndexSet{indexset.OfUser(dir, o.internal()), o.Options}
}

// RootIndexes are o.Roots alone.
func RootIndexes(o IndexSetOptions) *IndexSet {
	return &IndexSet{indexset.OfRoots(o.internal()), o.Options}
}

// Only returns those indexes of the set that have a name which is allowed, as a set in
// which nothing tells that there are others. It shares the open indexes with s, and ends
// when s is closed.
func (s *IndexSet) Only(allowed func(name string) bool) *IndexSet {
	return &IndexSet{s.set.Only(allowed), s.options}
}

// MakeOptions say how a named index is built. The zero value is a good default.
type MakeOptions struct {
	Windows  bool     // overlapping windows instead of sections
	Sections bool     // sections again, where there were windows
	Ignore   []string // more patterns to skip; nil keeps those there were
	Options           // Embed and Model choose the embedder
}

// Make builds the index of a folder under a name, or refreshes it. A root of "" means
// the folder it has already; other options that are not set stay as they were.
func (s *IndexSet) Make(ctx context.Context, name, description, root string, o MakeOptions) (*answer.NamedIndex, error) {
	return s.set.Make(ctx, name, description, root, indexset.MakeOptions{
		Windows: o.Windows, Sections: o.Sections, Ignore: o.Ignore, Options: eager(o.Options).internal(),
	})
}

// eager has options make vectors at once.
func eager(o Options) Options {
	o.EagerVectors = true
	return o
}

// List returns the indexes in the order of their names.
func (s *IndexSet) List() ([]answer.NamedIndex, error) { return s.set.List() }

// Find returns the index of that name, without its freshness.
func (s *IndexSet) Find(name string) (answer.NamedIndex, error) { return s.set.Find(name) }

// Has reports whether an index is called just so: Find also finds the newest version of a
// name without one.
func (s *IndexSet) Has(name string) bool { return s.set.Has(name) }

// Between says what became of the sections of one index in another: react@17, react@18.
// "" for the other means the newest version.
func (s *IndexSet) Between(ctx context.Context, from, to string) (*answer.Changes, error) {
	return s.set.Between(ctx, from, to)
}

// Inspect compares an index with its documents, and changes neither.
func (s *IndexSet) Inspect(ctx context.Context, n answer.NamedIndex) answer.NamedIndex {
	return s.set.Inspect(ctx, n)
}

// Library returns one index. It is opened when it is first asked, and stays open until
// the set is closed; when it is rebuilt meanwhile, the new one answers.
func (s *IndexSet) Library(name string) (*Library, error) {
	n, err := s.set.Named(name)
	if err != nil {
		return nil, err
	}
	return newLibrary(n, s.options), nil
}

// OpenAll opens all indexes, so that their files are watched.
func (s *IndexSet) OpenAll(ctx context.Context) {
	note := s.options.Note
	if note == nil {
		note = func(string) {}
	}
	s.set.OpenAll(ctx, note)
}

// Search answers a question from indexes: AllIndexes, or names with commas between
// them. Hits carry the name of theirs, and their Refs begin with it.
func (s *IndexSet) Search(ctx context.Context, names string, q Query) (*answer.Answer, error) {
	return s.set.Search(ctx, names, q, s.options.Assistant.reranker())
}

// Shortfall says what answers may lack because indexes are being refreshed in the
// background, or could not be; "" when nothing.
func (s *IndexSet) Shortfall() string { return s.set.Shortfall() }

// SplitRef takes the name of an index off a Ref that begins with one: docs:guide/auth.md.
func (s *IndexSet) SplitRef(ref string) (name, rest string, ok bool) { return s.set.SplitRef(ref) }

// Remove deletes an index. The documents stay.
func (s *IndexSet) Remove(ctx context.Context, name string) error { return s.set.Remove(ctx, name) }

// Close closes the indexes.
func (s *IndexSet) Close() error { return s.set.Close() }
