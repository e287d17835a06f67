package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/agents/harness"
	"github.com/docent-md/docent/internal/eval"
)

// A task is a corpus and questions about it.
type task struct {
	name      string
	files     map[string]string
	questions []harness.Question
}

// The sets that are asked, where the shared folder has them. The others have link texts
// for questions, which nobody would ask a model.
var testSets = []string{"eval/anthropic-docs", "eval-people/people-k8s", "eval-people/people-rust", "eval-people/people-vue"}

// load returns the tasks that an order wants.
func load(o order) ([]task, error) {
	var out []task
	wanted := func(name string) bool { return len(o.sets) == 0 || slices.Contains(o.sets, name) }
	names := []string{"harbour"}
	if wanted("harbour") {
		t, err := exampleTask(o.examples)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	for _, dir := range testSets {
		name := filepath.Base(dir)
		dir = filepath.Join(o.shared, filepath.FromSlash(dir))
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		names = append(names, name)
		if wanted(name) {
			set, err := eval.Load(dir)
			if err != nil {
				return nil, err
			}
			out = append(out, taskOf(set.Pages()))
		}
	}
	for _, name := range o.sets {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("no set is called %q: there are %s", name, strings.Join(names, ", "))
		}
	}
	for i := range out {
		out[i].questions = sample(out[i].questions, o.questions)
	}
	return out, nil
}

// taskOf takes the questions of a test set whose answers it has.
func taskOf(set *eval.Set) task {
	t := task{name: set.Name, files: map[string]string{}}
	for _, f := range set.Files {
		t.files[f.Path] = f.Text
	}
	for _, q := range set.Queries {
		k := harness.Question{ID: q.ID, Text: q.Text, Answer: q.Answer, Page: q.Type == eval.Page}
		for _, j := range q.Judged {
			if j.File != "" {
				k.Judged = append(k.Judged, harness.Place{File: j.File, From: max(j.Start, 1), To: cmp.Or(j.End, 1<<30)})
			}
		}
		if len(k.Judged) > 0 {
			t.questions = append(t.questions, k)
		}
	}
	for i, text := range set.Unanswerable {
		t.questions = append(t.questions, harness.Question{ID: fmt.Sprintf("unanswerable%d", i), Text: text})
	}
	return t
}

// exampleTask is the example documentation with its questions.
func exampleTask(dir string) (task, error) {
	t := task{name: "harbour", files: map[string]string{}}
	root := filepath.Join(dir, "harbour")
	fsys := os.DirFS(root)
	lib, err := docent.FromFS(context.Background(), fsys)
	if err != nil {
		return t, err
	}
	defer lib.Close()
	list, err := lib.Files(context.Background(), "")
	if err != nil {
		return t, err
	}
	for _, f := range list.Files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.File)))
		if err != nil {
			return t, err
		}
		t.files[f.File] = string(text)
	}
	c := harness.NewCorpus(t.files, lib)
	err = eachLine(filepath.Join(dir, "questions.txt"), func(line string) error {
		ref, text, ok := strings.Cut(line, "\t")
		if !ok {
			return fmt.Errorf("%q: no tab", line)
		}
		at, ok := c.Resolve(context.Background(), ref)
		if !ok {
			return fmt.Errorf("%s is not there", ref)
		}
		t.questions = append(t.questions, harness.Question{ID: ref, Text: text, Judged: []harness.Place{at}})
		return nil
	})
	if err != nil {
		return t, err
	}
	return t, eachLine(filepath.Join(dir, "unanswerable.txt"), func(line string) error {
		t.questions = append(t.questions, harness.Question{ID: "unanswerable", Text: line})
		return nil
	})
}

func eachLine(file string, f func(line string) error) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	s := bufio.NewScanner(in)
	for s.Scan() {
		if err := f(s.Text()); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return s.Err()
}

// sample takes n questions that have an answer and n that have none, spread evenly.
func sample(all []harness.Question, n int) []harness.Question {
	if n <= 0 {
		return all
	}
	var out []harness.Question
	for _, answerable := range []bool{true, false} {
		some := slices.DeleteFunc(slices.Clone(all), func(q harness.Question) bool { return (len(q.Judged) > 0) != answerable })
		for i := range min(n, len(some)) {
			out = append(out, some[i*len(some)/min(n, len(some))])
		}
	}
	return out
}
