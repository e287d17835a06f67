package cli

import (
	"errors"
	"sync"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/source/settings"
)

// A remote is the user's embedding endpoint, which is set up on first use.
type remote struct {
	get  func() (*docent.Endpoint, error)
	made *docent.Endpoint
	yes  bool // do not ask before many texts are embedded
}

// remote returns the user's embedding endpoint. Nothing is read or sent before get is
// called.
func (c *console) remote(command string) *remote {
	r := &remote{}
	r.get = sync.OnceValues(func() (*docent.Endpoint, error) {
		s, err := settings.Load()
		if err != nil {
			return nil, err
		}
		if s.Embedder.URL == "" && s.Embedder.Key == "" {
			return nil, withHint(errors.New("no embedding endpoint is set"),
				"set DOCENT_EMBED_URL (and DOCENT_EMBED_MODEL, DOCENT_EMBED_KEY), or OPENAI_API_KEY for OpenAI's own")
		}
		dir, err := c.dataDir()
		if err != nil {
			return nil, err
		}
		r.made, err = docent.NewEndpoint(docent.EndpointOptions{
			URL: s.Embedder.URL, Key: s.Embedder.Key, Model: s.Embedder.Model, Dimensions: s.Embedder.Dimensions,
			TextPrefix: s.Embedder.TextPrefix, QueryPrefix: s.Embedder.QueryPrefix,
			Dir: dir, Command: command, Note: c.noteText, Patient: command == "index",
			Agree: func() bool { return r.yes || c.agrees() },
		})
		return r.made, err
	})
	return r
}

func (r *remote) close() {
	if r.made != nil {
		_ = r.made.Close()
	}
}
