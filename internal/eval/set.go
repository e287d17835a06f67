// Package eval measures how well a ranker answers questions whose right answers
// are known. It reads evaluation sets, asks every question, scores the ranked
// places that come back and compares two runs. It knows nothing of any index: a
// ranker is a function from a question to hits.
package eval

// An evaluation set is a folder. Each file may be plain or end in ".gz".
//
//	files.jsonl    {"_id": path, "text": Markdown}                 a documentation set
//	corpus.jsonl   {"_id", "title", "text", "headings"}            a passage set
//	queries.jsonl  {"_id", "text", "kind", "type", "match", "answer"}
//	qrels.tsv      query-id, corpus-id, score, file, start, end    a header line, then judgements
//	unanswerable.jsonl  {"text"}                                  questions without an answer; may be missing
//
// A documentation set holds whole files, so that a tool cuts them up itself; the
// last three columns of its judgements give the lines (counted from 1, inclusive)
// that answer the question. A passage set holds texts that are judged whole: its
// judgements have the first three columns only, and passage.go turns each text
// into a file. "headings" is the breadcrumb "A > B > title"; it, "kind", "type", "match"
// and "answer" may be missing. Fields and columns beyond these are ignored.

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// maxFile is the most bytes read of one file of a set, unpacked. The largest
// public set needs 9 MB; the limit is there for the archive that unpacks for ever.
const maxFile = 1 << 30

// maxScore is the greatest worth of a judgement; sums of them stay numbers.
const maxScore = 1e6

// A Set is a corpus, questions about it and the places that answer them. It does
// not change after Load.
type Set struct {
	Name     string  // the folder's name
	Passages bool    // the texts are passages, judged whole
	Files    []File  // what a tool indexes, in the order of the set
	Queries  []Query // in the order of the set

	Unanswerable []string // questions that the corpus does not answer

	// Strays counts judgements that name a question or a text that is not in
	// the set. The former are left out; the latter stay, and can never be found.
	Strays int

	layout map[string]*layout // of every file, by path
}

// A File is one Markdown file of the corpus.
type File struct {
	Path string // with forward slashes, safe to join to a folder
	Text string
	ID   string // as the set names it
}

// A Query is one question.
type Query struct {
	ID     string
	Text   string
	Kind   string      // how the question was made: "link", "link-typo", ...; "" when the set has one kind
	Type   string      // Section or Page; "" in sets that do not say
	Match  string      // "exact" or "para"; "" in sets that do not say
	Answer string      // in words; "" in sets that do not say
	Judged []Judgement // the right answers; never two of the same place
}

// The values of Query.Type.
const (
	Section = "section" // the answer is a range of lines
	Page    = "page"    // the answer is a whole file
)

// A Judgement is one right answer.
type Judgement struct {
	ID         string  // as the set names it
	Score      float64 // its worth, above 0
	File       string  // in Set.Files; "" when the set lacks it
	Start, End int     // lines; 0 when the whole file is meant
}

// NewSet makes a set of files and questions about them, which Load did not read.
func NewSet(name string, files []File, queries []Query) *Set {
	s := &Set{Name: name, Files: files, Queries: queries, layout: make(map[string]*layout, len(files))}
	for _, f := range files {
		s.layout[f.Path] = newLayout(f.Text)
	}
	return s
}

// Load reads the set in a folder.
func Load(dir string) (*Set, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("load set %s: %w", dir, err)
	}
	s := &Set{Name: filepath.Base(abs), layout: map[string]*layout{}}
	byID, err := s.loadCorpus(dir)
	if err != nil {
		return nil, fmt.Errorf("load set %s: %w", dir, err)
	}
	if err := s.loadQueries(dir); err != nil {
		return nil, fmt.Errorf("load set %s: %w", dir, err)
	}
	if err := s.loadJudgements(dir, byID); err != nil {
		return nil, fmt.Errorf("load set %s: %w", dir, err)
	}
	if err := s.loadUnanswerable(dir); err != nil {
		return nil, fmt.Errorf("load set %s: %w", dir, err)
	}
	return s, nil
}

