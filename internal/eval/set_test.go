package eval

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// folder writes a set; names that end in .gz are packed.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		data := []byte(text)
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(data)
			w.Close()
			data = b.Bytes()
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const header = "query-id\tcorpus-id\tscore\tfile\tstart\tend\n"

func TestLoadDocumentation(t *testing.T) {
	dir := folder(t, map[string]string{
		"files.jsonl.gz": `{"_id":"guide/a.md","text":"# A\n\none\n"}` + "\n\n" + `{"_id":"b.md","text":""}`,
		"queries.jsonl": `{"_id":"q1","text":"one?","type":"section","match":"para","kind":"link"}` + "\r\n" +
			`{"_id":"q2","text":"b","type":"page"}` + "\n",
		"qrels.tsv": header +
			"q1\tguide/a.md#a\t1\tguide/a.md\t1\t3\n" +
			"q1\tguide/a.md#a\t2\tguide/a.md\t1\t3\n" + // the same place again: the higher score stands
			"q1\tb.md\t0\tb.md\t1\t1\n" + // judged, and no answer
			"q2\tb.md\t1\tb.md\t1\t1\n" +
			"q2\tgone.md\t1\tgone.md\t1\t9\n" + // a stray
			"q9\tb.md\t1\tb.md\t1\t1", // another
	})
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := &Set{
		Name:  "tiny",
		Files: []File{{"guide/a.md", "# A\n\none\n", "guide/a.md"}, {"b.md", "", "b.md"}},
		Queries: []Query{
			{"q1", "one?", "link", "section", "para", "", []Judgement{{"guide/a.md#a", 2, "guide/a.md", 1, 3}}},
			{"q2", "b", "", "page", "", "", []Judgement{{"b.md", 1, "b.md", 1, 1}, {"gone.md", 1, "", 1, 9}}},
		},
		Strays: 2,
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Set{})); d != "" {
		t.Error(d)
	}
}

