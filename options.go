package docent

import (
	"context"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/model/assist"
)

// A Query is a search request. Any string is a valid query.
type Query = answer.Query

// Options tune how a library is opened. The zero value is a good default.
type Options struct {
	NoRefresh    bool           // answer from the index as it is
	Confirm      bool           // report nothing missing unless all files were compared just before
	EagerVectors bool           // a new index gets its vectors at once, not when something first needs them
	WordsFirst   bool           // a new index that is large answers by words, and gets its vectors when it is opened next
	Progress     func(Progress) // called now and then while an index is built; may be nil
	Note         func(string)   // called with one-line warnings; may be nil
	Assistant    *Assistant     // helps with what is asked of it; may be nil
	Summaries    string         // file of the summaries that an Assistant wrote; "" means none

	Embed         string                    // "builtin", "base", "openai" or "none"; "" keeps what the index has
	Model         string                    // folder of a model that "docent train" made
	Endpoint      func() (*Endpoint, error) // gives the endpoint of an index made with one; may be nil
	EmbedProgress func(done, total int)     // called while an endpoint is asked; may be nil

	Background *Background // opens and refreshes in the background, for a server; nil waits
}

// Progress says how far the building of an index is.
type Progress struct {
	Files int
	Bytes int64
}

// Background has Open return at once: the index is opened, built and refreshed in the
// background. A call waits a while for it, and gets ErrNoIndexYet when there is none
// by then. The zero value of each time means a good default.
type Background struct {
	Interval    time.Duration // between refreshes; 0 means 2 s
	RefreshWait time.Duration // that a call waits for a refresh; 0 means 150 ms
	BuildWait   time.Duration // that a call waits for the first build; 0 means 20 s

	// Watch calls changed whenever files may have changed, until ctx ends; may be nil.
	Watch func(ctx context.Context, changed func()) error
}

// internal translates the options for the packages below.
func (o Options) internal() refresh.Options {
	in := refresh.Options{
		NoRefresh: o.NoRefresh, Confirm: o.Confirm, DeferVectors: !o.EagerVectors && !o.WordsFirst && o.Background == nil, WordsFirst: o.WordsFirst, Note: o.Note,
		Embed: o.Embed, Model: o.Model, EmbedProgress: o.EmbedProgress,
	}
	if o.Progress != nil {
		in.Progress = func(p corpus.Progress) { o.Progress(Progress(p)) }
	}
	if o.Endpoint != nil {
		in.Endpoint = func() (embedding.Endpoint, error) {
			e, err := o.Endpoint()
			if err != nil {
				return nil, err
			}
			return e, nil
		}
	}
	if o.Summaries != "" {
		in.Summary = assist.OpenSummaries(o.Summaries).Of
	}
	return in
}
