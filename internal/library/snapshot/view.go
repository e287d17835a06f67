package snapshot

import (
	"slices"
	"sync"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/text/chunk"
)

// A View is segments joined for searching. It never changes, and may be used by many
// goroutines at once.
type View struct {
	Corpus   *corpus.Corpus
	Policy   chunk.Policy
	Ceiling  func(text []byte) int // how many tokens a text has at most, for limits
	Meta     Meta
	Segments []*Segment
	Searcher *index.Searcher
	Origin   Origin
	Refs     map[string]string // Refs of places that other programs have names for; may be nil

	// Linked are the chunks that a chunk links to, all by their ids, of candidates from a
	// database, which have no documents whose links could be followed; else nil.
	Linked map[string][]string

	// Narrowed is what is left of the question that these candidates from a database were
	// gathered for, all of which meet its conditions; nil where there was none.
	Narrowed *Narrowed

	files    int       // documents in all, of which these may be some
	first    []int     // number of the first text of each segment
	order    textOrder // nil when there is one segment
	homes    []*View   // what it is joined of; itself when it is not joined
	joined   bool
	partial  bool
	embedder func() (embedding.Embedder, error)
	synonyms func() (Synonyms, error) // read once
	folders  *sync.Map                // Description by path, of folders that were asked for

	chosen      [][]bool // by segment and row, the documents that were chosen; nil when all are
	chosenFiles int
}

// A Narrowed is a question whose conditions are met.
type Narrowed struct {
	Text string // without conditions
	Note string // on words that look like conditions and are none
}

// New joins the segments of one index. Texts with equal scores come in the order of
// their paths, whichever segment they are in, so that an index that grew answers like
// one built from scratch.
func New(c *corpus.Corpus, m Meta, segments []*Segment, o Origin) (*View, error) {
	v := &View{Corpus: c, Meta: m, Segments: segments, Origin: o}
	v.homes = []*View{v}
	v.embedder = openEmbedder(v)
	for i, s := range segments {
		s.Home, s.HomeNumber = v, i
		v.files += s.Table.Files() - len(s.Dead)
	}
	return v, join(v, nil)
}

// Candidates are chunks of a database, put together for one question.
type Candidates struct {
	Counts   index.Corpus                       // of the words in all chunks
	Files    int                                // in the database
	Embedder func() (embedding.Embedder, error) // knows the vector of the question
}

// NewPartial makes a view of some chunks of a database, which are scored with the
// counts of all.
func NewPartial(c *corpus.Corpus, s *Segment, o Origin, some Candidates) (*View, error) {
	v := &View{Corpus: c, Segments: []*Segment{s}, Origin: o, files: some.Files, embedder: some.Embedder, partial: true}
	v.homes = []*View{v}
	s.Home = v
	return v, join(v, some.Counts)
}

// join makes the segments searchable. Counts are those of all texts, when the
// segments hold some of them; else nil.
func join(v *View, counts index.Corpus) error {
	v.folders = new(sync.Map)
	v.synonyms = sync.OnceValues(func() (Synonyms, error) { return readSynonyms(v) })
	var err error
	if v.Policy, err = v.Corpus.ChunkPolicy(); err != nil {
		return err
	}
	if v.Ceiling, err = corpus.Ceiling(v.Corpus.Config.Tokens); err != nil {
		return err
	}
	in := make([]index.Input, len(v.Segments))
	total := 0
	for i, s := range v.Segments {
		s.Number = i
		in[i] = index.Input{Reader: s.Index}
		if len(s.Dead) > 0 {
			if in[i].Deleted, err = s.DeadTexts(); err != nil {
				return err
			}
		}
		v.first = append(v.first, total)
		total += s.Index.Len()
	}
	switch {
	case counts != nil:
		v.Searcher, err = index.NewPartial(in, counts)
	case len(v.Segments) == 1:
		v.Searcher, err = index.NewSearcher(in, nil)
	default:
		if v.order, err = pathOrder(v); err == nil {
			v.Searcher, err = index.NewSearcher(in, v.order.place)
		}
	}
	return err
}

