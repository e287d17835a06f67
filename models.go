package docent

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"time"

	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/model/assist"
	"github.com/docent-md/docent/internal/model/llm"
)

// An Assistant is a language model that helps where it can: it reranks the hits of a
// search, and summarises sections. Everything works without one. It may be used by many
// goroutines at once.
type Assistant struct{ assist *assist.Assistant }

// AssistantOptions say which model helps. Key and URL must come from the user, not from
// a project.
type AssistantOptions struct {
	Key     string        // for the Messages API
	URL     string        // "" means Anthropic's
	Model   string        // "" means the default
	Dir     string        // where answers that were paid for, and what they cost, are stored; "" stores nothing
	Command string        // that what is spent is booked on
	Within  time.Duration // most that a reranking may take; 0 means 8 s
	Note    func(string)  // called with one-line warnings; may be nil
}

// NewAssistant returns an Assistant. It opens no connection.
func NewAssistant(o AssistantOptions) (*Assistant, error) {
	a, err := assist.NewAssistant(assist.AssistantOptions(o))
	if err != nil {
		return nil, err
	}
	return &Assistant{a}, nil
}

// Model is the name of the model.
func (a *Assistant) Model() string { return a.assist.Model() }

// Close closes the files.
func (a *Assistant) Close() error { return a.assist.Close() }

// reranker is the assistant as search asks it; nil when there is none.
func (a *Assistant) reranker() search.Reranker {
	if a == nil {
		return nil
	}
	return a.assist
}

// An Endpoint turns texts into vectors on another machine. It may be used by many
// goroutines at once.
type Endpoint struct {
	embedder *llm.Embedder
	store    *llm.Store // of vectors that were paid for; may be nil
}

// EndpointOptions say which endpoint. URL and Key must come from the user, not from a
// project.
type EndpointOptions struct {
	URL         string // that serves /v1/embeddings; "" means OpenAI's
	Key         string // "" sends none
	Model       string
	Dimensions  int    // that are expected; 0 accepts any
	TextPrefix  string // put before each text, as some models want
	QueryPrefix string
	Dir         string       // where vectors that were paid for are stored; "" stores none
	Command     string       // that what is spent is booked on
	Note        func(string) // told what many texts will cost before they are embedded; may be nil

	// Agree is asked before many texts are embedded elsewhere than on this machine; nil
	// goes ahead.
	Agree   func() bool
	Patient bool // do a long job to its end; otherwise an outage is not waited for
}

// NewEndpoint returns an Endpoint. It opens no connection.
func NewEndpoint(o EndpointOptions) (*Endpoint, error) {
	e := &Endpoint{}
	c := llm.EmbedConfig{
		Config:     llm.Config{BaseURL: o.URL, Key: o.Key, Model: o.Model, Patient: o.Patient, OutageDir: o.Dir},
		Dimensions: o.Dimensions, TextPrefix: o.TextPrefix, QueryPrefix: o.QueryPrefix,
	}
	c.Announce = func(p llm.Plan) error {
		cost := "the price is not known"
		if p.Priced {
			cost = fmt.Sprintf("about %.2f USD", max(p.USD, 0.01))
		}
		if o.Note != nil {
			o.Note(fmt.Sprintf("embedding %d texts with %s: about %d tokens, %s", p.Texts, p.Model, p.Tokens, cost))
		}
		if o.Agree != nil && !isOwnMachine(o.URL) && !o.Agree() {
			return ErrNotAgreed
		}
		return nil
	}
	var err error
	if o.Dir != "" {
		if e.store, err = llm.OpenStore(filepath.Join(o.Dir, "vectors"), 0); err != nil {
			return nil, err
		}
		c.Cache = e.store
		c.Record = llm.NewLedger(filepath.Join(o.Dir, assist.LedgerFile), nil).Record(o.Command, nil)
	}
	e.embedder, err = llm.NewEmbedder(c)
	return e, err
}

// ErrNotAgreed is why nothing was embedded: EndpointOptions.Agree said so.
var ErrNotAgreed = errors.New("embedding costs money, and was not agreed to")

// isOwnMachine reports whether an address is one of this machine.
func isOwnMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// Close closes the files.
func (e *Endpoint) Close() error { return e.store.Close() }

// Fingerprint identifies the model as this endpoint serves it.
func (e *Endpoint) Fingerprint() string { return e.embedder.Fingerprint() }

// Model is the name of the model.
func (e *Endpoint) Model() string { return e.embedder.Model() }

// Dim is how many numbers a vector has; 0 until one was made.
func (e *Endpoint) Dim() int { return e.embedder.Dim() }

// Query embeds a question, by a vector of so many dimensions; 0 accepts any.
func (e *Endpoint) Query(ctx context.Context, text string, dim int) ([]float32, error) {
	return e.embedder.Query(ctx, text, dim)
}

// Embed embeds texts, by vectors of so many dimensions; 0 accepts any. It is an error if
// more than most of them were never paid for, unless that is 0.
func (e *Endpoint) Embed(ctx context.Context, texts []string, dim, most int, progress func(done, total int)) ([][]float32, error) {
	return e.embedder.Embed(ctx, texts, dim, most, func(p llm.Progress) {
		if progress != nil {
			progress(p.Done, p.Total)
		}
	})
}
