package cli

import (
	"errors"
	"sync"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/source/settings"
)

// A remote is the user's endpoint for vectors, set up when an index first needs it.
type remote struct {
	get  func() (*docent.Remote, error)
	made *docent.Remote
}

// remote returns it. Nothing is read or sent before it is asked for.
func (c *console) remote(command string) *remote {
	r := &remote{}
	r.get = sync.OnceValues(func() (*docent.Remote, error) {
		s, err := settings.Load()
		if err != nil {
			return nil, err
		}
		if s.Embedder.URL == "" && s.Embedder.Key == "" {
			return nil, withHint(errors.New("no endpoint for vectors is set"),
				"set DOCENT_EMBED_URL (and DOCENT_EMBED_MODEL, DOCENT_EMBED_KEY), or OPENAI_API_KEY for OpenAI's own")
		}
		dir, err := c.dataDir()
		if err != nil {
			return nil, err
		}
		r.made, err = docent.NewRemote(docent.RemoteOptions{
			URL: s.Embedder.URL, Key: s.Embedder.Key, Model: s.Embedder.Model, Dimensions: s.Embedder.Dimensions,
			TextPrefix: s.Embedder.TextPrefix, QueryPrefix: s.Embedder.QueryPrefix,
			Dir: dir, Command: command,
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

// embedBar shows on a terminal how far an endpoint is.
func (c *console) embedBar() func(done, total int) { return c.countBar("vectors") }

// countBar shows on a terminal how much is done, and how long the rest will take.
func (c *console) countBar(what string) func(done, total int) {
	start := time.Now()
	last := start
	return func(done, total int) {
		if !c.errIsTTY || time.Since(last) < 100*time.Millisecond && done < total {
			return
		}
		last = time.Now()
		rate := float64(done) / max(time.Since(start).Seconds(), 0.001)
		left := time.Duration(float64(total-done) / max(rate, 0.001) * float64(time.Second)).Round(time.Second)
		c.meter("%s: %d of %d, %.0f a second, %s left", what, done, total, rate, left)
		if done == total {
			c.clearBar()
		}
	}
}
