package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/store/backend"
)

// fake is a node that answers as it is told.
func fake(t *testing.T, handle func(w http.ResponseWriter, r *http.Request)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(handle))
	t.Cleanup(s.Close)
	return s.URL
}

// plain packs nothing.
var plain = Codec{
	Pack:   func(b []byte) ([]byte, error) { return b, nil },
	Unpack: func(b []byte) ([]byte, error) { return b, nil },
}

func client(t *testing.T, urls ...string) *Client {
	t.Helper()
	c, err := New(urls, "secret", plain)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestOldServersAreRefused(t *testing.T) {
	for version, good := range map[string]bool{
		"1.39.3": true, "1.39.10": true, "1.40.0": true, "2.0.0": true, "1.39.3-rc.1": true,
		"1.39.2": false, "1.35.2": false, "0.9": false, "": false, "x": false,
	} {
		url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
			_ = json.NewEncoder(w).Encode(map[string]string{"version": version})
		})
		if _, err := client(t, url).Check(context.Background()); (err == nil) != good {
			t.Errorf("version %q: %v", version, err)
		}
	}
}

func TestNodesAreNamedByURL(t *testing.T) {
	for _, bad := range []string{"", "node0", "ftp://node0", "http://", "http//node0"} {
		if _, err := New([]string{bad}, "", plain); err == nil {
			t.Errorf("%q was taken for a node", bad)
		}
	}
}

// The next node is asked when one does not answer, and stays the first to be asked.
func TestTheNextNodeIsAsked(t *testing.T) {
	var asked atomic.Int32
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	ill := fake(t, func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	well := fake(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			t.Error("no token")
		}
		_, _ = w.Write([]byte(`{"version": "1.39.3"}`))
	})
	c := client(t, dead.URL, ill, well)
	for range 3 {
		if _, err := c.Check(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked.Load(); n > 1 { // or never, when another was asked first
		t.Errorf("the ill node was asked %d times", n)
	}
}

func TestNobodyAnswers(t *testing.T) {
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := client(t, dead.URL).Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A node that waits for others which are gone is not waited for.
func TestMostNodesAreGone(t *testing.T) {
	url := fake(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/nodes" {
			_, _ = w.Write([]byte(`{"nodes": [{"name": "a", "status": "HEALTHY"}, {"name": "b", "status": "UNAVAILABLE"}, {"name": "c", "status": "UNAVAILABLE"}]}`))
			return
		}
		<-r.Context().Done()
	})
	c := client(t, url)
	c.hesitation = time.Millisecond
	_, err := c.Check(context.Background())
	if !errors.Is(err, ErrLost) || err.Error() != "the cluster has lost most of its nodes: 1 of 3 nodes are left" {
		t.Error(err)
	}
}

// A reply with errors is no answer, whatever else is in it: it may be a part.
func TestPartsAreNoAnswer(t *testing.T) {
	url := fake(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data": {"Get": {"DocentChunk": [{"sid": "a"}]}}, "errors": [{"message": "shard x: gone"}]}`))
	})
	x := &Index{c: client(t, url), name: "i"}
	found, err := x.Candidates(context.Background(), backend.Query{Any: []backend.Word{{Text: "a"}}, K: 1})
	if err == nil || !strings.Contains(err.Error(), "shard x: gone") || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

// Objects that failed in a good reply are sent again, and only those.
func TestFailedObjectsAreSentAgain(t *testing.T) {
	var sizes []int
	url := fake(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Objects []struct {
				ID string `json:"id"`
			} `json:"objects"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		if r.URL.Query().Get("consistency_level") != "QUORUM" {
			t.Errorf("written to %s", r.URL)
		}
		sizes = append(sizes, len(in.Objects))
		var out []any
		for i, o := range in.Objects {
			result := map[string]any{"status": "SUCCESS"}
			if len(sizes) == 1 && i%2 == 1 {
				result = map[string]any{"status": "FAILED", "errors": map[string]any{"error": []any{map[string]string{"message": "commit timed out"}}}}
			}
			out = append(out, map[string]any{"id": o.ID, "result": result})
		}
		_ = json.NewEncoder(w).Encode(out)
	})
	tx := &Tx{x: &Index{c: client(t, url), name: "i"}, ctx: context.Background()}
	if err := tx.send([]map[string]any{tx.object("C", "1", nil), tx.object("C", "2", nil), tx.object("C", "3", nil)}); err != nil {
		t.Fatal(err)
	}
	if len(sizes) != 2 || sizes[0] != 3 || sizes[1] != 1 {
		t.Errorf("sent %v", sizes)
	}
}

// Deletions say when they were made, and go on until nothing matches.
func TestDeletionsCarryTheirTime(t *testing.T) {
	calls := 0
	url := fake(t, func(w http.ResponseWriter, r *http.Request) {
		var in map[string]any
		_ = json.NewDecoder(r.Body).Decode(&in)
		if at, _ := in["deletionTimeUnixMilli"].(float64); r.Method != http.MethodDelete || at < 1.7e12 {
			t.Errorf("%s %v", r.Method, in)
		}
		calls++
		matches := 10
		if calls == 3 {
			matches = 4
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": map[string]int{"matches": matches, "limit": 10}})
	})
	tx := &Tx{x: &Index{c: client(t, url), name: "i"}, ctx: context.Background()}
	if err := tx.delete("C", anyOf("file", []string{"a.md"})); err != nil || calls != 3 {
		t.Errorf("%d calls: %v", calls, err)
	}
}

// What a user typed cannot leave the string it stands in.
func TestQueriesAreQuoted(t *testing.T) {
	var query string
	url := fake(t, func(w http.ResponseWriter, r *http.Request) {
		var in map[string]string
		_ = json.NewDecoder(r.Body).Decode(&in)
		query = in["query"]
		_, _ = w.Write([]byte(`{"data": {"Get": {"DocentChunk": []}}}`))
	})
	x := &Index{c: client(t, url), name: "i"}
	hostile := "a\") {sid}} mutation \"\\\n"
	if _, err := x.Candidates(context.Background(), backend.Query{Any: []backend.Word{{Text: hostile}}, Not: []string{hostile}, Files: []string{hostile}, K: 1}); err != nil {
		t.Fatal(err)
	}
	if strings.Count(query, `"a\") {sid}} mutation \"\\\n"`) != 3 {
		t.Error(query)
	}
}

func TestIDsAreUUIDs(t *testing.T) {
	a, b := id("x", "C", "a.md"), id("x", "C", "b.md")
	if a == b || a != id("x", "C", "a.md") || len(a) != 36 || a[14] != '5' || !strings.ContainsAny(a[19:20], "89ab") {
		t.Error(a, b)
	}
}

func TestNamesOfIndexes(t *testing.T) {
	for name, good := range map[string]bool{
		"handbook": true, "a-b_C9": true, strings.Repeat("x", 64): true,
		"": false, "a b": false, "a/b": false, "é": false, "a\n": false, strings.Repeat("x", 65): false,
	} {
		if err := checkName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}
