package docent

import (
	"path/filepath"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/model/llm"
)

// An Assistant is a language model that helps where it can: it puts the answers to
// a question in order, and sums sections up. Everything works without one. It may
// be used by many goroutines at once.
type Assistant struct {
	claude *llm.Claude // keeps rankings
	plain  *llm.Claude // keeps nothing by itself
	close  []func() error
}

// AssistantOptions say which model helps. Key and URL must come from the user, not
// from a project.
type AssistantOptions struct {
	Key     string        // for the Messages API
	URL     string        // "" means Anthropic's
	Model   string        // "" means a small current one
	Dir     string        // where answers that were paid for, and what they cost, are kept; "" keeps nothing
	Command string        // that what is spent is booked on
	Within  time.Duration // most that a reranking may take; 0 means 8 s
	Note    func(string)  // told in a line of anything out of the ordinary; may be nil
}

// The names of what an Assistant keeps in its folder.
const (
	rankingsFile = "rankings"
	LedgerFile   = "spent.jsonl"
)

// maxRankings is how large the file of rankings may grow: they are of use while
// one question follows another.
const maxRankings = 16 << 20

// NewAssistant returns an Assistant. It opens no connection.
func NewAssistant(o AssistantOptions) (*Assistant, error) {
	note := o.Note
	if note == nil {
		note = func(string) {}
	}
	a := &Assistant{}
	c := llm.Config{BaseURL: o.URL, Key: o.Key, Model: o.Model, Within: o.Within}
	if o.Dir != "" {
		store, err := llm.OpenStore(filepath.Join(o.Dir, rankingsFile), maxRankings)
		if err != nil {
			note("answers of the model are not kept: " + err.Error())
		} else {
			a.close = append(a.close, store.Close)
		}
		c.Cache = store
		c.Record = llm.NewLedger(filepath.Join(o.Dir, LedgerFile), nil).Record(o.Command, func(err error) {
			note("what was spent is not written down: " + err.Error())
		})
	}
	var err error
	if a.claude, err = llm.NewClaude(c); err != nil {
		return nil, err
	}
	c.Cache = nil
	a.plain, err = llm.NewClaude(c)
	return a, err
}

// help is what models contribute to a corpus.
type help struct {
	assistant *Assistant
	file      string // of summaries; "" when none are kept
	opened    sync.Once
	summaries *llm.Store
}

// assist takes from the options what concerns models, and how careful answers are.
func (c *corpus) assist(o Options) {
	c.sure = o.Confirm
	if o.Assistant != nil || o.Summaries != "" {
		c.help = &help{assistant: o.Assistant, file: o.Summaries}
	}
}

func (c *corpus) assistant() *Assistant {
	if c.help == nil {
		return nil
	}
	return c.help.assistant
}

// Model is the name of the model.
func (a *Assistant) Model() string { return a.claude.Model() }

// Close closes the files.
func (a *Assistant) Close() error {
	var first error
	for _, c := range a.close {
		if err := c(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