// loadCorpus fills s.Files and returns their paths by the ids of the texts.
func (s *Set) loadCorpus(dir string) (map[string]string, error) {
	byID := map[string]string{}
	add := func(id string, f File) error {
		if _, again := byID[id]; again {
			return fmt.Errorf("_id %q appears twice", id)
		}
		byID[id], f.ID = f.Path, id
		s.Files = append(s.Files, f)
		s.layout[f.Path] = newLayout(f.Text)
		return nil
	}
	err := eachLine(dir, "files.jsonl", func(_ int, line []byte) error {
		var f struct {
			ID   string  `json:"_id"`
			Text *string `json:"text"`
		}
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		if f.Text == nil {
			return errors.New(`no "text"`)
		}
		if !fs.ValidPath(f.ID) || f.ID == "." || strings.ContainsAny(f.ID, "\\\x00") {
			return fmt.Errorf("_id %q is not a relative path", f.ID)
		}
		return add(f.ID, File{Path: f.ID, Text: *f.Text})
	})
	if !errors.Is(err, fs.ErrNotExist) {
		return byID, err
	}
	s.Passages = true
	err = eachLine(dir, "corpus.jsonl", func(_ int, line []byte) error {
		var p passage
		if err := json.Unmarshal(line, &p); err != nil {
			return err
		}
		if p.ID == "" {
			return errors.New(`no "_id"`)
		}
		return add(p.ID, p.file(len(s.Files)))
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("neither files.jsonl nor corpus.jsonl, plain or .gz: %w", fs.ErrNotExist)
	}
	return byID, err
}

func (s *Set) loadQueries(dir string) error {
	seen := map[string]bool{}
	return eachLine(dir, "queries.jsonl", func(_ int, line []byte) error {
		var q struct {
			ID    string `json:"_id"`
			Text  string `json:"text"`
			Kind  string `json:"kind"`
			Type  string `json:"type"`
			Match string `json:"match"`

			Answer string `json:"answer"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			return err
		}
		switch {
		case q.ID == "":
			return errors.New(`no "_id"`)
		case seen[q.ID]:
			return fmt.Errorf("_id %q appears twice", q.ID)
		case q.Text == "":
			return errors.New(`no "text"`)
		case q.Type != "" && q.Type != Section && q.Type != Page:
			return fmt.Errorf("type %q is neither %q nor %q", q.Type, Section, Page)
		}
		seen[q.ID] = true
		s.Queries = append(s.Queries, Query{ID: q.ID, Text: q.Text, Kind: q.Kind, Type: q.Type, Match: q.Match, Answer: q.Answer})
		return nil
	})
}

func (s *Set) loadUnanswerable(dir string) error {
	err := eachLine(dir, "unanswerable.jsonl", func(_ int, line []byte) error {
		var q struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(line, &q); err != nil || q.Text == "" {
			return cmp.Or(err, errors.New(`no "text"`))
		}
		s.Unanswerable = append(s.Unanswerable, q.Text)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (s *Set) loadJudgements(dir string, byID map[string]string) error {
	query := make(map[string]int, len(s.Queries))
	for i, q := range s.Queries {
		query[q.ID] = i
	}
	type place struct {
		query      int
		id         string
		start, end int
	}
	seen := map[place]int{} // index in Judged
	return eachLine(dir, "qrels.tsv", func(n int, line []byte) error {
		cols := strings.Split(string(line), "\t")
		if n == 1 && cols[0] == "query-id" {
			return nil
		}
		j, err := s.judgement(cols, byID)
		if err != nil || j.Score <= 0 { // judged, and no answer
			return err
		}
		i, known := query[cols[0]]
		if !known || j.File == "" {
			s.Strays++
		}
		if !known {
			return nil
		}
		q := &s.Queries[i]
		at := place{i, j.ID, j.Start, j.End}
		if k, again := seen[at]; again {
			q.Judged[k].Score = max(q.Judged[k].Score, j.Score)
			return nil
		}
		seen[at] = len(q.Judged)
		q.Judged = append(q.Judged, j)
		return nil
	})
}

// judgement reads the columns of one line of qrels.tsv.
func (s *Set) judgement(cols []string, byID map[string]string) (Judgement, error) {
	var j Judgement
	want := 6
	if s.Passages {
		want = 3
	}
	if len(cols) < want {
		return j, fmt.Errorf("%d columns of %d (query-id, corpus-id, score, file, start, end)", len(cols), want)
	}
	score, err := strconv.ParseFloat(cols[2], 64)
	if err != nil || !(math.Abs(score) <= maxScore) {
		return j, fmt.Errorf("score %q is not a number up to %v", cols[2], maxScore)
	}
	j = Judgement{ID: cols[1], Score: score}
	if s.Passages {
		j.File = byID[j.ID]
		return j, nil
	}
	j.File = byID[cols[3]]
	start, err1 := strconv.Atoi(cols[4])
	end, err2 := strconv.Atoi(cols[5])
	if err1 != nil || err2 != nil || start < 1 || end < start {
		return j, fmt.Errorf("lines %q to %q are not a range", cols[4], cols[5])
	}
	j.Start, j.End = start, end
	return j, nil
}

// eachLine calls f with every line of dir/name.gz, or else dir/name, that is not
// blank, and its number. What f returns is reported with the file and the number.
func eachLine(dir, name string, f func(n int, line []byte) error) error {
	file, err := os.Open(filepath.Join(dir, name+".gz"))
	packed := err == nil
	if errors.Is(err, fs.ErrNotExist) {
		file, err = os.Open(filepath.Join(dir, name))
	}
	if err != nil {
		return err
	}
	defer file.Close()
	var r io.Reader = file
	if packed {
		name += ".gz"
		if r, err = gzip.NewReader(file); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	limited := &io.LimitedReader{R: r, N: maxFile}
	lines := bufio.NewReaderSize(limited, 1<<16)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		if limited.N <= 0 {
			return fmt.Errorf("%s: larger than %d bytes", name, maxFile)
		}
		if line = bytes.TrimRight(line, "\r\n"); len(bytes.TrimSpace(line)) > 0 {
			if err := f(n, line); err != nil {
				return fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}
