package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Chunks that a killed run left, and whose document never came, are swept away when no
// other run can be about to complete them.
func TestOrphansAreSwept(t *testing.T) {
	old, young := time.Now().Add(-time.Hour).UnixMilli(), time.Now().UnixMilli()
	var deleted []any
	url := fake(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Query string
			Match struct {
				Where struct{ ValueTextArray []any }
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		switch {
		case r.Method == http.MethodDelete:
			deleted = append(deleted, in.Match.Where.ValueTextArray...)
			_, _ = w.Write([]byte(`{"results": {"matches": 1, "limit": 10000}}`))
		case strings.Contains(in.Query, fileClass):
			_, _ = w.Write([]byte(`{"data": {"Get": {"DocentFile": [{"path": "a.md"}]}}}`))
		default:
			chunk := `{"file": %q, "_additional": {"id": %q, "lastUpdateTimeUnix": "%d"}}`
			_, _ = fmt.Fprintf(w, `{"data": {"Get": {"DocentChunk": [`+chunk+","+chunk+","+chunk+`]}}}`,
				"a.md", "1", old, "gone.md", "2", old, "coming.md", "3", young)
		}
	})
	x := &Index{c: client(t, url), name: "i"}
	tx, err := x.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all, err := tx.orphans(time.Now().Add(-orphanAge))
	if err != nil || all || len(deleted) != 1 || deleted[0] != "2" {
		t.Errorf("deleted %v, all %v: %v", deleted, all, err)
	}
}

// The terms of an alphabet with thousands of letters share some lists, and each is
// looked for where it was put.
func TestTermsHaveAList(t *testing.T) {
	for term, want := range map[string]string{"search": "s", "9": "9", "_x": "_", "使用": "u4f", "使": "u4f", "élan": "u0"} {
		if got := letterOf(term); got != want {
			t.Errorf("%s: %s, want %s", term, got, want)
		}
	}
}
