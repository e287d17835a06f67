package symbol

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// labelledBlock is one block of testdata: code and the names a reader finds in
// it. The labels were written before the scanner saw the code.
type labelledBlock struct {
	title string
	line  int
	code  string
	want  []string
}

// readBlocks reads testdata/<lang>.txt.
func readBlocks(t testing.TB, lang string) []labelledBlock {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", lang+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []labelledBlock
	open := false
	for i, line := range strings.Split(string(data), "\n") {
		title, isTitle := strings.CutPrefix(line, "-- ")
		title, ends := strings.CutSuffix(title, " --")
		last := len(blocks) - 1
		switch want, isEnd := strings.CutPrefix(line, "==>"); {
		case isTitle && ends && !open:
			blocks = append(blocks, labelledBlock{title: title, line: i + 1})
			open = true
		case isEnd && open:
			blocks[last].want = strings.Fields(want)
			open = false
		case open:
			blocks[last].code += line + "\n"
		}
	}
	if open {
		t.Fatalf("%s.txt: the last block has no end", lang)
	}
	return blocks
}

// The languages, and how many blocks there must be at least.
var labelled = []struct {
	lang string
	min  int
}{
	{"go", 40},
	{"javascript", 40},
	{"typescript", 40},
	{"jsx", 40},
	{"tsx", 40},
	{"python", 40},
	{"rust", 40},
	{"java", 40},
	{"kotlin", 40},
	{"c", 40},
	{"cpp", 20},
	{"csharp", 20},
	{"ruby", 15},
	{"php", 15},
	{"swift", 12},
	{"shell", 12},
	{"sql", 12},
	{"yaml", 12},
	{"json", 10},
	{"toml", 10},
}

// Precision and recall of declared names, on blocks as documentation has them.
func TestLabelled(t *testing.T) {
	for _, l := range labelled {
		t.Run(l.lang, func(t *testing.T) {
			blocks := readBlocks(t, l.lang)
			if len(blocks) < l.min {
				t.Errorf("%d blocks, want at least %d", len(blocks), l.min)
			}
			found, wanted, right := 0, 0, 0
			for _, b := range blocks {
				names := Scan(l.lang, []byte(b.code))
				got := slices.Concat(names.Declared, names.Keys)
				found += len(got)
				wanted += len(b.want)
				for _, name := range got {
					if slices.Contains(b.want, name) {
						right++
					}
				}
				if !slices.Equal(got, b.want) {
					t.Logf("%s.txt:%d: %s\n got %q\nwant %q", l.lang, b.line, b.title, got, b.want)
				}
			}
			precision, recall := float64(right)/float64(max(1, found)), float64(right)/float64(max(1, wanted))
			t.Logf("%d blocks, %d names: precision %.3f, recall %.3f", len(blocks), wanted, precision, recall)
			if precision < .98 || recall < .98 {
				t.Errorf("precision %.3f, recall %.3f; want .980 of both", precision, recall)
			}
		})
	}
}
