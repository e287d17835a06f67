package snapshot

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/text/human"
)

// A Folder is an Origin whose documents are files that may change: every text is
// compared with the index before it is used.
type Folder struct {
	Files      *corpus.Files
	Confirm    bool // nothing counts as not found unless all files were compared just before
	Unembedded int  // changed files whose vectors are still missing

	state atomic.Pointer[Freshness] // the one thing that changes
	cache textCache
}

// Freshness is how fresh a view is known to be.
type Freshness struct {
	Checked   time.Time // when all files were last compared; zero if not known
	Took      time.Duration
	Earlier   bool           // by another program, or by this one before
	Refreshed int            // files indexed since then, for this view or those it came from
	Note      string         // why the index could not be refreshed
	Skipped   *[]answer.Skip // what was skipped when all files were compared; nil means what the index says

	ended time.Time // when the comparison, and indexing what had changed, was over
}

// State is how fresh the folder's index is known to be.
func (o *Folder) State() Freshness {
	if f := o.state.Load(); f != nil {
		return *f
	}
	return Freshness{}
}

// SetState remembers how fresh the folder's index is.
func (o *Folder) SetState(f Freshness) {
	if f.ended.IsZero() {
		f.ended = time.Now()
	}
	o.state.Store(&f)
}

// recently is how old a comparison may be for an index to be called fresh: a server that
// is asked all the time compares every two seconds.
const recently = 4 * time.Second

// Text reads a file and compares it with the index.
func (o *Folder) Text(f File) ([]byte, error) {
	tree := o.Files.Tree
	if data, ok := o.cache.get(tree, f); ok {
		return data, nil
	}
	before, stamped := tree.Stamp(f.Path)
	read, skip, err := o.Files.Read(f.Path)
	if err != nil {
		return nil, err
	}
	if skip != nil || ContentHash(read.Data) != f.Info.Hash {
		return nil, ErrStale
	}
	if stamped {
		o.cache.put(tree, f, before, time.Now(), read.Data)
	}
	return read.Data, nil
}

// SettledText reads a file; its content is compared only when its size and time
// cannot tell that it is unchanged.
func (o *Folder) SettledText(f File) ([]byte, error) {
	if f.Info.ModTime == 0 {
		return o.Text(f)
	}
	read, skip, err := o.Files.Read(f.Path)
	if err != nil {
		return nil, err
	}
	if skip != nil || read.Size != f.Info.Size || read.ModTime.UnixNano() != f.Info.ModTime && ContentHash(read.Data) != f.Info.Hash {
		return nil, ErrStale
	}
	return read.Data, nil
}

// Check compares a file with the index, by its size and time where these can tell.
func (o *Folder) Check(f File) error {
	if s, ok := o.Files.Tree.Stamp(f.Path); ok && f.Info.ModTime != 0 && s.Size == f.Info.Size && s.Modified == f.Info.ModTime {
		return nil
	}
	_, err := o.Text(f)
	return err
}

// ModTime is when a file was last changed. The index has no time for a file that had
// only just been written when it was read.
func (o *Folder) ModTime(f File) (int64, error) {
	if f.Info.ModTime != 0 {
		return f.Info.ModTime / 1e6, nil
	}
	read, skip, err := o.Files.Read(f.Path)
	if err != nil || skip != nil {
		return 0, err
	}
	return read.ModTime.UnixMilli(), nil
}

// Dir is the folder; "" for an fs.FS.
func (o *Folder) Dir() string { return o.Files.Dir }

// Exists looks.
func (o *Folder) Exists(path string) (exists, known bool) { return o.Files.Tree.Exists(path), true }

// Record has none: records follow from the documents.
func (o *Folder) Record(int) (answer.Record, bool) { return answer.Record{}, false }

// AlteredTexts caches them with the text of their file.
func (o *Folder) AlteredTexts(f File, make func() map[doc.Span]string) map[doc.Span]string {
	if all, ok := o.cache.altered(f); ok {
		return all
	}
	all := make()
	o.cache.putAltered(f, all)
	return all
}

// Freshness says when the files were compared, and what could not be done.
func (o *Folder) Freshness(n int, updated time.Time) string {
	state := o.State()
	files := human.Plural(n, "file")
	switch {
	case state.Note != "":
		return state.Note
	case state.Checked.IsZero():
		return "index of " + human.Ago(updated) + ", not compared with the files"
	case o.Unembedded > 0:
		return fmt.Sprintf("index fresh, but for the vectors of %s that changed", human.Plural(o.Unembedded, "file"))
	case state.Earlier || time.Since(state.ended) > recently:
		return fmt.Sprintf("%s compared %s, those behind an answer each time", files, human.Ago(state.Checked))
	case state.Refreshed > 0:
		return fmt.Sprintf("index fresh, %s refreshed", human.Plural(state.Refreshed, "file"))
	}
	return "index fresh, " + files
}

// Skipped lists what was skipped when all files were last compared.
func (o *Folder) Skipped() ([]answer.Skip, bool) {
	if s := o.State().Skipped; s != nil {
		return *s, true
	}
	return nil, false
}

// LeftOut looks for them.
func (o *Folder) LeftOut(ctx context.Context) ([]answer.Skip, error) { return o.Files.LeftOut(ctx) }

// justNow is how old a comparison may be for a question that finds nothing.
const justNow = 100 * time.Millisecond

// MayMissNew reports whether all files were compared too long before something was
// asked for to say that it is not there.
func (o *Folder) MayMissNew(asked time.Time) bool {
	state := o.State()
	if !o.Confirm || o.Unembedded > 0 || state.Checked.IsZero() {
		return false
	}
	return state.Earlier || asked.Sub(state.Checked) > max(justNow, 4*state.Took)
}
