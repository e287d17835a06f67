package docent_test

import (
	"cmp"
	"go/ast"
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

// layers lists every package from the ground up. A package may import those on the
// lines above its own, and nothing else of ours. Engines stand on one line: they know
// nothing of each other. A new package is a new word on one of these lines; if it is
// hard to say which line, the package is doing two jobs.
const layers = `
doc internal/portable internal/syserr

internal/blob internal/fault internal/gates/cases internal/glob internal/intern internal/killtest internal/needs internal/wholefile
internal/generated internal/text/human internal/text/symbol/lex internal/text/visible internal/text/words internal/source/git internal/store/backend

internal/source/config internal/source/crawl internal/source/fetch internal/source/fetch/fetchtest internal/source/settings internal/source/trust internal/source/watch
internal/text/chunk internal/text/markdown internal/text/symbol internal/text/token
internal/engine/doctable internal/engine/embed internal/engine/fields internal/engine/graph internal/engine/grep internal/engine/index internal/engine/rank internal/engine/reranker internal/engine/segment internal/engine/snippet internal/engine/texts internal/engine/vector
internal/model/llm internal/model/llm/llmtest internal/store/sqlite internal/store/weaviate internal/eval internal/eval/freshness internal/gates internal/testrun

answer

internal/library/embedding
internal/library/corpus
internal/library/snapshot internal/library/project
internal/library/build internal/library/retrieve internal/library/history
internal/library/place internal/library/code internal/library/filter
internal/library/links internal/library/browse
internal/library/local internal/library/search
internal/library/pack
internal/library/refresh

internal/store internal/indexset internal/model/assist
internal/model/training

.
tool eval internal/surface/web/diagram internal/surface/web/mathml
internal/surface/web/content internal/surface/web/linkmap internal/surface/web/pictures internal/surface/manual
internal/surface/web/sitetree
internal/surface/clients internal/surface/handout internal/surface/mcp internal/surface/web
internal/surface/host
internal/surface/cli
cmd/docent internal/eval/candidates
internal/release/bundle internal/release/licence internal/recording
internal/release

internal/agents/harness internal/agents/reader internal/surface/clients/matrix internal/eval/calibrate
internal/agents

internal/structure/code
internal/structure/measure internal/structure/prose
internal/structure
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

// Windows refuses to rename what someone has open for a moment. internal/wholefile tries
// again; folders that were fetched were once renamed without it, and an update failed
// because a scanner for viruses read one of its files.
func TestRenamesTryAgain(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && file != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return cmp.Or(err, fs.SkipDir)
		}
		name := filepath.ToSlash(file)
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "internal/wholefile/") {
			return nil
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 2 {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Rename" {
					t.Errorf("%s renames by itself: wholefile.Replace or RenameIn", set.Position(n.Pos()))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
