package web

import (
	"cmp"
	"context"
	"path"
	"slices"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
)

// A folder is one that a search can be narrowed to.
type folder struct {
	Path  string
	Files int
}

// maxFolders limits the folders that the page offers to the largest. Others can be
// named in the address.
const maxFolders = 60

// folders lists the largest folders with at least two files, but not all.
func folders(ctx context.Context, lib *docent.Library) ([]folder, error) {
	list, err := lib.Files(ctx, "")
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, p := range list.Paths() {
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			counts[dir]++
		}
	}
	var out []folder
	for dir, n := range counts {
		if n > 1 && n < len(list.Files) {
			out = append(out, folder{dir, n})
		}
	}
	slices.SortFunc(out, func(a, b folder) int { return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Path, b.Path)) })
	out = out[:min(len(out), maxFolders)]
	slices.SortFunc(out, func(a, b folder) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// commonLanguages are those that the page offers if there is code of them.
// Others can be named in the address.
var commonLanguages = []string{
	"bash", "c", "cpp", "csharp", "css", "dart", "diff", "dockerfile", "elixir", "go", "graphql", "html", "http", "java",
	"javascript", "json", "jsx", "kotlin", "lua", "php", "powershell", "python", "ruby", "rust", "scala", "scss", "sql", "swift",
	"toml", "tsx", "typescript", "vue", "xml", "yaml",
}

func languages(ctx context.Context, lib *docent.Library) ([]string, error) {
	var out []string
	for _, l := range commonLanguages {
		found, err := lib.Snippets(ctx, answer.CodeQuery{Language: l, Limit: 1})
		if err != nil {
			return nil, err
		}
		if found.Total > 0 {
			out = append(out, l)
		}
	}
	return out, nil
}
