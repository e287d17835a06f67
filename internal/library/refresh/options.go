// Package refresh opens the index of a folder, builds it where there is none, and
// refreshes it when files change. Do is the one loop that asks a snapshot, refreshes
// what turns out to be stale, and asks again.
package refresh

import (
	"fmt"
	"time"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/embedding"
)

// Options tune how an index is opened. The zero value is a good default.
type Options struct {
	NoRefresh    bool                  // answer from the index as it is
	Confirm      bool                  // report nothing missing unless all files were compared just before
	DeferVectors bool                  // a new index gets its vectors from the first search that needs them
	WordsFirst   bool                  // a new index that is large gets them from whoever opens it next, and answers by words until then
	Progress     func(corpus.Progress) // called now and then while an index is built; may be nil
	Note         func(string)          // called with one-line warnings; may be nil

	Embed         string                             // one of embedding.Kinds; "" keeps what the index has
	Model         string                             // folder of a model that "docent train" made
	Endpoint      func() (embedding.Endpoint, error) // of an index made with one; may be nil
	EmbedProgress func(done, total int)              // called while an endpoint is asked; may be nil
	EmbedAll      bool                               // the endpoint of an index may be asked for all of its vectors again

	// Summary returns what a language model wrote about a section; may be nil.
	Summary func(d *doc.Document, s doc.Section) (string, bool)
}

func (o Options) notef(format string, args ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, args...))
	}
}

// Find returns the corpus of a root, with these options applied.
func (o Options) Find(root string) (*corpus.Corpus, error) {
	c, err := corpus.Find(root)
	if err != nil {
		return nil, err
	}
	return c, o.Apply(c)
}

// Apply gives a corpus what the options say about it.
func (o Options) Apply(c *corpus.Corpus) error {
	var err error
	c.Summary = o.Summary
	c.Choice, err = embedding.Choose(o.Embed, o.Model, o.Endpoint)
	c.Choice.EmbedAll = o.EmbedAll
	return err
}

// How an index is refreshed.
//
// A file counts as unchanged while its size and time are those of the index; otherwise
// its content decides. Files that changed go into a new, small segment, and the rows
// they replace are marked dead in the manifest. When these deltas hold more than a few
// hundred files, or there are many of them, all segments are merged into one.
//
// All files are compared before each answer where the last comparison was quick. Where
// it was not, all are compared once a minute, and those behind an answer always.
const (
	quick      = 100 * time.Millisecond
	checkEvery = time.Minute

	maxDeltaFiles = 300 // files in deltas before they are merged into the base
	maxDeltas     = 6   // deltas before they are merged
	maxTouched    = 64  // files whose time changed but not their content, before times are written again
)