// The id of this passage holds the question; the file must not.
func TestLoadPassages(t *testing.T) {
	dir := folder(t, map[string]string{
		"corpus.jsonl":     `{"_id":"run.md#why-does-it-stop","title":"Stop","headings":"Run > Stop","text":"It is full."}`,
		"queries.jsonl.gz": `{"_id":"1","text":"Why does it stop?"}`,
		"qrels.tsv":        "query-id\tcorpus-id\tscore\n1\trun.md#why-does-it-stop\t1\n",
	})
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []File{{"p000/p000000.md", "# Run\n\n## Stop\n\nIt is full.\n", "run.md#why-does-it-stop"}}
	if d := cmp.Diff(want, s.Files); d != "" {
		t.Error(d)
	}
	run, err := Score(s, func(string) ([]Hit, error) { return []Hit{{want[0].Path, 1, 1}}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if got := run[0].Mean()[NDCG10]; got != 1 {
		t.Errorf("a hit on the first line of the passage scores %v", got)
	}
}

func TestPassageMarkdown(t *testing.T) {
	tests := []struct {
		name string
		in   passage
		want string
	}{
		{"title and text", passage{Title: "T", Text: "x"}, "# T\n\nx\n"},
		{"the title closes its breadcrumb", passage{Title: "T", Headings: "A > B > T", Text: "x"}, "# A\n\n## B\n\n### T\n\nx\n"},
		{"a breadcrumb that is the title", passage{Title: "T", Headings: "T", Text: "x"}, "# T\n\nx\n"},
		{"a breadcrumb without the title", passage{Title: "T", Headings: "A", Text: "x"}, "# A\n\n## T\n\nx\n"},
		{"a title that holds the separator", passage{Title: "File > Open", Headings: "A > File > Open", Text: "x"}, "# A\n\n## File > Open\n\nx\n"},
		{
			"more levels than Markdown has",
			passage{Title: "7", Headings: "1 > 2 > 3 > 4 > 5 > 6 > 7", Text: "x"},
			"# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6\n\n###### 7\n\nx\n",
		},
		{"a title of two lines", passage{Title: " T\n# U ", Text: "x"}, "# T # U\n\nx\n"},
		{"no title: the text is never front matter", passage{Text: "---\na: b\n---\n"}, "\n---\na: b\n---\n"},
		{"nothing at all", passage{}, "\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in.markdown(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	const (
		file    = `{"_id":"a.md","text":"x"}`
		passage = `{"_id":"a","title":"t","text":"x"}`
		query   = `{"_id":"q","text":"x"}`
	)
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no corpus", nil, "neither files.jsonl nor corpus.jsonl"},
		{"no queries", map[string]string{"files.jsonl": file}, "queries.jsonl: "},
		{"no judgements", map[string]string{"files.jsonl": file, "queries.jsonl": query}, "qrels.tsv: "},
		{"a line that is not JSON", map[string]string{"files.jsonl": file + "\n\n{"}, "files.jsonl:3: unexpected end of JSON"},
		{"a line of another shape", map[string]string{"files.jsonl.gz": `["a"]`}, "files.jsonl.gz:1: json: cannot unmarshal"},
		{"a file without text", map[string]string{"files.jsonl": `{"_id":"a.md"}`}, `files.jsonl:1: no "text"`},
		{"a file named twice", map[string]string{"files.jsonl": file + "\n" + file}, `files.jsonl:2: _id "a.md" appears twice`},
		{"a file without a name", map[string]string{"files.jsonl": `{"text":"x"}`}, `_id "" is not a relative path`},
		{"a file outside the folder", map[string]string{"files.jsonl": `{"_id":"../a.md","text":""}`}, `_id "../a.md" is not a relative path`},
		{"a file at the root", map[string]string{"files.jsonl": `{"_id":"/a.md","text":""}`}, `_id "/a.md" is not`},
		{"a file outside the folder, on Windows", map[string]string{"files.jsonl": `{"_id":"..\\a.md","text":""}`}, `is not a relative path`},
		{"a passage without an id", map[string]string{"corpus.jsonl": `{"title":"t"}`}, `corpus.jsonl:1: no "_id"`},
		{"a passage given twice", map[string]string{"corpus.jsonl": passage + "\n" + passage}, `corpus.jsonl:2: _id "a" appears twice`},
		{"a query without an id", map[string]string{"files.jsonl": file, "queries.jsonl": `{"text":"x"}`}, `queries.jsonl:1: no "_id"`},
		{"a query without text", map[string]string{"files.jsonl": file, "queries.jsonl": `{"_id":"q"}`}, `queries.jsonl:1: no "text"`},
		{"a query asked twice", map[string]string{"files.jsonl": file, "queries.jsonl": query + "\n" + query}, `queries.jsonl:2: _id "q" appears twice`},
		{"a query of unknown type", map[string]string{"files.jsonl": file, "queries.jsonl": `{"_id":"q","text":"x","type":"line"}`}, `type "line" is neither`},
		{"a judgement without lines", map[string]string{"files.jsonl": file, "queries.jsonl": query, "qrels.tsv": header + "q\ta.md\t1\n"}, "qrels.tsv:2: 3 columns of 6"},
		{"a judgement of a passage without a score", map[string]string{"corpus.jsonl": passage, "queries.jsonl": query, "qrels.tsv": "q\ta\n"}, "qrels.tsv:1: 2 columns of 3"},
		{"a score that is no number", map[string]string{"files.jsonl": file, "queries.jsonl": query, "qrels.tsv": "q\ta.md\tyes\ta.md\t1\t1\n"}, `score "yes" is not a number`},
		{"a score that is not finite", map[string]string{"files.jsonl": file, "queries.jsonl": query, "qrels.tsv": "q\ta.md\tNaN\ta.md\t1\t1\n"}, `score "NaN" is not a number`},
		{"a header twice", map[string]string{"files.jsonl": file, "queries.jsonl": query, "qrels.tsv": header + header}, `qrels.tsv:2: score "score" is not a number`},
		{"lines that run backwards", map[string]string{"files.jsonl": file, "queries.jsonl": query, "qrels.tsv": header + "q\ta.md\t1\ta.md\t3\t2\n"}, `qrels.tsv:2: lines "3" to "2" are not a range`},
		{"line zero", map[string]string{"files.jsonl": file, "queries.jsonl": query, "qrels.tsv": "q\ta.md\t1\ta.md\t0\t2\n"}, `lines "0" to "2" are not a range`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(folder(t, tt.files))
			if err == nil {
				t.Fatalf("no error, want %q", tt.want)
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "load set ") {
				t.Errorf("got %q, want %q in it", err, tt.want)
			}
		})
	}
	t.Run("a damaged archive", func(t *testing.T) {
		dir := folder(t, map[string]string{"files.jsonl.gz": strings.Repeat(file, 100)})
		name := filepath.Join(dir, "files.jsonl.gz")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, damaged := range [][]byte{[]byte("plain"), data[:len(data)/2], nil} {
			if err := os.WriteFile(name, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "files.jsonl.gz") {
				t.Errorf("%d bytes: %v", len(damaged), err)
			}
		}
	})
}

func TestWriteFiles(t *testing.T) {
	s := &Set{Name: "x", Files: []File{{Path: "a.md", Text: "a"}, {Path: "deep/er/b.md"}}}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	for range 2 { // a second time writes over the first
		if err := s.WriteFiles(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range s.Files {
		got, err := os.ReadFile(filepath.Join(dir, f.Path))
		if err != nil || string(got) != f.Text {
			t.Errorf("%s: %q, %v", f.Path, got, err)
		}
	}
}

func TestWriteFilesStaysInside(t *testing.T) {
	out, dir := t.TempDir(), t.TempDir()
	if err := os.Symlink(out, filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, path := range []string{"link/a.md", "../a.md"} {
		if err := (&Set{Files: []File{{Path: path, Text: "x"}}}).WriteFiles(dir); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	if left, _ := os.ReadDir(out); len(left) > 0 {
		t.Errorf("written outside: %v", left)
	}
}

// Whatever Load accepts can be scored and written.
func FuzzLoad(f *testing.F) {
	f.Add(`{"_id":"a.md","text":"x"}`, `{"_id":"q","text":"x"}`, header+"q\ta.md\t1\ta.md\t1\t1\n", false)
	f.Add(`{"_id":"a","title":"t","text":"x"}`, `{"_id":"q","text":"x"}`, "q\ta\t1\n", true)
	f.Fuzz(func(t *testing.T, corpus, queries, qrels string, passages bool) {
		name := "files.jsonl"
		if passages {
			name = "corpus.jsonl"
		}
		s, err := Load(folder(t, map[string]string{name: corpus, "queries.jsonl": queries, "qrels.tsv": qrels}))
		if err != nil {
			return
		}
		run, err := Score(s, func(string) ([]Hit, error) {
			var hits []Hit
			for _, f := range s.Files {
				hits = append(hits, Hit{File: f.Path})
			}
			return hits, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range run.Records() {
			if !(r.NDCG10 >= 0 && r.NDCG10 <= 1) {
				t.Fatalf("ndcg@10 = %v", r.NDCG10)
			}
		}
	})
}

// The public sets hold what their README says.
func TestPublicSets(t *testing.T) {
	shared := needs.Shared(t, "eval")
	tests := []struct {
		name   string
		files  int
		kinds  map[string]int
		judged int
	}{
		{"k8s", 1103, map[string]int{"link": 700, "link-typo": 696, "glossary": 97}, 1519},
		{"rust", 232, map[string]int{"link": 372, "link-typo": 354}, 740},
		{"vue", 112, map[string]int{"link": 281, "link-typo": 281}, 568},
		{"faq-a", 2084, map[string]int{"faq": 381}, 381},
		{"anthropic-docs", 232, map[string]int{"": 100}, 192},
		{"cranfield", 1400, map[string]int{"": 225}, 1837},
		{"cacm", 3204, map[string]int{"": 52}, 796},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Load(filepath.Join(shared, tt.name))
			if err != nil {
				t.Fatal(err)
			}
			kinds, judged := map[string]int{}, 0
			answers := map[string][]Hit{}
			for _, q := range s.Queries {
				kinds[q.Kind]++
				judged += len(q.Judged)
				for _, j := range q.Judged {
					answers[q.Text] = append(answers[q.Text], Hit{j.File, j.Start, j.End})
				}
			}
			if s.Name != tt.name || len(s.Files) != tt.files || judged != tt.judged || s.Strays != 0 {
				t.Errorf("%s: %d files, %d judged, %d strays", s.Name, len(s.Files), judged, s.Strays)
			}
			if d := cmp.Diff(tt.kinds, kinds); d != "" {
				t.Error(d)
			}
			run, err := Score(s, func(q string) ([]Hit, error) { return answers[q], nil })
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range run.Records() {
				if r.Recall100 != 1 || r.Empty != 0 {
					t.Errorf("the judged places themselves reach recall@100 %v, empty %v", r.Recall100, r.Empty)
				}
			}
		})
	}
}
