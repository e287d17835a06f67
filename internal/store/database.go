// Package store stores snapshots in databases: a SQLite file, or a Weaviate cluster. A
// backend returns candidates; words, corrections, scores and order are ours, so that a
// question has the same answer whatever the backend (design/007-backends.md).
package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/blob"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store/backend"
	"github.com/docent-md/docent/internal/store/sqlite"
	"github.com/docent-md/docent/internal/text/human"
)

// A Database is a snapshot whose chunks are in a backend. Every question is answered
// from a view of its own, of the candidates that the backend returns from its newest
// generation.
type Database struct {
	Backend
	name    string          // for people
	pool    int             // how many candidates are asked for, at least
	options refresh.Options // how models are opened

	mu  sync.Mutex
	now *state // of the newest generation that was asked
}

// A state is what is known of one generation of a database. It never changes but for
// the caches of its words.
type state struct {
	generation string
	stats      backend.Stats
	corpus     *corpus.Corpus
	model      *embedding.ModelInfo // nil without vectors
	by         embedding.Embedder   // nil without vectors, or when they cannot be used
	note       string               // why there are vectors and no embedder
	updated    time.Time

	mu         sync.Mutex
	words      map[string]int
	terms      map[string]int
	vocabulary map[string][]string // the terms of a letter

	fieldsMu sync.Mutex
	said     *snapshot.View // what all documents say of themselves; nil until it is asked for

	sources map[string]string // the ids that records had for documents, by path
}

// candidatePool is how many candidates a SQLite file is asked for at least: its ranking
// is not ours, so our best hit may come late in it (measured in design/007-backends.md).
const candidatePool = 300

// OpenDB opens a SQLite file that Index or Export wrote. It is asked for its chunks
// alone; no document is looked at.
func OpenDB(ctx context.Context, file string, o refresh.Options) (*Database, error) {
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	d, err := open(ctx, db, file, candidatePool, o)
	if err != nil {
		_ = db.Close()
	}
	return d, err
}

func open(ctx context.Context, b Backend, name string, pool int, o refresh.Options) (*Database, error) {
	d := &Database{Backend: b, name: name, pool: pool, options: o}
	var err error
	if d.now, err = d.load(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// load reads the metadata of a database.
func (d *Database) load(ctx context.Context) (*state, error) {
	st := &state{words: map[string]int{}, terms: map[string]int{}}
	meta := map[string][]byte{}
	for _, key := range []string{metaGeneration, metaSettings, metaModel, metaDelta, metaUpdated, metaSources} {
		var err error
		if meta[key], err = d.Meta(ctx, key); err != nil {
			return nil, err
		}
	}
	st.generation = string(meta[metaGeneration])
	if raw := meta[metaSources]; raw != nil {
		if err := json.Unmarshal(raw, &st.sources); err != nil {
			return nil, fmt.Errorf("%w: the sources of %s: %v", segment.ErrDamaged, d.name, err)
		}
	}
	st.updated, _ = time.Parse(time.RFC3339, string(meta[metaUpdated]))
	var err error
	if st.stats, err = d.Stats(ctx); err != nil {
		return nil, err
	}
	set := settingsOf(corpus.Default())
	if raw := meta[metaSettings]; raw != nil {
		if err := json.Unmarshal(raw, &set); err != nil {
			return nil, fmt.Errorf("%w: the settings of %s: %v", segment.ErrDamaged, d.name, err)
		}
	}
	st.corpus = corpus.FromRecipe(d.name, set.Policy, set.Boost)
	st.corpus.Summary = d.options.Summary
	st.corpus.Choice.Endpoint, st.corpus.Choice.EmbedAll = d.options.Endpoint, d.options.EmbedAll
	if meta[metaModel] == nil {
		return st, nil
	}
	st.model = &embedding.ModelInfo{}
	if err := json.Unmarshal(meta[metaModel], st.model); err != nil || st.model.Dim < 1 || st.model.Dim > vector.MaxDim {
		return nil, fmt.Errorf("%w: the model of %s", segment.ErrDamaged, d.name)
	}
	v := embedding.Vectors{Model: *st.model}
	if delta := meta[metaDelta]; delta != nil {
		v.Delta = blob.Memory(delta)
	}
	if st.by, err = v.Open(st.corpus.Choice); err != nil {
		st.by, st.note = nil, err.Error() // words still answer
	}
	return st, nil
}

// state returns what is known of the database as it is now.
func (d *Database) state(ctx context.Context) (*state, error) {
	raw, err := d.Meta(ctx, metaGeneration)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now.generation == string(raw) {
		return d.now, nil
	}
	next, err := d.load(ctx)
	if err != nil {
		return nil, err
	}
	d.now = next
	return next, nil
}

// freshness says how old the database is.
func (d *Database) freshness(st *state) string {
	text := fmt.Sprintf("%s, %s", filepath.Base(d.name), human.Plural(st.stats.Files, "file"))
	if !st.updated.IsZero() {
		text += ", written " + human.Ago(st.updated)
	}
	return text
}

// A questionEmbedder knows the vector of one question.
type questionEmbedder struct {
	by     embedding.Embedder // that embedded it; nil when none could
	info   embedding.ModelInfo
	vector []float32
	err    error
}

func (e *questionEmbedder) Model() embedding.ModelInfo { return e.info }

func (e *questionEmbedder) Question(context.Context, string) ([]float32, error) {
	if e.err != nil {
		return nil, &embedding.UnavailableError{Err: e.err}
	}
	return e.vector, nil
}

func (e *questionEmbedder) Chunks(context.Context, []embedding.Text, func(done, total int)) (*vector.Builder, error) {
	return nil, errors.New("embed: candidates are embedded already")
}

// Explain says which words make a text similar to the question, where the model can
// tell.
func (e *questionEmbedder) Explain(question, text string, n int) []embed.Tie {
	if t, ok := e.by.(*embedding.Table); ok {
		return t.Explain(question, text, n)
	}
	return nil
}

// sourceID is what records called a document, else its path.
func (st *state) sourceID(path string) string { return cmp.Or(st.sources[path], path) }

// paths are the paths of documents, by the ids that records had for them.
func (st *state) paths() map[string]string {
	out := make(map[string]string, len(st.sources))
	for path, id := range st.sources {
		out[id] = path
	}
	return out
}

// pathOf is the path of a document that records called by an id, else that id.
func (st *state) pathOf(id string) string { return cmp.Or(st.paths()[id], id) }
