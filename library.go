package docent

import (
	"context"
	"errors"
	"io"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/browse"
	"github.com/docent-md/docent/internal/library/code"
	"github.com/docent-md/docent/internal/library/filter"
	"github.com/docent-md/docent/internal/library/history"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/pack"
	"github.com/docent-md/docent/internal/library/place"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/model/training"
	"github.com/docent-md/docent/internal/store"
)

// A Library answers questions from one corpus. Each answer comes from one snapshot that
// is true to the files; it may be used by many goroutines at once. Close it after use.
type Library struct {
	live    live
	options Options
}

// live is the newest snapshot of a corpus: a refresh.Live, or one by its name.
type live interface {
	refresh.Holder
	Refresh(ctx context.Context) error
	Shortfall() string
	OnChange(fn func())
	Count() (files int, ok bool)
	EnsureVectors(ctx context.Context) error
	Close() error
}

// ask runs fn on a current snapshot: see refresh.Do.
func ask[T any](ctx context.Context, l *Library, fn func(snapshot.Snapshot) (T, error)) (T, error) {
	var out T
	err := refresh.Do(ctx, l.live, func(s snapshot.Snapshot) (err error) {
		out, err = fn(s)
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return out, nil
}

// askAll is ask for what needs all documents at hand, which a database has not.
func askAll[T any](ctx context.Context, l *Library, fn func(*snapshot.View) (T, error)) (T, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (T, error) {
		v, err := s.View(ctx, snapshot.Want{})
		if err != nil {
			var none T
			return none, err
		}
		return fn(v)
	})
}

// Search answers a question.
func (l *Library) Search(ctx context.Context, q Query) (*answer.Answer, error) {
	if q.Mode != answer.Lexical && !(q.Mode == "" && l.options.WordsFirst) {
		if err := l.live.EnsureVectors(ctx); err != nil {
			return nil, err
		}
	}
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.Answer, error) {
		return search.Run(ctx, s, q, l.options.Assistant.reranker())
	})
}

// AddReferences says of each hit of an answer what it refers to.
func (l *Library) AddReferences(ctx context.Context, a *answer.Answer) error {
	return refresh.Do(ctx, l.live, func(s snapshot.Snapshot) error { return search.AddReferences(ctx, s, a.Hits) })
}

// Section returns the section a Ref leads to, whole, and what surrounds it if o says so.
// A file is its own first section; lines and code are the section they begin in.
func (l *Library) Section(ctx context.Context, ref string, o answer.SectionOptions) (*answer.SectionView, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.SectionView, error) { return browse.Section(ctx, s, ref, o) })
}

// Brief gives the section a Ref leads to in about limit tokens: whole where it is no
// larger; else without the sections under it, which are then named; and where that is
// still larger and the Ref names lines, from those lines on.
func (l *Library) Brief(ctx context.Context, ref string, limit int, o answer.SectionOptions) (*answer.BriefSection, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.BriefSection, error) { return browse.Brief(ctx, s, ref, limit, o) })
}

// Read returns the lines a Ref leads to, up to 2,000 unless told otherwise.
func (l *Library) Read(ctx context.Context, ref string, o answer.ReadOptions) (*answer.Reading, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.Reading, error) { return browse.Read(ctx, s, ref, o) })
}

// Several asks for several places in one call. They share the budget; what does not fit
// or is not there is said.
func (l *Library) Several(ctx context.Context, p answer.Places) (*answer.Several, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.Several, error) { return browse.Several(ctx, s, p) })
}

// Grep returns the lines that match a pattern, in the order of paths and lines.
func (l *Library) Grep(ctx context.Context, pattern string, o answer.GrepOptions) (*answer.Matches, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Matches, error) { return browse.Grep(ctx, v, pattern, o) })
}

// Outline lists the headings of a file or, for a folder or "", of the files in it. Depth
// is the deepest level shown; 0 means all of a file and none of several. With conditions
// such as "status=draft" only the files that meet them are listed.
func (l *Library) Outline(ctx context.Context, ref string, depth int, where ...string) (*answer.Outline, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.Outline, error) { return browse.Outline(ctx, s, ref, depth, where) })
}

// Overview is Outline within a budget: of a folder the folders and files in it, deeper
// where there is room, in pages where there is not.
func (l *Library) Overview(ctx context.Context, ref string, o answer.OverviewOptions) (*answer.Overview, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.Overview, error) { return browse.Overview(ctx, s, ref, o) })
}

// About says what the documents are about, in their own words.
func (l *Library) About(ctx context.Context) (*answer.About, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.About, error) { return browse.About(ctx, s) })
}

// Manifest maps the file or the files of the folder that ref names; "" means all.
func (l *Library) Manifest(ctx context.Context, ref string) (*answer.Manifest, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Manifest, error) { return browse.Manifest(ctx, v, ref) })
}

// Files lists the files whose paths begin with prefix, in the order of paths.
func (l *Library) Files(ctx context.Context, prefix string) (*answer.FileList, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.FileList, error) { return browse.Files(ctx, s, prefix) })
}

