package docent

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/engine/segment"
	"github.com/docent-md/docent/internal/model/llm"
)

// Which model an index is made with.
//
// Who says nothing gets what the index has: an index made with a model of the
// user's keeps it. A new one gets the default. The table in the program may change
// with the program; an index made with another is made anew.

// defaultModel is what an index is made with when nobody says otherwise.
const defaultModel = builtinModel

// DeltaFile is the name of a trained model in its folder.
const DeltaFile = "docent.delta"

// A Remote is an endpoint that turns texts into vectors. It may be used by many
// goroutines at once.
type Remote struct {
	e     *llm.Embedder
	close []func() error
}

// RemoteOptions say which endpoint. URL and Key must come from the user, not from
// a project.
type RemoteOptions struct {
	URL         string // that serves /v1/embeddings; "" means OpenAI's
	Key         string // "" sends none
	Model       string
	Dimensions  int    // that are expected; 0 takes what comes
	TextPrefix  string // put before each text, as some models want
	QueryPrefix string
	Dir         string // where vectors that were paid for are kept; "" keeps none
	Command     string // that what is spent is booked on
	Note        func(string)
}

// NewRemote returns a Remote. It opens no connection.
func NewRemote(o RemoteOptions) (*Remote, error) {
	r := &Remote{}
	c := llm.EmbedConfig{
		Config:     llm.Config{BaseURL: o.URL, Key: o.Key, Model: o.Model},
		Dimensions: o.Dimensions, TextPrefix: o.TextPrefix, QueryPrefix: o.QueryPrefix,
	}
	if o.Dir != "" {
		store, err := llm.OpenStore(filepath.Join(o.Dir, "vectors"), 0)
		if err != nil {
			return nil, err
		}
		r.close = append(r.close, store.Close)
		c.Cache = store
		c.Record = llm.NewLedger(filepath.Join(o.Dir, LedgerFile), nil).Record(o.Command, nil)
	}
	var err error
	r.e, err = llm.NewEmbedder(c)
	return r, err
}

// Close closes the files.
func (r *Remote) Close() error {
	var all []error
	for _, c := range r.close {
		all = append(all, c())
	}
	return errors.Join(all...)
}

// choice is what the user said about the model.
type choice struct {
	kind   string // "" for nothing
	dir    string // of a trained model
	remote func() (*Remote, error)
}

// ModelKinds are the values of Options.Embed.
var ModelKinds = []string{builtinModel, baseModel, remoteModel, noModel}

// choose takes from the options what concerns the model.
func (c *corpus) choose(o Options) error {
	c.choice = choice{kind: o.Embed, dir: o.Model, remote: o.Remote}
	switch {
	case o.Model != "" && o.Embed != "" && o.Embed != builtinModel:
		return fmt.Errorf("a trained model is one of docent's own: not with --embed %s", o.Embed)
	case o.Model != "":
		dir, err := filepath.Abs(o.Model)
		c.choice.kind, c.choice.dir = trainedModel, dir
		return err
	case o.Embed == remoteModel && o.Remote == nil:
		return errors.New("embed openai: no endpoint is set")
	case o.Embed == "" || slices.Contains(ModelKinds, o.Embed):
		return nil
	}
	return fmt.Errorf("no kind of model is called %q: there are %s", o.Embed, strings.Join(ModelKinds, ", "))
}

// accepts reports whether an index made with a model can be used.
func (c *corpus) accepts(m modelChoice) bool {
	ours := m.Kind == builtinModel || m.Kind == baseModel || m.Kind == trainedModel
	if ours && m.Table != embed.Base().Fingerprint() {
		return false
	}
	switch c.choice.kind {
	case "":
		if m.Kind != remoteModel || c.choice.remote == nil {
			return true
		}
		// Another model at the endpoint makes the index anew; without any, words do.
		r, err := c.choice.remote()
		return err != nil || m.Table == r.e.Fingerprint()
	case trainedModel:
		want, err := readDelta(c.choice.dir)
		return err == nil && m.Kind == trainedModel && m.Delta == want.Fingerprint()
	case remoteModel:
		r, err := c.choice.remote()
		return err == nil && m.Kind == remoteModel && m.Table == r.e.Fingerprint()
	}
	return m.Kind == c.choice.kind
}

// A modelChoice is what an index remembers of the model it was made with.
type modelChoice struct {
	Kind  string `json:"kind"`
	Table string `json:"table,omitempty"` // fingerprint of the table, or of a remote model
	Delta string `json:"delta,omitempty"` // fingerprint of trained rows
	Dir   string `json:"dir,omitempty"`   // and where they came from
	Later bool   `json:"later,omitempty"` // vectors are still to come
}

// settle decides on the model of an index that is about to be made.
func (c *corpus) settle(o Options) (modelChoice, *embedding, error) {
	kind, dir := c.choice.kind, c.choice.dir
	if kind == "" {
		kind = defaultModel
		if was, ok := c.lastModel(); ok {
			kind, dir = was.Kind, was.Dir
		}
	}
	e := &embedding{progress: o.EmbedProgress}
	m := modelChoice{Kind: kind}
	switch kind {
	case noModel:
		return m, nil, nil
	case baseModel:
		t, err := newTableEmbedder(nil, baseModel, "")
		if err != nil {
			return m, nil, err
		}
		e.by = t
	case trainedModel:
		delta, err := readDelta(dir)
		if err != nil && c.choice.kind == "" {
			o.note("the model %s is not there any more: the built-in one takes its place", dir)
			m.Kind = builtinModel
			break
		}
		if err != nil {
			return m, nil, err
		}
		t, err := newTableEmbedder(delta, trainedModel, dir)
		if err != nil {
			return m, nil, fmt.Errorf("model %s: was trained for another version of docent: train it again: %w", dir, err)
		}
		m.Delta, m.Dir, e.by, e.delta = delta.Fingerprint(), dir, t, delta.Bytes()
	case remoteModel:
		if c.choice.remote == nil {
			o.note("the index was made with vectors of an endpoint that is not set any more: the built-in model takes its place")
			m.Kind = builtinModel
			break
		}
		r, err := c.choice.remote()
		if err != nil {
			return m, nil, err
		}
		m.Table, e.by = r.e.Fingerprint(), &remoteEmbedder{r.e}
		return m, e, nil
	}
	m.Table = embed.Base().Fingerprint()
	if o.Words && m.Kind == builtinModel {
		m.Later = true
		return m, nil, nil
	}
	return m, e, nil
}

// lastModel is the choice that the index now in place was made with, usable or not.
func (c *corpus) lastModel() (modelChoice, bool) {
	snap, err := segment.OpenStore(c.store)
	if err != nil {
		return modelChoice{}, false
	}
	defer snap.Close()
	var m meta
	if json.Unmarshal(snap.Meta, &m) != nil || m.Model.Kind == "" {
		return modelChoice{}, false
	}
	return m.Model, true
}

// readDelta reads a trained model from its folder.
func readDelta(dir string) (*embed.Delta, error) {
	raw, err := os.ReadFile(filepath.Join(dir, DeltaFile))
	if err != nil {
		return nil, fmt.Errorf("model %s: %w (docent train makes one)", dir, pathCause(err))
	}
	d, err := embed.OpenDelta(raw)
	if err == nil {
		err = d.Verify()
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", dir, err)
	}
	return d, nil
}
