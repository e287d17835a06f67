package main

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
)

func tiny() fstest.MapFS {
	return fstest.MapFS{
		"go.mod":          {Data: []byte("module example.com/m\n")},
		"ARCHITECTURE.md": {Data: []byte("## The path of a query\n\n    a.go\n")},
		"a.go":            {Data: []byte("package m\n\n// A is exported.\nfunc A() {}\n")},
	}
}

func TestTableOfASmallModule(t *testing.T) {
	var b strings.Builder
	over, err := run(&b, tiny(), false)
	if err != nil || over {
		t.Fatalf("over %v, %v:\n%s", over, err, &b)
	}
	if !strings.Contains(b.String(), "root package, lines") {
		t.Errorf("got\n%s", &b)
	}
}

func TestJSONSaysWhatIsOver(t *testing.T) {
	fsys := tiny()
	delete(fsys, "ARCHITECTURE.md")
	var b strings.Builder
	over, err := run(&b, fsys, true)
	if err != nil || !over {
		t.Fatalf("over %v, %v", over, err)
	}
	var rows []struct {
		Name string
		Over bool
	}
	if err := json.Unmarshal([]byte(b.String()), &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Over != (r.Name == "files on the path of a query") {
			t.Errorf("%s: over is %v", r.Name, r.Over)
		}
	}
}
