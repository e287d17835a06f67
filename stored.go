package docent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/index"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/source/config"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/store/sqlite"
)

// stored is a library whose chunks are kept in a store. Every question is answered
// by a library of its own, of the candidates that the store hands over.
type stored struct {
	store
	name string // for people
	pool int    // how many candidates are asked for, at least

	mu  sync.Mutex
	now *storedState // of the newest generation that was asked
}

// storedState is what is known of one generation of a store. It never changes but
// for what is remembered of its words.
type storedState struct {
	generation string
	stats      backend.Stats
	corpus     *corpus
	model      *modelInfo // nil without vectors
	by         embedder   // nil without vectors
	note       string     // why there are vectors and no embedder
	updated    time.Time

	mu    sync.Mutex
	words map[string]int
	terms map[string]int

	vocabulary map[string][]string // the terms of a letter
}

// candidatePool is how many candidates a store is asked for, where few hits are
// wanted: its formula is not ours, so that what we put first may come late there.
// (design/007-backends.md has the measurements.)
const candidatePool = 300

// OpenDB opens a SQLite file that Index or Export wrote. It is asked for its chunks
// alone; no document is looked at.
func OpenDB(ctx context.Context, file string, o Options) (*Library, error) {
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	lib, err := openStored(ctx, db, file, candidatePool, o)
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	return lib, nil
}

func openStored(ctx context.Context, db store, name string, pool int, o Options) (*Library, error) {
	s := &stored{store: db, name: name, pool: pool}
	state, err := s.load(ctx, choice{remote: o.Remote})
	if err != nil {
		return nil, err
	}
	state.corpus.assist(o)
	s.now = state
	// What is asked of no chunk in particular is asked of an empty library.
	sh, err := newShelf(nil, 0)
	if err != nil {
		return nil, err
	}
	lib, err := sh.library(state.corpus, nil)
	if err != nil {
		return nil, err
	}
	lib.stored = s
	lib.meta.Updated = state.updated
	return lib, nil
}

// load reads what a store says of itself.
func (s *stored) load(ctx context.Context, remote choice) (*storedState, error) {
	st := &storedState{words: map[string]int{}, terms: map[string]int{}}
	meta := map[string][]byte{}
	for _, key := range []string{metaGeneration, metaSettings, metaModel, metaDelta, metaUpdated} {
		var err error
		if meta[key], err = s.Meta(ctx, key); err != nil {
			return nil, err
		}
	}
	st.generation = string(meta[metaGeneration])
	st.updated, _ = time.Parse(time.RFC3339, string(meta[metaUpdated]))
	var err error
	if st.stats, err = s.Stats(ctx); err != nil {
		return nil, err
	}
	st.corpus = &corpus{dir: s.name, config: config.Default(), store: s.name, choice: remote}
	if raw := meta[metaSettings]; raw != nil {
		var set storeSettings
		if err := json.Unmarshal(raw, &set); err != nil {
			return nil, fmt.Errorf("%w: the settings of %s: %v", segment.ErrDamaged, s.name, err)
		}
		set.applyTo(st.corpus.config)
	}
	if meta[metaModel] == nil {
		return st, nil
	}
	st.model = &modelInfo{}
	if err := json.Unmarshal(meta[metaModel], st.model); err != nil || st.model.Dim < 1 || st.model.Dim > vector.MaxDim {
		return nil, fmt.Errorf("%w: the model of %s", segment.ErrDamaged, s.name)
	}
	if st.by, err = openEmbedder(st.corpus, st.model, meta[metaDelta]); err != nil {
		st.note = err.Error() // words still answer
	}
	return st, nil
}

// openEmbedder returns the model that vectors come from.
func openEmbedder(c *corpus, m *modelInfo, delta []byte) (embedder, error) {
	b, err := vector.NewBuilder(m.Dim)
	if err != nil {
		return nil, err
	}
	parts, err := meaningParts(*m, b, delta)
	if err != nil {
		return nil, err
	}
	lib := &Library{corpus: c, segs: []*seg{{meaning: func() (*meaning, error) {
		return openMeaning(func(name string) (blob.Blob, bool) {
			for _, p := range parts {
				if p.Name == name {
					return blob.Memory(p.Data), true
				}
			}
			return nil, false
		})
	}}}}
	return lib.embedder()
}

