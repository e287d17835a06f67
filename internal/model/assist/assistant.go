// Package assist lets a language model help where it is asked to: it reranks hits and
// summarises sections.
package assist

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/graph"
	"github.com/docent-md/docent/internal/library/history"
	"github.com/docent-md/docent/internal/library/links"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/model/llm"
)

// An Assistant is a language model that helps where it can: it puts the answers to
// a question in order, and summarises sections. Everything works without one. It may be
// used by many goroutines at once.
type Assistant struct {
	claude *llm.Claude // caches rankings
	Plain  *llm.Claude // without a cache
	store  *llm.Store  // of rankings; may be nil
}

// AssistantOptions say which model helps. Key and URL must come from the user, not
// from a project.
type AssistantOptions struct {
	Key     string        // for the Messages API
	URL     string        // "" means Anthropic's
	Model   string        // "" means the default
	Dir     string        // where answers that were paid for, and what they cost, are stored; "" stores nothing
	Command string        // that what is spent is booked on
	Within  time.Duration // most that a reranking may take; 0 means 8 s
	Note    func(string)  // called with one-line warnings; may be nil
}

// The files in the folder of an Assistant.
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
		var err error
		if a.store, err = llm.OpenStore(filepath.Join(o.Dir, rankingsFile), maxRankings); err != nil {
			note("answers of the model are not cached: " + err.Error())
		}
		c.Cache, c.OutageDir = a.store, o.Dir
		c.Record = llm.NewLedger(filepath.Join(o.Dir, LedgerFile), nil).Record(o.Command, func(err error) {
			note("what was spent is not written down: " + err.Error())
		})
	}
	var err error
	if a.claude, err = llm.NewClaude(c); err != nil {
		return nil, err
	}
	c.Cache, c.Patient = nil, true
	a.Plain, err = llm.NewClaude(c)
	return a, err
}

// Model is the name of the model.
func (a *Assistant) Model() string { return a.claude.Model() }

// Close closes the files.
func (a *Assistant) Close() error { return a.store.Close() }

// Rerank has the model choose among candidates. It is a search.Reranker.
func (a *Assistant) Rerank(ctx context.Context, question string, candidates []search.Preview) (ids []string, note string, err error) {
	offered := make([]llm.Candidate, len(candidates))
	for i, c := range candidates {
		offered[i] = llm.Candidate{ID: c.ID, Title: c.Title, Preview: c.Text}
	}
	ranking, err := a.claude.Rerank(ctx, question, offered)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if err != nil {
		return nil, "not reranked: " + strings.TrimPrefix(err.Error(), "rerank: "), nil
	}
	note = "reranked by " + a.Model()
	if len(ranking.IDs) == 0 {
		note += ": no candidate answers the question"
	}
	return ranking.IDs, note, nil
}

// SummaryWorkers is how many summaries are asked for at once.
const SummaryWorkers = 4

// maxSummed is how much of a section a model is shown to summarise it, in bytes.
const maxSummed = 16 << 10

// Summarise has the assistant summarise, in a sentence each, the sections that links
// lead to, and stores the summaries in a file; references show them from then on.
// Sections with a current summary cost nothing. Nothing is asked of the model unless
// agree, which is told what it will take, says so. An interrupted run is resumed.
func (a *Assistant) Summarise(ctx context.Context, v *snapshot.View, file string, agree func(answer.SummaryPlan) bool, progress func(done, total int)) (*answer.SummaryReport, error) {
	if file == "" {
		return nil, errors.New("summaries: no folder to store them in")
	}
	store, err := llm.OpenStore(file, 0)
	if err != nil {
		return nil, fmt.Errorf("summaries: %w", err)
	}
	report := &answer.SummaryReport{SummaryPlan: answer.SummaryPlan{Model: a.Model()}}
	todo, err := withoutSummary(ctx, v, store, &report.SummaryPlan)
	if err != nil {
		return nil, err
	}
	report.USD, report.Priced = llm.Estimate(a.Model(), len(todo), report.Tokens, llm.SummaryTokens, false)
	if len(todo) == 0 || !agree(report.SummaryPlan) {
		return report, nil
	}
	return report, a.sum(ctx, store, todo, report, progress)
}

// withoutSummary finds the texts that have no summary yet.
func withoutSummary(ctx context.Context, l *snapshot.View, store *llm.Store, plan *answer.SummaryPlan) ([]string, error) {
	w, err := links.NewWalk(l)
	if err != nil {
		return nil, err
	}
	files, err := l.Files()
	if err != nil {
		return nil, err
	}
	seen := map[links.Node]bool{}
	var targets []links.Node
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		edges, err := w.Graph.Out(k.ID())
		if err != nil {
			return nil, err
		}
		for _, e := range edges {
			n := links.Node{ID: e.To.File, Section: max(e.To.Section, 0)}
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
		d, err := w.Doc(n.ID)
		if err != nil {
			return nil, err
		}
		if n.Section >= len(d.Sections) {
			continue
		}
		text := summedText(d, d.Sections[n.Section])
		key := summaryKey(text)
		if _, ok := store.Get(key); ok || history.WordsHash([]byte(text)) == 0 {
			plan.Known++
			continue
		}
		if !asked[key] {
			asked[key] = true
			todo = append(todo, text)
			plan.Tokens += l.Policy.Count([]byte(text))
		}
	}
	return todo, w.Err
}

// summedText is the text of a section that its summary is of.
func summedText(d *doc.Document, s doc.Section) string {
	text := s.Span.Of(d.Source)
	return string(text[:min(len(text), maxSummed)])
}

func summaryKey(text string) llm.Key { return llm.KeyOf("summary", text) }

// sum asks for the summaries, several at a time, and stores each as it comes.
func (a *Assistant) sum(ctx context.Context, store *llm.Store, texts []string, report *answer.SummaryReport, progress func(done, total int)) error {
	var mu sync.Mutex
	var first error
	var streak llm.Streak
	var stopped atomic.Bool // no other is begun; those under way are waited for, since they are paid for
	next := make(chan string)
	var wait sync.WaitGroup
	done := 0
	for range SummaryWorkers {
		wait.Go(func() {
			for text := range next {
				if stopped.Load() {
					continue
				}
				summary, err := a.Plain.Summarise(ctx, text)
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
				}
				// Bad luck with one text is no reason to give up on the others.
				if streak.Ends(err) {
					stopped.Store(true)
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
		if stopped.Load() {
			first = fmt.Errorf("stopped, because request after request failed: %w: run it again to go on; the %d that were written stay", first, report.Written)
		}
		report.Error = first.Error()
		if report.Written == 0 {
			return first
		}
		return nil
	}
	return err
}

// Summaries are what a model wrote about sections, in a file that is opened when it is
// first asked for, and not made.
type Summaries struct {
	file   string
	opened sync.Once
	store  *llm.Store
}

// OpenSummaries returns the summaries in a file, which need not be there.
func OpenSummaries(file string) *Summaries { return &Summaries{file: file} }

// Of returns the summary of a section, if there is one.
func (s *Summaries) Of(d *doc.Document, section doc.Section) (string, bool) {
	s.opened.Do(func() {
		if _, err := os.Stat(s.file); err == nil {
			s.store, _ = llm.OpenStore(s.file, 0) // without it the first sentence will do
		}
	})
	summary, ok := s.store.Get(summaryKey(summedText(d, section)))
	return string(summary), ok
}
