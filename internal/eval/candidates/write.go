package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/search"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// A section is one line for a candidate's text.
type section struct {
	Path string `json:"path"`
	Text string `json:"text"`
	File string `json:"file"`
}

// A question is one line for a question and its candidates.
type question struct {
	ID         string    `json:"id"`
	Kind       string    `json:"kind"`
	Question   string    `json:"question"`
	Prose      bool      `json:"prose"`
	Page       bool      `json:"page"`
	Gains      []float64 `json:"gains"`
	Candidates [][3]any  `json:"candidates"`
}

// write indexes the files of a set in a temporary folder, as docent eval does, and writes
// the candidates of its questions.
func write(ctx context.Context, w io.Writer, set *eval.Set) error {
	tmp, err := os.MkdirTemp("", "docent-candidates-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	files := filepath.Join(tmp, "files")
	if err := set.WriteFiles(files); err != nil {
		return err
	}
	c, err := corpus.Find(files)
	if err != nil {
		return err
	}
	c.IndexDir = filepath.Join(tmp, "index")
	live, err := refresh.OpenCorpus(ctx, c, refresh.Options{})
	if err != nil {
		return err
	}
	defer live.Close()
	return refresh.Do(ctx, live, func(s snapshot.Snapshot) error {
		out := newWriter(w, set)
		for _, q := range set.Queries {
			pool, err := search.Candidates(ctx, s, answer.Query{Text: q.Text}, most)
			if err == nil {
				err = out.question(q, pool)
			}
			if err != nil {
				return err
			}
		}
		return out.buffer.Flush()
	})
}

// A writer writes lines, and each section once.
type writer struct {
	set    *eval.Set
	buffer *bufio.Writer
	lines  *json.Encoder
	number map[uint32]int // of sections written, by the number of the chunk
}

func newWriter(w io.Writer, set *eval.Set) *writer {
	b := bufio.NewWriter(w)
	lines := json.NewEncoder(b)
	lines.SetEscapeHTML(false)
	return &writer{set: set, buffer: b, lines: lines, number: map[uint32]int{}}
}

func (w *writer) question(q eval.Query, pool *search.Pool) error {
	out := question{ID: q.ID, Kind: q.Kind, Question: pool.Question, Prose: pool.Prose, Page: w.set.ByFile(q), Gains: []float64{}}
	for _, j := range q.Judged {
		out.Gains = append(out.Gains, j.Score)
	}
	for _, c := range pool.Candidates {
		n, written := w.number[c.Num]
		if !written {
			n = len(w.number)
			w.number[c.Num] = n
			if err := w.lines.Encode(section{Path: c.Path, Text: c.Text, File: c.File}); err != nil {
				return err
			}
		}
		found, err := w.set.Found(q, eval.Hit{File: c.File, Start: c.Lines.Start, End: c.Lines.End})
		if err != nil {
			return err
		}
		out.Candidates = append(out.Candidates, [3]any{n, c.Score, append([]int{}, found...)})
	}
	return w.lines.Encode(out)
}
