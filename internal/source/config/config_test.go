package config

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestParse(t *testing.T) {
	c, err := Parse([]byte(`{"paths": ["docs", "./ref-docs/"], "chunkMaxTokens": 400, "boostFields": {"title": 3}, "later": {"a": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.Paths); got != "[docs ref-docs]" {
		t.Errorf("paths = %s", got)
	}
	if c.ChunkMax != 400 || c.ChunkMin != 100 {
		t.Errorf("chunk bounds = %d, %d", c.ChunkMin, c.ChunkMax)
	}
	if want := (Boost{3, 1.5, 1}); c.Boost != want {
		t.Errorf("boost = %v, want %v: what is absent keeps its default", c.Boost, want)
	}
}

// A clone's config is untrusted: whatever it says, docent stays in the project.
func TestHostileConfigs(t *testing.T) {
	for name, text := range map[string]string{
		"a path up and out":          `{"paths": ["../secrets"]}`,
		"a path that climbs inside":  `{"paths": ["docs/../../x"]}`,
		"an absolute path":           `{"paths": ["/etc"]}`,
		"a backslashed climb":        `{"paths": ["..\\x"]}`,
		"an empty path":              `{"paths": [""]}`,
		"a NUL byte":                 `{"paths": ["a\u0000b"]}`,
		"an index outside":           `{"index": "../../home"}`,
		"an index at an address":     `{"index": "/tmp/x"}`,
		"the project as its index":   `{"index": "."}`,
		"no room for a chunk":        `{"chunkMaxTokens": 1}`,
		"a minimum above the most":   `{"chunkMinTokens": 900}`,
		"a negative minimum":         `{"chunkMinTokens": -1}`,
		"a depth of none":            `{"chunkDepth": 0}`,
		"a huge number":              `{"chunkMaxTokens": 1e99}`,
		"a negative weight":          `{"boostFields": {"title": -1}}`,
		"a weight beyond reason":     `{"boostFields": {"title": 1e300}}`,
		"a string for a list":        `{"paths": "docs"}`,
		"a list for an object":       `{"boostFields": [1]}`,
		"a key twice":                `{"paths": ["a"], "paths": ["b"]}`,
		"a list at the top":          `["docs"]`,
		"a number at the top":        `3`,
		"nothing":                    ``,
		"a trailing comma":           `{"paths": ["docs"],}`,
		"something after the object": `{} {}`,
		"an unclosed string":         `{"paths": ["docs`,
		"binary":                     "\x00\x01\x02",
	} {
		t.Run(name, func(t *testing.T) {
			if c, err := Parse([]byte(text)); err == nil {
				t.Errorf("accepted as %+v", c)
			}
		})
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"{\n  \"paths\": [\"docs\"],\n}", "line 3, column 1"},
		{`{"paths": "docs"}`, `"paths" is a string: must be a list of strings`},
		{`{"chunkDepth": 9}`, `"chunkDepth" is 9: must lie between 1 and 6`},
	} {
		if _, err := Parse([]byte(tt.in)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%s) = %v; want %q", tt.in, err, tt.want)
		}
	}
}

// Unknown keys and the order of all survive an edit.
func TestEditKeepsWhatItDoesNotKnow(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	before := "{\n  \"$schema\": \"x\",\n  \"chunkMaxTokens\": 300,\n  \"paths\": [\n    \"docs\"\n  ],\n  \"mine\": {\n    \"b\": 1,\n    \"a\": 2\n  }\n}\n"
	if err := os.WriteFile(path, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	add := func(c *Config) error { c.AddPath("api"); return nil }
	if err := Edit(context.Background(), path, add); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(before, "\"docs\"\n", "\"docs\",\n    \"api\"\n", 1)
	if string(after) != want {
		t.Errorf("after the edit:\n%s\nwant:\n%s", after, want)
	}
}

// Several programs that add at once do not lose each other's entries.
func TestEditsDoNotLoseEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			err := Edit(context.Background(), path, func(c *Config) error {
				c.AddPath(fmt.Sprintf("p%d", i))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	c, err := Load(path)
	if err != nil || len(c.Paths) != 17 {
		t.Errorf("%d paths, %v; want 16 and the default", len(c.Paths), err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(top, Name)
	if err := os.WriteFile(want, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, ok := Find(deep); !ok || got != want {
		t.Errorf("Find = %q, %v; want %q", got, ok, want)
	}
}
