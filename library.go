package docent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/snippet"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/text/chunk"
)

// A Library answers questions from one corpus. Its answers never change after it
// was opened, and it may be used by many goroutines at once; Refresh gives the
// next one. Close it when nobody uses it any more.
type Library struct {
	corpus *corpus
	source *source
	policy chunk.Policy
	meta   meta
	snap   *segment.Snapshot // nil when the index is no folder
	pack   *texts.Reader     // the documents of a packed file, by row; else nil
	stored *stored           // where the chunks are kept, when they are not here; else nil
	held   *held             // what is in memory only; else nil
	unkept error             // why the last segment has no vectors, and is in memory only; else nil
	segs   []*seg
	search *index.Searcher
	first  []int                     // number of the first text of each segment
	order  textOrder                 // nil when there is one segment
	state  atomic.Pointer[freshness] // the one thing that changes; see fresh

	packFile *segment.File

	tableOnce  sync.Once // opens the table of words, when first asked for
	tableModel *tableEmbedder
	tableErr   error
	kept       keptTexts
}

// fresh is how true to the files the library is known to be.
func (l *Library) fresh() freshness {
	if f := l.state.Load(); f != nil {
		return *f
	}
	return freshness{}
}

func (l *Library) setFresh(f freshness) { l.state.Store(&f) }

// A seg is one segment of the index: a base, or files that changed since.
type seg struct {
	file *segment.File
	cat  *doctable.Reader
	idx  *index.Reader
	dead map[int]bool // rows of files that a later segment replaces, or that are gone

	owner  *owner  // of a segment in a union; else nil
	number int     // among the segments
	titles phrases // of sections
	paths  phrases

	links   func() (*graph.Reader, error)
	code    func() (*snippet.Reader, error)
	meaning func() (*meaning, error) // nil without vectors
}

// meta is what the manifest keeps beside the segments.
type meta struct {
	Policy  policy      `json:"policy"`
	Model   modelChoice `json:"model"`
	Dir     string      `json:"dir"`     // the documents'
	Built   time.Time   `json:"built"`   // when the base was made
	Updated time.Time   `json:"updated"` // when anything was last added
	Dead    [][]int     `json:"dead,omitempty"`
	Skipped []Skip      `json:"skipped,omitempty"` // the first of them
	Skips   int         `json:"skips,omitempty"`   // how many there are
}

// An index remembers so many skipped files by name, unless their names are so long
// that there would be no room for them: segments keep 1 MiB of ours, in which JSON
// may write a byte as six.
const (
	maxSkips     = 1000
	maxSkipBytes = 128 << 10
)

func (m *meta) setSkipped(s []Skip) {
	m.Skips = len(s)
	room := maxSkipBytes
	n := 0
	for n < min(len(s), maxSkips) {
		if room -= len(s[n].Path) + len(s[n].Reason) + len(s[n].Detail); room < 0 {
			break
		}
		n++
	}
	m.Skipped = s[:n]
}

// skips are the files that were skipped, and how many; the first of them are named.
func (l *Library) skips() ([]Skip, int) {
	m := l.meta
	if s := l.fresh().skipped; s != nil {
		m.setSkipped(*s)
	}
	return m.Skipped, m.Skips
}

// Options tune how a library is opened. The zero value is a good default.
type Options struct {
	NoRefresh bool           // answer from the index as it is
	Confirm   bool           // answers that find nothing are a StaleError unless all files were compared just before
	Progress  func(Progress) // called now and then while an index is made; may be nil
	Note      func(string)   // told in a line of anything out of the ordinary; may be nil
	Assistant *Assistant     // helps with what is asked of it; may be nil
	Summaries string         // file of the summaries that an Assistant wrote; "" means none

	Words         bool                    // an index that has to be made may lack vectors, to be added when they are wanted
	Embed         string                  // one of ModelKinds; "" keeps what the index has
	Model         string                  // folder of a model that "docent train" made
	Remote        func() (*Remote, error) // gives the endpoint of an index made with one; may be nil
	EmbedProgress func(done, total int)   // called while an endpoint is asked; may be nil
}

// Progress says how far the making of an index is.
type Progress struct {
	Files int
	Bytes int64
}

func (o Options) note(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// open makes a Library of a snapshot, or says why the snapshot cannot be used.
func (c *corpus) open(snap *segment.Snapshot) (*Library, error) {
	lib := &Library{corpus: c, snap: snap}
	if err := json.Unmarshal(snap.Meta, &lib.meta); err != nil {
		return nil, fmt.Errorf("%w: its description: %v", segment.ErrDamaged, err)
	}
	if !lib.meta.Policy.sameCut(c.policy()) || !c.accepts(lib.meta.Model) {
		return nil, errOtherPolicy
	}
	for i, f := range snap.Files() {
		s, err := openSeg(f)
		if err != nil {
			return nil, err
		}
		if i < len(lib.meta.Dead) {
			s.dead = make(map[int]bool, len(lib.meta.Dead[i]))
			for _, row := range lib.meta.Dead[i] {
				s.dead[row] = true
			}
		}
		lib.segs = append(lib.segs, s)
	}
	return lib, lib.prepare()
}

// errOtherPolicy is why an index made under other settings is not used.
var errOtherPolicy = errors.New("made with other settings, or by another version of docent")

func openSeg(f *segment.File) (*seg, error) {
	s, err := newSeg(func(name string) (blob.Blob, bool) { return f.Part(name) })
	if err == nil {
		s.file = f
	}
	return s, err
}

func part(f *segment.File, name string) (*segment.Blob, error) {
	b, ok := f.Part(name)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no part %q", segment.ErrDamaged, f.Name(), name)
	}
	return b, nil
}

// unusable reports whether an index must be made anew because of err.
func unusable(err error) bool {
	return errors.Is(err, segment.ErrDamaged) || errors.Is(err, segment.ErrVersion) || errors.Is(err, segment.ErrForeign) ||
		errors.Is(err, index.ErrDamaged) || errors.Is(err, doctable.ErrFormat) ||
		errors.Is(err, graph.ErrFormat) || errors.Is(err, snippet.ErrFormat) || errors.Is(err, errOtherPolicy) ||
		errors.Is(err, fs.ErrNotExist)
}

// Damaged reports whether err says that the index itself cannot be read. Rebuild
// makes it anew.
func Damaged(err error) bool { return err != nil && !errors.Is(err, fs.ErrNotExist) && unusable(err) }

// Close gives the library's files back to the system.
func (l *Library) Close() error {
	if l.source != nil {
		l.source.close()
	}
	if l.stored != nil {
		return l.stored.Close()
	}
	if l.packFile != nil {
		return l.packFile.Close()
	}
	if l.snap != nil {
		return l.snap.Close()
	}
	return nil
}

// Open returns the library at path: a folder of documents, the folder of an
// index, a packed file, or "" for the project one stands in. An index is made
// when there is none, and brought up to date when files have changed.
func Open(path string) (*Library, error) {
	return OpenWith(context.Background(), path, Options{})
}