// FindFiles finds files by words of their paths and titles, else by meaning, best first;
// with no words it lists all of them in the order of paths. Conditions may stand among the
// words too.
func (l *Library) FindFiles(ctx context.Context, q answer.FileQuery) (*answer.FileList, error) {
	if q.Text != "" {
		if err := l.live.EnsureVectors(ctx); err != nil {
			return nil, err
		}
	}
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.FileList, error) {
		return browse.FindFiles(ctx, s, q)
	})
}

// ChangedSince begins a condition on when a file was changed: ChangedSince + "30d".
const ChangedSince = filter.Changed

// Fields lists the fields of the documents' front matter and their tags, with the most
// frequent values; of one field, if it is named, all values.
func (l *Library) Fields(ctx context.Context, name string) (*answer.Fields, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.Fields, error) {
		v, err := s.View(ctx, snapshot.Want{Fields: true})
		if err != nil {
			return nil, err
		}
		return filter.List(v, name)
	})
}

// EachField calls fn with what every document of l says of itself in fields of some names, in
// front matter or tags, documents in the order of their segments. It reads no document.
func EachField(ctx context.Context, l *Library, names []string, fn func(file, name, value string)) error {
	all, err := askAll(ctx, l, func(v *snapshot.View) (all [][3]string, err error) {
		err = filter.Each(v, names, func(file, name, value string) { all = append(all, [3]string{file, name, value}) })
		return all, err
	})
	for _, x := range all {
		fn(x[0], x[1], x[2])
	}
	return err
}

// Info describes one file and the chunks it was cut into.
func (l *Library) Info(ctx context.Context, path string) (*answer.FileChunks, error) {
	return ask(ctx, l, func(s snapshot.Snapshot) (*answer.FileChunks, error) { return browse.Info(ctx, s, path) })
}

// Status says what is indexed, where, how fresh it is and what was skipped. Which files of
// the project rules or the config leave out is found by looking into all folders, if o
// says so; for a pack or a database that is ErrNoFolder.
func (l *Library) Status(ctx context.Context, o answer.StatusOptions) (*answer.Status, error) {
	status, err := ask(ctx, l, func(s snapshot.Snapshot) (*answer.Status, error) { return s.Status(ctx) })
	if err != nil || !o.LeftOut {
		return status, err
	}
	left, err := askAll(ctx, l, func(v *snapshot.View) ([]answer.Skip, error) { return v.Origin.LeftOut(ctx) })
	if errors.Is(err, snapshot.ErrUnsupported) {
		err = ErrNoFolder
	}
	if err != nil {
		return nil, err
	}
	status.SetLeftOut(left)
	return status, nil
}

// Stats counts what the library holds.
func (l *Library) Stats(ctx context.Context) (*answer.Stats, error) {
	return askAll(ctx, l, browse.Stats)
}

// Verify says whether the text of a citation is still there: at its place, at another
// (within its file, if it is there), or gone.
func (l *Library) Verify(ctx context.Context, citation string) (*answer.Verdict, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Verdict, error) { return place.Verify(v, citation) })
}

// Links returns what the section a Ref leads to links to, and what links to it. With a
// depth above 1 it walks on along the links, nearest sections first.
func (l *Library) Links(ctx context.Context, ref string, depth int) (*answer.Links, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Links, error) { return links.Links(ctx, v, ref, depth) })
}

// EachLink calls fn with the two files of every link that leads to a document, in the
// order of files and lines. Unlike Links it reads no document.
func (l *Library) EachLink(ctx context.Context, fn func(from, to string)) error {
	all, err := askAll(ctx, l, func(v *snapshot.View) (all [][2]string, err error) {
		err = links.EachLink(ctx, v, func(from, to string) { all = append(all, [2]string{from, to}) })
		return all, err
	})
	for _, link := range all {
		fn(link[0], link[1])
	}
	return err
}

// Related finds sections related to the one a Ref leads to: by links in either
// direction, by rare names that the code in both has, and by words.
func (l *Library) Related(ctx context.Context, ref string, limit int) (*answer.Neighbours, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Neighbours, error) { return links.Related(ctx, v, ref, limit) })
}

// Node returns the node of the document graph that a Ref or an id leads to.
func (l *Library) Node(ctx context.Context, ref string) (*answer.Node, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Node, error) { return links.NodeAt(ctx, v, ref) })
}

// Graph returns the nodes of the document graph and the edges between them.
func (l *Library) Graph(ctx context.Context, o answer.GraphOptions) (*answer.Graph, error) {
	if o.Embeddings {
		if err := l.live.EnsureVectors(ctx); err != nil {
			return nil, err
		}
	}
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Graph, error) { return links.Graph(ctx, v, o) })
}

// Check looks for problems in the documents: broken links, documents that no link leads
// to, duplicate titles and anchors.
func (l *Library) Check(ctx context.Context, o answer.CheckOptions) (*answer.Health, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Health, error) { return links.Check(ctx, v, o) })
}

