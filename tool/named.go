package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent"
)

// Operations on named indexes, for agents that gather documents themselves. They
// are off: a server offers them when it is told which folders may be indexed.

// RefFields are the parameters of operations that lead to a place, and may begin with
// the name of an index.
var RefFields = []string{"ref", "citation", "id", "file"}

type (
	rootsKey    struct{}
	progressKey struct{}
	indexesKey  struct{}
)

// AllowRoots lets index_markdown_docs index these folders and what lies in them.
func AllowRoots(ctx context.Context, roots []string) context.Context {
	return context.WithValue(ctx, rootsKey{}, roots)
}

// WithProgress has index_markdown_docs tell how far it is, now and then.
func WithProgress(ctx context.Context, tell func(docent.Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// SearchIndexes answers a question from the named indexes that names mean.
type SearchIndexes func(ctx context.Context, names string, q docent.Query) (*docent.Answer, error)

// WithIndexes has markdown_search ask indexes that are kept open, instead of opening
// them each time.
func WithIndexes(ctx context.Context, search SearchIndexes) context.Context {
	return context.WithValue(ctx, indexesKey{}, search)
}

type indexInput struct {
	Root        string `json:"root" arg:"root" doc:"folder of Markdown to index"`
	Name        string `json:"index_name" flag:"name" doc:"name of the index: letters, digits, . - _"`
	Description string `json:"description" flag:"description" doc:"what it is about, in a line"`
}

func indexDocs(ctx context.Context, lib *docent.Library, in indexInput) (Answer, error) {
	root, err := allowed(ctx, in.Root)
	if err != nil {
		return nil, err
	}
	cat, err := lib.Catalogue()
	if err != nil {
		return nil, err
	}
	o := docent.NamedOptions{}
	o.Progress, _ = ctx.Value(progressKey{}).(func(docent.Progress))
	made, err := cat.IndexDirectory(ctx, in.Name, in.Description, root, o)
	if err != nil {
		return nil, err
	}
	made.Centroid = nil
	return indexed{made}, nil
}

// allowed returns a folder that may be indexed, as it is without links.
func allowed(ctx context.Context, root string) (string, error) {
	roots, _ := ctx.Value(rootsKey{}).([]string)
	if len(roots) == 0 {
		return "", errors.New("indexing is not allowed here: docent serve --allow-index <folder> allows it")
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", fmt.Errorf("folder %s: %w", root, err)
	}
	for _, r := range roots {
		if r, err := filepath.EvalSymlinks(r); err == nil {
			if rel, err := filepath.Rel(r, abs); err == nil && filepath.IsLocal(rel) {
				return abs, nil
			}
		}
	}
	return "", fmt.Errorf("folder %s may not be indexed: only %s and what lies in them", root, strings.Join(roots, ", "))
}

// indexed says what was made.
type indexed struct{ *docent.NamedIndex }

func (i indexed) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "index %s: %d files, %d chunks\n", i.Name, i.Files, i.Chunks)
	return err
}

type markdownInput struct {
	Query string `json:"query" arg:"query..." doc:"words or a question"`
	K     int    `json:"k,omitempty" flag:"results,n" doc:"most results (default 5)"`
	Index string `json:"index_name,omitempty" flag:"name" doc:"named index, several with commas, or all (the default)"`
}

func markdownSearch(ctx context.Context, lib *docent.Library, in markdownInput) (Answer, error) {
	if in.K < 0 || in.K > docent.MaxLimit {
		return nil, fmt.Errorf("%d results: must lie between 1 and %d", in.K, docent.MaxLimit)
	}
	if in.K == 0 {
		in.K = 5
	}
	if in.Index == "" {
		in.Index = docent.All
	}
	search, ok := ctx.Value(indexesKey{}).(SearchIndexes)
	if !ok {
		cat, err := lib.Catalogue()
		if err != nil {
			return nil, err
		}
		search = func(ctx context.Context, names string, q docent.Query) (*docent.Answer, error) {
			return cat.Search(ctx, names, q, docent.Options{})
		}
	}
	a, err := search(ctx, in.Index, docent.Query{Text: in.Query, Limit: in.K})
	if err != nil {
		return nil, err
	}
	found := Found{}
	for _, h := range a.Hits {
		found = append(found, Snippet{h.Index, h.Score, h.Snippet, h.Source})
	}
	return found, nil
}

// A Snippet is what markdown_search finds.
type Snippet struct {
	Index   string  `json:"index"`
	Score   float64 `json:"score"`
	Snippet string  `json:"snippet"`
	Source  string  `json:"source"` // path#Lstart-Lend
}

// Found are the snippets of a search, best first.
type Found []Snippet

// Nothing reports whether none was found.
func (f Found) Nothing() bool { return len(f) == 0 }

// JSONList gives the snippets for printing as JSON.
func (f Found) JSONList() any { return []Snippet(f) }

// WriteText writes the snippets as JSON: that is what this operation is specified
// to give.
func (f Found) WriteText(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode([]Snippet(f))
}
