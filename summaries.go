package docent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/model/llm"
)

// A SummaryPlan is what summing up would take.
type SummaryPlan struct {
	Sections int     `json:"sections"` // that links lead to
	Known    int     `json:"known"`    // of those, summed up before
	Tokens   int     `json:"tokens"`   // of the others
	USD      float64 `json:"usd"`      // likely price
	Priced   bool    `json:"priced"`   // whether the price is known
	Model    string  `json:"model"`
}

// A SummaryReport says what was done.
type SummaryReport struct {
	SummaryPlan
	Written int    `json:"written"`
	Failed  int    `json:"failed"`
	Error   string `json:"error,omitempty"` // the first
}

// summaryWorkers is how many summaries are asked for at once.
const summaryWorkers = 4

// maxSummed is how much of a section a model is shown to sum it up, in bytes.
const maxSummed = 16 << 10

// Summarise has the assistant sum up, in a sentence each, the sections that links
// lead to; references show these summaries from then on. What was summed up before
// and has not changed since costs nothing. Nothing is asked of the model unless
// agree, which is told what it will take, says so. Interrupted, it goes on where it
// was.
func (l *Library) Summarise(ctx context.Context, agree func(SummaryPlan) bool, progress func(done, total int)) (*SummaryReport, error) {
	a := l.corpus.assistant()
	if a == nil {
		return nil, ErrNoAssistant
	}
	store, err := l.corpus.openSummaries()
	if err != nil {
		return nil, err
	}
	report := &SummaryReport{SummaryPlan: SummaryPlan{Model: a.Model()}}
	todo, err := l.unsummed(ctx, store, &report.SummaryPlan)
	if err != nil {
		return nil, err
	}
	report.USD, report.Priced = llm.Estimate(a.Model(), len(todo), report.Tokens, llm.SummaryTokens, false)
	if len(todo) == 0 || !agree(report.SummaryPlan) {
		return report, nil
	}
	return report, a.sum(ctx, store, todo, report, progress)
}

// unsummed finds the texts that have no summary yet.
func (l *Library) unsummed(ctx context.Context, store *llm.Store, plan *SummaryPlan) ([]string, error) {
	w, err := l.newWalk()
	if err != nil {
		return nil, err
	}
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	seen := map[node]bool{}
	var targets []node
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		edges, err := w.graph.Out(k.id())
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			n := node{e.To.File, max(e.To.Section, 0)}
			if e.State == graph.Found && !seen[n] {
				seen[n] = true
				targets = append(targets, n)
			}
		}
	}
	plan.Sections = len(targets)
	var todo []string
	asked := map[llm.Key]bool{}
	for _, n := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := w.doc(n.id)
		if err != nil {
			return nil, err
		}
		if n.section >= len(d.Sections) {
			continue
		}
		text := summedText(d, d.Sections[n.section])
		key := summaryKey(text)
		if _, ok := store.Get(key); ok || wordsHash([]byte(text)) == 0 {
			plan.Known++
			continue
		}
		if !asked[key] {
			asked[key] = true
			todo = append(todo, text)
			plan.Tokens += l.policy.Count([]byte(text))
		}
	}
	return todo, w.err
}

// summedText is the text of a section that its summary is of.
func summedText(d *doc.Document, s doc.Section) string {
	text := s.Span.Of(d.Source)
	return string(text[:min(len(text), maxSummed)])
}

func summaryKey(text string) llm.Key { return llm.KeyOf("summary", text) }

// sum asks for the summaries, several at a time, and keeps each as it comes.
func (a *Assistant) sum(ctx context.Context, store *llm.Store, texts []string, report *SummaryReport, progress func(done, total int)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	var first error
	next := make(chan string)
	var wait sync.WaitGroup
	done := 0
	for range summaryWorkers {
		wait.Go(func() {
			for text := range next {
				summary, err := a.plain.Summarise(ctx, text)
				if err == nil {
					err = store.Put(map[llm.Key][]byte{summaryKey(text): []byte(summary)})
				}
				mu.Lock()
				done++
				switch {
				case err == nil:
					report.Written++
				case ctx.Err() == nil:
					report.Failed++
					if first == nil {
						first = err
					}
					// Bad luck with one text is no reason to give up on the others; a
					// key that is refused, or an endpoint that is not there, is.
					if slices.Contains([]llm.Kind{llm.Denied, llm.Unreachable}, llm.KindOf(err)) {
						cancel()
					}
				}
				if progress != nil {
					progress(done, len(texts))
				}
				mu.Unlock()
			}
		})
	}
	var err error
	for _, text := range texts {
		select {
		case next <- text:
			continue
		case <-ctx.Done():
			err = ctx.Err()
		}
		break
	}
	close(next)
	wait.Wait()
	if first != nil {
		report.Error = first.Error()
		if report.Written == 0 {
			return first
		}
		return nil
	}
	return err
}

// openSummaries opens the file of summaries for writing.
func (c *corpus) openSummaries() (*llm.Store, error) {
	if c.help == nil || c.help.file == "" {
		return nil, errors.New("summaries: no folder to keep them in")
	}
	store, err := llm.OpenStore(c.help.file, 0)
	if err != nil {
		return nil, fmt.Errorf("summaries: %w", err)
	}
	return store, nil
}

// summarized returns the summary that a model wrote of a section, if one did. The
// file is opened when first asked for, and not made.
func (c *corpus) summarized(d *doc.Document, s doc.Section) (string, bool) {
	h := c.help
	if h == nil || h.file == "" {
		return "", false
	}
	h.opened.Do(func() {
		if _, err := os.Stat(h.file); err == nil {
			h.summaries, _ = llm.OpenStore(h.file, 0) // without it the first sentence will do
		}
	})
	summary, ok := h.summaries.Get(summaryKey(summedText(d, s)))
	return string(summary), ok
}
