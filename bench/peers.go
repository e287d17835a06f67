//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/docent-md/docent/answer"
)

// A ranker answers questions about chunks: for each the numbers of the best hundred,
// and the milliseconds of CPU that a question took.
type ranker struct {
	name     string
	settings string
	rank     func(ctx context.Context, chunks []answer.Record, questions []string) (ranked [][]int, cpu float64, err error)
}

const deep = 100

// rankers are the peers that can be had here, each at its best settings; missing names the
// others.
func (b *bench) rankers(ctx context.Context) (have []ranker, missing []string) {
	have = []ranker{
		{"FTS5 (modernc)", "porter stemmer, any of the words, bm25 with weights 2, 1.5 and 1 for title, headings and body", b.rankFTS},
		{"bleve", "BM25, analyzer `en`, any of the words in three fields, boosts 2, 1.5 and 1", b.rankBleve},
	}
	dir := filepath.Join(b.tmp, "minisearch")
	script, err := os.ReadFile("peers/minisearch.mjs")
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "minisearch.mjs"), script, 0o644)
	}
	if err == nil {
		cmd := exec.CommandContext(ctx, "npm", "install", "--silent", "--no-fund", "--no-audit", "minisearch@7")
		cmd.Dir = dir
		err = cmd.Run()
	}
	if err != nil {
		missing = append(missing, "MiniSearch (npm cannot install it here)")
	} else {
		have = append(have, ranker{"MiniSearch", "boosts 2 and 1.5, prefixes and fuzzy matches of words over four letters", program("node", filepath.Join(dir, "minisearch.mjs"))})
	}
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} { // the latter has what the system's packages bring
		if python == "" && exec.CommandContext(ctx, p, "-c", "import xapian").Run() == nil {
			python = p
		}
	}
	if python == "" {
		missing = append(missing, "Xapian (no Python binding is installed)")
	} else {
		have = append(have, ranker{"Xapian", "BM25, English stemmer, any of the words, title and headings weighted 3 and 2, in memory", program(python, "peers/xapian_peer.py")})
	}
	missing = append(missing,
		"qmd (its models are fetched when it runs; its search by words is FTS5, which is here)",
		"pagefind (it ranks whole pages in a browser, not sections)")
	return have, missing
}

func (b *bench) rankFTS(ctx context.Context, chunks []answer.Record, questions []string) ([][]int, float64, error) {
	file := filepath.Join(b.tmp, "quality.db")
	defer os.Remove(file)
	db, err := newFTS(ctx, file, chunks)
	if err != nil {
		return nil, 0, err
	}
	defer db.Close()
	stemmed := strings.Replace(ftsIndex, "content='chunks'", "tokenize='porter unicode61', content='chunks'", 1)
	if err := db.exec(ctx, stemmed, "INSERT INTO fts(fts) VALUES('rebuild')"); err != nil {
		return nil, 0, err
	}
	out := make([][]int, len(questions))
	u, err := timed(func() error {
		for i, q := range questions {
			if match(q, " OR ") == "" {
				continue
			}
			rows, err := db.QueryContext(ctx, "SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY bm25(fts, 2.0, 1.5, 1.0) LIMIT ?", match(q, " OR "), deep)
			if err != nil {
				return err
			}
			for rows.Next() {
				var id int
				if err := rows.Scan(&id); err != nil {
					return err
				}
				out[i] = append(out[i], id-1)
			}
			if err := rows.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	return out, ms(u.cpu) / float64(len(questions)), err
}

func (b *bench) rankBleve(_ context.Context, chunks []answer.Record, questions []string) ([][]int, float64, error) {
	dir := filepath.Join(b.tmp, "bleve-quality")
	defer os.RemoveAll(dir)
	index, err := newBleve(dir, chunks, "en")
	if err != nil {
		return nil, 0, err
	}
	defer index.Close()
	out := make([][]int, len(questions))
	u, err := timed(func() error {
		for i, q := range questions {
			r, err := index.Search(bleve.NewSearchRequestOptions(inFields(q), deep, 0, false))
			if err != nil {
				return err
			}
			for _, h := range r.Hits {
				var id int
				if _, err := fmt.Sscan(h.ID, &id); err != nil {
					return err
				}
				out[i] = append(out[i], id)
			}
		}
		return nil
	})
	return out, ms(u.cpu) / float64(len(questions)), err
}

// program is a ranker that is a program: see peers.
func program(command ...string) func(context.Context, []answer.Record, []string) ([][]int, float64, error) {
	return func(ctx context.Context, chunks []answer.Record, questions []string) ([][]int, float64, error) {
		var in bytes.Buffer
		to := json.NewEncoder(&in)
		for _, c := range chunks {
			if err := to.Encode(map[string][]string{"chunk": {c.Title, c.Path, c.Content}}); err != nil {
				return nil, 0, err
			}
		}
		for _, q := range questions {
			if err := to.Encode(map[string]string{"question": q}); err != nil {
				return nil, 0, err
			}
		}
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Stdin, cmd.Stderr = &in, os.Stderr
		raw, err := cmd.Output()
		if err != nil {
			return nil, 0, fmt.Errorf("run %s: %w", command[len(command)-1], err)
		}
		out := make([][]int, len(questions))
		from := json.NewDecoder(bytes.NewReader(raw))
		for i := range out {
			if err := from.Decode(&out[i]); err != nil {
				return nil, 0, fmt.Errorf("read %s: %w", command[len(command)-1], err)
			}
		}
		var end struct{ MS float64 }
		err = from.Decode(&end)
		return out, end.MS, err
	}
}
