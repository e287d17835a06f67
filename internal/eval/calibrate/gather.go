package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/library/search"
)

// A question is a line of a file of questions.
type question struct {
	File string `json:"file"`
	Kind string `json:"kind"`
	Text string `json:"question"`
}

func (q *question) repo() string { return strings.SplitN(q.File, "/", 2)[0] }

// The kinds of questions. Those of kind none have no answer.
const (
	person = "person"
	box    = "box"
	none   = "none"
)

// A row is a question that a repository was asked.
type row struct {
	Repo, Kind string
	IsOwn      bool
	Hits       []search.Judgement // best first
}

// gather asks the repositories with the most questions, several at a time.
func gather(ctx context.Context, o options, files []string) ([]row, error) {
	questions, err := loadQuestions(files)
	if err != nil {
		return nil, err
	}
	count := map[string]int{}
	for i := range questions {
		count[questions[i].repo()]++
	}
	repos := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	repos = repos[:min(len(repos), o.repos)]
	of, errs := make([][]row, len(repos)), make([]error, len(repos))
	var wait sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, repo := range repos {
		turns <- struct{}{}
		wait.Go(func() {
			defer func() { <-turns }()
			o := o
			if i%2 == 1 { // most people have fewer documents
				o.files /= 5
			}
			of[i], errs[i] = gatherRepo(ctx, o, repo, questions)
			fmt.Fprintln(os.Stderr, repo, len(of[i]))
		})
	}
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", repos[i], err)
		}
	}
	return slices.Concat(of...), nil
}

func loadQuestions(files []string) ([]question, error) {
	var out []question
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		for lines := json.NewDecoder(bufio.NewReader(f)); lines.More(); {
			var q question
			if err := lines.Decode(&q); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			out = append(out, q)
		}
	}
	return out, nil
}

// pick returns up to n of some questions, the same in every run.
func pick(questions []question, n int, seed string, fits func(*question) bool) []question {
	var out []question
	for i := range questions {
		if fits(&questions[i]) {
			out = append(out, questions[i])
		}
	}
	slices.SortFunc(out, func(a, b question) int { return cmp.Compare(mix(seed+a.Text), mix(seed+b.Text)) })
	return out[:min(n, len(out))]
}

func mix(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64() * 0x9e3779b97f4a7c15
}

// gatherRepo asks one repository.
func gatherRepo(ctx context.Context, o options, repo string, questions []question) ([]row, error) {
	side := func(isOwn bool, kind string, n int) []question {
		return pick(questions, n, repo, func(q *question) bool { return q.Kind == kind && (q.repo() == repo) == isOwn })
	}
	own := append(side(true, person, o.sample), side(true, box, o.sample)...)
	tmp, err := os.MkdirTemp("", "docent-calibrate-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	docs := filepath.Join(tmp, "files")
	if err := copyFiles(docs, filepath.Join(o.text, repo), o.files, own); err != nil {
		return nil, err
	}
	lib, err := docent.OpenDir(ctx, docs, filepath.Join(tmp, "index"), docent.Options{})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	var rows []row
	for _, isOwn := range []bool{true, false} {
		for _, kind := range []string{person, box, none} {
			if kind == none && !isOwn {
				continue
			}
			for _, q := range side(isOwn, kind, o.sample) {
				r := row{Repo: repo, Kind: kind, IsOwn: isOwn}
				if err := r.ask(ctx, lib, q.Text); err != nil {
					return nil, err
				}
				rows = append(rows, r)
			}
		}
	}
	return rows, nil
}

// ask sets the hits of a row.
func (r *row) ask(ctx context.Context, lib *docent.Library, q string) error {
	ctx = search.Watch(ctx, func(j search.Judgement) { r.Hits = append(r.Hits, j) })
	_, err := lib.Search(ctx, docent.Query{Text: q, Rerank: answer.RerankOff})
	return err
}

// copyFiles copies up to n Markdown files of a repository: those that questions are about,
// and then any.
func copyFiles(to, from string, n int, about []question) error {
	isAbout := map[string]bool{}
	for i := range about {
		isAbout[filepath.FromSlash(strings.SplitN(about[i].File, "/", 2)[1])] = true
	}
	var files []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(from, path)
			files = append(files, rel)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b string) int {
		switch {
		case isAbout[a] != isAbout[b] && isAbout[a]:
			return -1
		case isAbout[a] != isAbout[b]:
			return 1
		}
		return cmp.Compare(mix(a), mix(b))
	})
	for _, f := range files[:min(len(files), n)] {
		data, err := os.ReadFile(filepath.Join(from, f))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, f)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, f), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
