package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// Operations on named indexes, for agents that gather documents themselves. A server
// offers them when it is told which folders may be indexed.

type (
	rootsKey    struct{}
	progressKey struct{}
	indexesKey  struct{}
)

// AllowRoots lets index_markdown_docs index these folders and what lies in them.
func AllowRoots(ctx context.Context, roots []string) context.Context {
	return context.WithValue(ctx, rootsKey{}, roots)
}

// WithProgress has index_markdown_docs report its progress.
func WithProgress(ctx context.Context, tell func(docent.Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// WithIndexes has operations on named indexes use a set that is kept open, instead of
// opening that of the library's project each time.
func WithIndexes(ctx context.Context, set *docent.IndexSet) context.Context {
	return context.WithValue(ctx, indexesKey{}, set)
}

// ownSet is what md_index calls the folder of indexes unless it is told otherwise.
const ownSet = ".md_index"

// indexesOf returns a set of named indexes, and what closes it: that of the library's
// project or, where a folder is named, that of another project in it.
func indexesOf(ctx context.Context, lib *docent.Library, dir string) (*docent.IndexSet, func() error, error) {
	if dir != "" && dir != ownSet {
		status, err := lib.Status(ctx, answer.StatusOptions{})
		if err != nil {
			return nil, nil, err
		}
		if status.Root == "" || !filepath.IsLocal(filepath.FromSlash(dir)) {
			return nil, nil, fmt.Errorf("vector_db_root %s: must be a folder in this project, or %s for its own indexes", dir, ownSet)
		}
		set, err := docent.ProjectIndexes(filepath.Join(status.Root, filepath.FromSlash(dir)), docent.IndexSetOptions{})
		if err != nil {
			return nil, nil, err
		}
		return set, set.Close, nil
	}
	if set, ok := ctx.Value(indexesKey{}).(*docent.IndexSet); ok {
		return set, func() error { return nil }, nil
	}
	set, err := lib.Indexes(ctx)
	if err != nil {
		return nil, nil, err
	}
	return set, set.Close, nil
}

type indexInput struct {
	Root        string `json:"root" arg:"root" doc:"folder of Markdown to index"`
	Name        string `json:"index_name" flag:"name" doc:"name of the index: letters, digits, . - _"`
	Description string `json:"description" flag:"description" doc:"what it is about, in a line"`
	Set         string `json:"vector_db_root,omitempty" flag:"set" doc:"folder of the project that the index is for (default: this one)"`
}

var indexDocsOp = operation[indexInput]{
	Tool: Tool{
		Name:     "index_markdown_docs",
		Doc:      "index a folder of Markdown under a name",
		Group:    ForAgents,
		Help:     "Index a folder of Markdown under a name, if the server allows it for that folder.",
		Example:  `  docent call index_markdown_docs '{"root": "docs", "index_name": "api", "description": "the API"}'`,
		Stores:   AnyStore,
		OnDemand: true,
		Agent: Agent{
			Params: []Param{{"root", ""}, {"index_name", ""}, {"description", ""}},
			Writes: true,
		},
	},
	Run: indexDocs,
}

func indexDocs(ctx context.Context, lib *docent.Library, in indexInput) (Answer, error) {
	root, err := allowed(ctx, lib, in.Root)
	if err != nil {
		return nil, err
	}
	set, closeSet, err := indexesOf(ctx, lib, in.Set)
	if err != nil {
		return nil, err
	}
	defer closeSet()
	o := docent.MakeOptions{}
	o.Progress, _ = ctx.Value(progressKey{}).(func(docent.Progress))
	made, err := set.Make(ctx, in.Name, in.Description, root, o)
	if err != nil {
		return nil, err
	}
	made.Centroid = nil
	return indexed{made}, nil
}

// allowed returns root with symbolic links resolved, or an error if it may not be indexed.
// A relative root is one of the library's project or, if that has none, of the working
// directory.
func allowed(ctx context.Context, lib *docent.Library, root string) (string, error) {
	roots, _ := ctx.Value(rootsKey{}).([]string)
	if len(roots) == 0 {
		return "", errors.New("indexing is not allowed here: docent serve --allow-index <folder> allows it")
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if status, err := lib.Status(ctx, answer.StatusOptions{}); err == nil && status.Root != "" && !filepath.IsAbs(root) {
		if in := filepath.Join(status.Root, root); isFolder(in) {
			abs = in
		}
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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// indexed reports the index that was built.
type indexed struct{ *answer.NamedIndex }

func (i indexed) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "index %s: %d files, %d chunks\n", i.Name, i.Files, i.Chunks)
	return err
}
