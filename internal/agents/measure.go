package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/agents/harness"
	"github.com/docent-md/docent/internal/model/llm"
)

// ways are the sets of tools, ours first.
var ways = []string{"docent", "list, grep, read"}

// maxFailures in a row mean that the endpoint is of no use.
const maxFailures = 8

// measure asks all questions with both sets of tools. With an error it returns what was
// counted before.
func measure(ctx context.Context, chat *llm.Chat, o order, tasks []task) ([]harness.Tally, error) {
	var log io.Writer = io.Discard
	if o.log != "" {
		file, err := os.Create(o.log)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		log = file
	}
	var all []harness.Tally
	spent := 0
	for _, t := range tasks {
		some, err := measureTask(ctx, chat, o, t, log, &spent)
		all = append(all, some...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func measureTask(ctx context.Context, chat *llm.Chat, o order, t task, log io.Writer, spent *int) ([]harness.Tally, error) {
	dir, err := os.MkdirTemp("", "docent-agents")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, t.name)
	for name, text := range t.files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return nil, err
		}
	}
	lib, err := docent.OpenDir(ctx, root, filepath.Join(dir, "index"), docent.Options{})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	server, err := harness.Start(ctx, o.docent, root, dir)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	files, err := harness.NewFiles(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	j := job{chat: chat, order: o, corpus: harness.NewCorpus(t.files, lib), log: json.NewEncoder(log), spent: spent}
	var out []harness.Tally
	for i, tools := range []harness.Toolset{server, files} {
		tally, err := j.ask(ctx, harness.Tally{Set: t.name, Way: ways[i]}, t.questions, tools)
		out = append(out, tally)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// A job asks the questions of a task.
type job struct {
	chat   *llm.Chat
	order  order
	corpus *harness.Corpus

	mu       sync.Mutex
	log      *json.Encoder
	spent    *int // tokens, in all
	failures int  // in a row
}

// ask asks all questions with one set of tools.
func (j *job) ask(ctx context.Context, t harness.Tally, questions []harness.Question, tools harness.Toolset) (harness.Tally, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan harness.Question)
	var wg sync.WaitGroup
	for range max(j.order.parallel, 1) {
		wg.Go(func() {
			for q := range next {
				a := harness.Converse(ctx, j.chat, tools, q.Text, j.order.limits)
				if ctx.Err() != nil {
					continue // what was cut off is not counted
				}
				v := j.corpus.Judge(ctx, q, a)
				if err := j.count(&t, q, a, v); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, q := range questions {
		select {
		case next <- q:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return t, context.Cause(ctx)
}

// count adds one question. An error means that asking on is of no use.
func (j *job) count(t *harness.Tally, q harness.Question, a harness.Attempt, v harness.Verdict) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	t.Add(q, a, v)
	type record struct {
		Set, Tools string
		Question   harness.Question
		Outcome    harness.Outcome
		Reply      string
		Turns      []llm.Turn
		Error      string `json:",omitempty"`
	}
	r := record{t.Set, t.Way, q, v.Outcome, a.Reply, a.Turns, ""}
	if a.Err != nil {
		r.Error = a.Err.Error()
	}
	if err := j.log.Encode(r); err != nil {
		return err
	}
	*j.spent += a.Used.Input + a.Used.Output + a.Used.CacheRead + a.Used.CacheWrite
	if a.Err == nil {
		j.failures = 0
	} else if j.failures++; j.failures >= maxFailures || llm.KindOf(a.Err) == llm.Denied {
		return fmt.Errorf("stopped after %d failures in a row: %w", j.failures, a.Err)
	}
	if j.order.tokens > 0 && *j.spent >= j.order.tokens {
		return fmt.Errorf("stopped after %d tokens: -tokens allows more", *j.spent)
	}
	return nil
}
