// Command calibrate fits the weights by which a hit is graded (internal/library/search,
// match.go) to written questions, and writes them:
//
//	go run ./internal/eval/calibrate -text FOLDER -write internal/library/search/weights.go questions.jsonl ...
//
// FOLDER has a folder of Markdown for each repository, the unpacked docs-train-*.tar.xz that
// train/reranker/README.md names, and the files of questions (train/reranker/questions.jsonl.xz,
// unpacked) a line for each: {"file": "REPOSITORY/path.md", "kind": "person", "question": "..."}. A person asks in
// words of their own, "box" is what is typed into a search box, and "none" a question that
// sounds as if the documents answered it, and they do not.
//
// Each repository is asked its own questions and those of others, without the model in the
// program, which was trained on these documents. The weights are fitted to what its own
// people and boxes ask against what others' do. Questions of kind "none" are measured only:
// they have the words and the names of those with an answer, and what tells them apart is
// not among the signals. The bounds are set on repositories that the weights were not fitted
// to, so that few own questions are called weak.
//
// What was asked is kept in the file that -rows names, and read from there the next time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
)

// options are the flags.
type options struct {
	text, rows, write    string
	repos, files, sample int
}

func main() {
	var o options
	flag.StringVar(&o.text, "text", "", "folder with a folder of Markdown for each repository")
	flag.StringVar(&o.rows, "rows", "", "file to keep the signals in")
	flag.StringVar(&o.write, "write", "", "file to write the weights to")
	flag.IntVar(&o.repos, "repos", 44, "repositories that are asked")
	flag.IntVar(&o.files, "files", 300, "files of each, those with answers first")
	flag.IntVar(&o.sample, "sample", 8, "questions of each kind and side that a repository is asked")
	flag.Parse()
	if err := run(context.Background(), o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, o options, files []string) error {
	rows, err := load(o.rows)
	if errors.Is(err, fs.ErrNotExist) {
		if o.text == "" || len(files) == 0 {
			return errors.New("needs -text, and files of questions")
		}
		if rows, err = gather(ctx, o, files); err == nil && o.rows != "" {
			err = save(o.rows, rows)
		}
	}
	if err != nil {
		return err
	}
	m := report(os.Stdout, rows)
	if o.write == "" {
		return nil
	}
	return os.WriteFile(o.write, m.source(), 0o644)
}

// load reads rows from a file. There are none without a name.
func load(file string) ([]row, error) {
	if file == "" {
		return nil, fs.ErrNotExist
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var rows []row
	return rows, json.Unmarshal(data, &rows)
}

func save(file string, rows []row) error {
	data, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}
