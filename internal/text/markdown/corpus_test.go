package markdown

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// A file is a document of a corpus.
type file struct {
	path string
	text []byte
}

var corpusNames = []string{"mdn-reference", "k8s-zh-cn", "obsidian-help", "pydantic", "k8s", "rust", "vue"}

// someCorpora leaves out the largest when time is short.
func someCorpora() []string {
	if testing.Short() {
		return corpusNames[1:]
	}
	return corpusNames
}

func corpus(t testing.TB, name string) []file {
	dir := filepath.Dir(needs.Shared(t, "corpora"))
	var files []file
	f, err := os.Open(filepath.Join(dir, "corpora", name+".tar.gz"))
	if errors.Is(err, os.ErrNotExist) {
		f, err = os.Open(filepath.Join(dir, "eval", name, "files.jsonl.gz"))
	}
	if err != nil {
		needs.Missing(t, "the shared folder", "no corpus "+name)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(f.Name(), ".jsonl.gz") {
		dec := json.NewDecoder(bufio.NewReader(z))
		for {
			var r struct {
				ID   string `json:"_id"`
				Text string `json:"text"`
			}
			if err := dec.Decode(&r); err == io.EOF {
				return files
			} else if err != nil {
				t.Fatal(err)
			}
			files = append(files, file{r.ID, []byte(r.Text)})
		}
	}
	tr := tar.NewReader(z)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		b, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file{h.Name, b})
	}
}

// specExamples returns the 652 examples of CommonMark 0.31 from the sources of
// goldmark, which carry them.
func specExamples(t testing.TB) []string {
	cases := specCases(t)
	out := make([]string, len(cases))
	for i := range cases {
		out[i] = cases[i].Markdown
	}
	return out
}

// A specCase is an example and what it is to look like.
type specCase struct{ Markdown, HTML string }

func specCases(t testing.TB) []specCase {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output()
	if err != nil {
		needs.Missing(t, "the go command", "it finds the CommonMark examples")
	}
	b, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "_test", "spec.json"))
	if err != nil {
		needs.Missing(t, "goldmark's examples in the module cache", err.Error())
	}
	var cases []specCase
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}