// applyTo puts the settings of a store into a config.
func (s *storeSettings) applyTo(c *config.Config) {
	p := s.Policy
	c.Paths, c.Ignore, c.Tokens = p.Paths, p.Ignore, p.Tokens
	c.ChunkMax, c.ChunkMin, c.ChunkDepth, c.Boost = p.Max, p.Min, p.Depth, s.Boost
}

// state returns what is known of the store as it is now.
func (s *stored) state(ctx context.Context) (*storedState, error) {
	raw, err := s.Meta(ctx, metaGeneration)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.generation == string(raw) {
		return s.now, nil
	}
	next, err := s.load(ctx, s.now.corpus.choice)
	if err != nil {
		return nil, err
	}
	next.corpus.help = s.now.corpus.help
	s.now = next
	return next, nil
}

// gather returns a library of the chunks that may be among the k best answers. It asks
// as the store was when it was last asked, and meanwhile whether it still is so: where
// not, it asks again. Without an answer to that there is none to the question.
func (s *stored) gather(ctx context.Context, q Query, k int) (*Library, error) {
	s.mu.Lock()
	st := s.now
	s.mu.Unlock()
	var now *storedState
	var nowErr error
	var wait sync.WaitGroup
	wait.Go(func() { now, nowErr = s.state(ctx) })
	lib, err := s.gatherFrom(ctx, st, q, k)
	wait.Wait()
	if nowErr != nil {
		return nil, nowErr
	}
	if now != st {
		return s.gatherFrom(ctx, now, q, k)
	}
	return lib, err
}

func (s *stored) gatherFrom(ctx context.Context, st *storedState, q Query, k int) (*Library, error) {
	iq := index.Parse(q.Text)
	all := &storedWords{ctx: ctx, s: s, st: st}
	words, terms := iq.Keys()
	var countErr error
	var wait sync.WaitGroup
	wait.Go(func() { _, countErr = all.Terms(terms) })
	_, err := all.Words(words)
	wait.Wait()
	if err := cmp.Or(err, countErr); err != nil {
		return nil, err
	}
	plan, err := index.NewPartial(nil, all)
	if err != nil {
		return nil, err
	}
	want, err := plan.Wanted(iq, (&Library{corpus: st.corpus}).params())
	if err != nil {
		return nil, err
	}
	bq := backend.Query{Not: want.Not, K: max(s.pool, 3*k/2)}
	for _, w := range want.Any {
		bq.Any = append(bq.Any, wordOf(w))
	}
	for _, group := range want.Must {
		var one []backend.Word
		for _, w := range group {
			one = append(one, wordOf(w))
		}
		bq.Must = append(bq.Must, one)
	}
	globs := iq.Paths
	if q.File != "" {
		globs = append(globs, q.File)
	}
	if len(globs) > 0 {
		if bq.Files, err = s.matching(ctx, globs); err != nil {
			return nil, err
		}
	}
	dim := 0
	if st.model != nil {
		dim = st.model.Dim
	}
	var asked *askedEmbedder
	if st.model != nil && q.Mode != Lexical && q.Text != "" {
		asked = &askedEmbedder{info: *st.model, err: errors.New(st.note)}
		if st.by != nil {
			asked.by = st.by
			asked.vector, asked.err = st.by.question(ctx, plainQuestion(q.Text, want.Corrections))
		}
	}
	chunks, err := s.candidates(ctx, bq, asked)
	if err != nil {
		return nil, err
	}
	sh, err := newShelf(chunks, dim)
	if err != nil {
		return nil, err
	}
	sh.held.corpus, sh.held.files, sh.held.asked, sh.held.fresh = all, st.stats.Files, asked, s.freshness(st)
	return sh.library(st.corpus, st.model)
}

// candidates asks for what the words find and for what is near in meaning, at once.
func (s *stored) candidates(ctx context.Context, q backend.Query, asked *askedEmbedder) ([]backend.Chunk, error) {
	var near []backend.Chunk
	var nearErr error
	var wait sync.WaitGroup
	if asked != nil && asked.err == nil {
		wait.Go(func() { near, nearErr = s.Near(ctx, asked.vector, nearPool, q.Files) })
	}
	found, err := s.Candidates(ctx, q)
	wait.Wait()
	return append(found, near...), cmp.Or(err, nearErr)
}