// Examples finds code blocks by a name in them: those that declare it first, and those
// in sections that are about it, each with the paragraph that leads up to it.
func (l *Library) Examples(ctx context.Context, q answer.CodeQuery) (*answer.Snippets, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Snippets, error) { return code.Examples(ctx, v, q) })
}

// Snippets finds code blocks by words in them and around them, or lists them when none
// are given.
func (l *Library) Snippets(ctx context.Context, q answer.CodeQuery) (*answer.Snippets, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Snippets, error) { return code.Snippets(ctx, v, q) })
}

// Changes compares the documents with what they were: at a commit, branch or tag, at a
// time ("2024-05-01", "2 weeks ago"), or, for "index", when the index was last built as
// a whole. "" means the last commit where there is one, and the index otherwise.
func (l *Library) Changes(ctx context.Context, since string) (*answer.Changes, error) {
	return askAll(ctx, l, func(v *snapshot.View) (*answer.Changes, error) { return history.Changes(ctx, v, since) })
}

// Pack writes the library to one file, text and index together, which Open, FromBlob
// and every command read with no source tree.
func (l *Library) Pack(ctx context.Context, file string, o answer.PackOptions) (*answer.PackReport, error) {
	if o.Vectors {
		if err := l.live.EnsureVectors(ctx); err != nil {
			return nil, err
		}
	}
	return askAll(ctx, l, func(v *snapshot.View) (*answer.PackReport, error) { return pack.Write(ctx, v, file, o) })
}

// Export writes the library to a SQLite file, in place of whatever is there.
func (l *Library) Export(ctx context.Context, file string) (*answer.StoreReport, error) {
	if err := l.live.EnsureVectors(ctx); err != nil {
		return nil, err
	}
	return askAll(ctx, l, func(v *snapshot.View) (*answer.StoreReport, error) { return store.Export(ctx, v, file, l.options.Note) })
}

// Summarise has the assistant summarise, in a sentence each, the sections that links lead
// to, in the file that Options.Summaries names. Nothing is asked of the model unless
// agree, which is told what it will take, says so.
func (l *Library) Summarise(ctx context.Context, agree func(answer.SummaryPlan) bool, progress func(done, total int)) (*answer.SummaryReport, error) {
	if l.options.Assistant == nil {
		return nil, ErrNoAssistant
	}
	return askAll(ctx, l, func(v *snapshot.View) (*answer.SummaryReport, error) {
		return l.options.Assistant.assist.Summarise(ctx, v, l.options.Summaries, agree, progress)
	})
}

// Mine writes training triplets from the library's own documents, without any model,
// and reports how many.
func (l *Library) Mine(ctx context.Context, w io.Writer, negatives int) (int, error) {
	return askAll(ctx, l, func(v *snapshot.View) (int, error) { return training.Mine(ctx, v, w, negatives) })
}

// GenerateTriplets has the assistant say which questions each chunk answers, and appends
// them to a file for "docent train". An interrupted run goes on where it was.
func (l *Library) GenerateTriplets(ctx context.Context, file string, o answer.GenerateOptions) (*answer.GenerateReport, error) {
	if l.options.Assistant == nil {
		return nil, ErrNoAssistant
	}
	return askAll(ctx, l, func(v *snapshot.View) (*answer.GenerateReport, error) {
		return training.Generate(ctx, l.options.Assistant.assist, v, file, o)
	})
}

// Locate finds the chunk that a text comes from, with or without its markup. It is not
// found when no chunk has four of five of its words.
func (l *Library) Locate(ctx context.Context, text string) (doc.Ref, bool, error) {
	ref, err := askAll(ctx, l, func(v *snapshot.View) (*doc.Ref, error) {
		ref, ok, err := search.Locate(v, text)
		if err != nil || !ok {
			return nil, err
		}
		return &ref, nil
	})
	if err != nil || ref == nil {
		return doc.Ref{}, false, err
	}
	return *ref, true, nil
}

// Ready waits until there is an index to answer from, as long as Background says.
func (l *Library) Ready(ctx context.Context) error {
	_, release, err := l.live.Acquire(ctx)
	if err == nil {
		release()
	}
	return err
}

// Refresh compares all documents with the index, and indexes what has changed.
func (l *Library) Refresh(ctx context.Context) error { return l.live.Refresh(ctx) }

// Shortfall says what an answer may lack because the index is being refreshed in the
// background, or could not be; "" when nothing.
func (l *Library) Shortfall() string { return l.live.Shortfall() }

// OnChange has fn called, in a goroutine of its own, whenever documents may have changed.
func (l *Library) OnChange(fn func()) { l.live.OnChange(fn) }

// FileCount returns the number of files. It is not ok while the library is opened in the
// background and will not be open in a moment: then it is how many were read so far.
func (l *Library) FileCount() (files int, ok bool) { return l.live.Count() }

// Close closes the library when its last answer is given.
func (l *Library) Close() error { return l.live.Close() }
