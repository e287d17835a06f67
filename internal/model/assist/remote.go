package assist

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/docent-md/docent/internal/model/llm"
)

// A Remote is an endpoint that turns texts into vectors: an embedding.Endpoint. It may
// be used by many goroutines at once.
type Remote struct {
	embedder *llm.Embedder
	close    []func() error
}

// RemoteOptions say which endpoint. URL and Key must come from the user, not from
// a project.
type RemoteOptions struct {
	URL         string // that serves /v1/embeddings; "" means OpenAI's
	Key         string // "" sends none
	Model       string
	Dimensions  int    // that are expected; 0 accepts any
	TextPrefix  string // put before each text, as some models want
	QueryPrefix string
	Dir         string // where vectors that were paid for are stored; "" stores none
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
	r.embedder, err = llm.NewEmbedder(c)
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

// Fingerprint identifies the model as this endpoint serves it.
func (r *Remote) Fingerprint() string { return r.embedder.Fingerprint() }

// Model is the name of the model.
func (r *Remote) Model() string { return r.embedder.Model() }

// Dim is how many numbers a vector has; 0 until one was made.
func (r *Remote) Dim() int { return r.embedder.Dim() }

// Query embeds a question.
func (r *Remote) Query(ctx context.Context, text string) ([]float32, error) {
	return r.embedder.Query(ctx, text)
}

// Embed embeds texts.
func (r *Remote) Embed(ctx context.Context, texts []string, progress func(done, total int)) ([][]float32, error) {
	return r.embedder.Embed(ctx, texts, func(p llm.Progress) {
		if progress != nil {
			progress(p.Done, p.Total)
		}
	})
}