func wordOf(w index.WantedWord) backend.Word {
	return backend.Word{Text: w.Word, Title: w.Title, Terms: w.Terms}
}

// matching returns the files that match all globs; never nil.
func (s *stored) matching(ctx context.Context, globs []string) ([]string, error) {
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	paths := []string{}
	for _, f := range files {
		if matchAll(globs, f.Path) {
			paths = append(paths, f.Path)
		}
	}
	return paths, nil
}

func (s *stored) freshness(st *storedState) string {
	text := fmt.Sprintf("%s, %s", filepath.Base(s.name), plural(st.stats.Files, "file"))
	if !st.updated.IsZero() {
		text += ", written " + ago(st.updated)
	}
	return text
}

// storedWords are the words of a store during one question, as the index asks for
// them.
type storedWords struct {
	ctx context.Context
	s   *stored
	st  *storedState
}

func (w *storedWords) Size() (int, [3]uint64) { return w.st.stats.Chunks, w.st.stats.Lengths }

func (w *storedWords) Words(words []string) ([]int, error) {
	return w.st.counts(w.st.words, words, func(more []string) ([]int, error) { return w.s.Words(w.ctx, more) })
}

func (w *storedWords) Terms(terms []string) ([]int, error) {
	return w.st.counts(w.st.terms, terms, func(more []string) ([]int, error) { return w.s.Terms(w.ctx, more) })
}

// Vocabulary asks for the terms of a letter once.
func (w *storedWords) Vocabulary(prefix string) ([]string, error) {
	_, n := utf8.DecodeRuneInString(prefix)
	letter := prefix[:n]
	w.st.mu.Lock()
	all, ok := w.st.vocabulary[letter]
	w.st.mu.Unlock()
	if !ok {
		var err error
		if all, err = w.s.Vocabulary(w.ctx, letter); err != nil {
			return nil, err
		}
		w.st.mu.Lock()
		if w.st.vocabulary == nil || len(w.st.vocabulary) >= maxLetters {
			w.st.vocabulary = map[string][]string{}
		}
		w.st.vocabulary[letter] = all
		w.st.mu.Unlock()
	}
	var out []string
	for _, t := range all {
		if strings.HasPrefix(t, prefix) {
			out = append(out, t)
		}
	}
	return out, nil
}

// maxLetters bounds for how many letters the terms are remembered.
const maxLetters = 64

// maxRemembered bounds how many counts of words are remembered.
const maxRemembered = 100_000

// counts asks for what is not remembered.
func (st *storedState) counts(known map[string]int, keys []string, ask func([]string) ([]int, error)) ([]int, error) {
	st.mu.Lock()
	out := make([]int, len(keys))
	var more []string
	var at []int
	for i, k := range keys {
		n, ok := known[k]
		if !ok {
			more, at = append(more, k), append(at, i)
		}
		out[i] = n
	}
	st.mu.Unlock()
	if len(more) == 0 {
		return out, nil
	}
	got, err := ask(more)
	if err != nil {
		return nil, err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	for i, n := range got {
		out[at[i]] = n
		if len(known) < maxRemembered {
			known[more[i]] = n
		}
	}
	return out, nil
}

// askedEmbedder knows the vector of one question.
type askedEmbedder struct {
	by     embedder // that embedded it; nil when none could
	info   modelInfo
	vector []float32
	err    error
}

func (a *askedEmbedder) model() modelInfo { return a.info }

func (a *askedEmbedder) question(context.Context, string) ([]float32, error) { return a.vector, a.err }

func (a *askedEmbedder) chunks(context.Context, []embedText, func(done, total int)) (*vector.Builder, error) {
	return nil, errors.New("embed: a library of candidates takes no more")
}

// placesOf is Places for a store.
func (s *stored) placesOf(ctx context.Context, q Query) ([]doc.Ref, error) {
	lib, err := s.gather(ctx, q, places)
	if err != nil {
		return nil, err
	}
	return lib.Places(ctx, q)
}