// Homes are the views that v is joined of; v itself when it is not joined.
func (v *View) Homes() []*View { return v.homes }

// IsPartial reports whether v is some chunks of a database, without the rest of their
// documents.
func (v *View) IsPartial() bool { return v.partial }

// IsJoined reports whether v is joined of several indexes, whose hits carry names.
func (v *View) IsJoined() bool { return v.joined }

// Choose returns the view with some of its documents, which are given by segment and row.
// Words weigh what they weigh in all of them.
func (v *View) Choose(chosen [][]bool) *View {
	some := *v
	some.chosen, some.chosenFiles = chosen, 0
	for i, s := range v.Segments {
		for row, ok := range chosen[i] {
			if ok && !s.Dead[row] {
				some.chosenFiles++
			}
		}
	}
	return &some
}

// IsChosen reports whether only some documents of the index are in the view.
func (v *View) IsChosen() bool { return v.chosen != nil }

// Has reports whether a document of the index is in the view.
func (v *View) Has(segment, row int) bool { return v.chosen == nil || v.chosen[segment][row] }

// Place orders texts by path, and within a document by position.
func (v *View) Place(text uint32) uint32 {
	if v.order == nil {
		return text
	}
	return v.order.place(text)
}

// First is the number of the first text of a segment.
func (v *View) First(segment int) int { return v.first[segment] }

// Locate returns the segment of a text and its number there.
func (v *View) Locate(text uint32) (*Segment, int) {
	i, found := slices.BinarySearch(v.first, int(text))
	if !found {
		i--
	}
	// Of segments without texts several begin at the same number.
	for i+1 < len(v.first) && v.first[i+1] == v.first[i] {
		i++
	}
	return v.Segments[i], int(text) - v.first[i]
}

// FileCount is the number of documents.
func (v *View) FileCount() int {
	if v.IsChosen() {
		return v.chosenFiles
	}
	return v.files
}

// Freshness says in a line how fresh the view's answers are.
func (v *View) Freshness() string { return v.Origin.Freshness(v.files, v.Meta.Updated) }

// Skips are the files that were skipped, and how many; the first of them are named.
func (v *View) Skips() ([]answer.Skip, int) {
	m := v.Meta
	if s, ok := v.Origin.Skipped(); ok {
		m.SetSkipped(s)
	}
	return m.Skipped, m.Skips
}

// StaleMiss returns a StaleError if the documents were not compared recently enough
// to report that something asked for at a time is not there.
func (v *View) StaleMiss(asked time.Time) error {
	var stale Stale
	for _, home := range v.homes {
		if home.Origin.MayMissNew(asked) {
			stale.files = append(stale.files, StaleFile{Home: home})
		}
	}
	return stale.Err()
}

// openEmbedder returns what opens the model that the vectors come from; nil when
// there are none. A table is opened once; an endpoint is asked for each time, because
// the user may set it meanwhile.
func openEmbedder(v *View) func() (embedding.Embedder, error) {
	open := func() (embedding.Embedder, error) {
		m, err := v.Vectors()
		if err != nil || m == nil {
			return nil, err
		}
		return m.Open(v.Corpus.Choice)
	}
	once := sync.OnceValues(open)
	return func() (embedding.Embedder, error) {
		if m, err := v.Vectors(); err == nil && m != nil && m.Model.Kind == embedding.Remote {
			return open()
		}
		return once()
	}
}

// Vectors are those of the first segment, which has the model of all of them; nil
// when there are none.
func (v *View) Vectors() (*embedding.Vectors, error) {
	if len(v.Segments) == 0 {
		return nil, nil
	}
	return v.Segments[0].Vectors()
}

// Embedder returns the model that the vectors come from; nil when there are none.
func (v *View) Embedder() (embedding.Embedder, error) { return v.embedder() }

// WithEmbedder has another function open the model.
func (v *View) WithEmbedder(open func() (embedding.Embedder, error)) { v.embedder = open }
