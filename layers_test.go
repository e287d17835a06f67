package docent_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/docent-md/docent"

// layers lists every package from the ground up. A package may import those on
// the lines above its own, and nothing else of ours: engines do not know each
// other, and only the root joins them.
const layers = `
doc
internal/source/git internal/store/backend internal/blob internal/intern internal/wholefile internal/text/visible
internal/source/crawl internal/source/settings internal/source/fetch internal/source/fetch/fetchtest internal/source/watch internal/source/trust internal/source/config internal/text/markdown internal/text/chunk internal/text/token internal/text/symbol internal/engine/index internal/engine/doctable internal/engine/segment internal/engine/texts internal/engine/grep internal/engine/graph internal/engine/snippet internal/engine/embed internal/engine/vector internal/engine/rank internal/model/llm internal/model/llm/llmtest internal/eval internal/store/sqlite internal/store/weaviate
.
tool
internal/surface/mcp internal/surface/web internal/surface/handout
internal/surface/cli
cmd/docent
`

func TestImportsPointDown(t *testing.T) {
	level := map[string]int{}
	for n, line := range strings.Split(strings.TrimSpace(layers), "\n") {
		for pkg := range strings.FieldsSeq(line) {
			level[pkg] = n
		}
	}
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != "." {
			_, err := os.Stat(filepath.Join(file, "go.mod")) // a module of its own
			if err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		at, listed := level[pkg]
		if !listed {
			if !seen[pkg] {
				t.Errorf("package %s is on no line of layers: say where it belongs", pkg)
			}
			seen[pkg] = true
			return nil
		}
		seen[pkg] = true
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			name := strings.TrimPrefix(strings.TrimPrefix(imported, module), "/")
			if name == "" {
				name = "."
			}
			if below, ok := level[name]; !ok || below >= at {
				t.Errorf("%s imports %s, which does not lie below it", file, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range level {
		if !seen[pkg] {
			t.Errorf("layers names %s, which holds no code", pkg)
		}
	}
}
