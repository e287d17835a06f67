package config

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const withSources = `{
  "mine": 1,
  "sources": [
    {
      "url": "https://github.com/acme/lib",
      "note": "kept by hand",
      "path": "ref-docs/lib",
      "commit": "1111",
      "tags": [
        1,
        2
      ]
    },
    {
      "path": "ref-docs/other",
      "url": "acme/other",
      "etag": "\"x\""
    }
  ],
  "paths": [
    "ref-docs"
  ]
}
`

func TestSources(t *testing.T) {
	c, err := Parse([]byte(withSources))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := c.Source("ref-docs/lib")
	if !ok || s.URL != "https://github.com/acme/lib" || s.Commit != "1111" || len(c.Sources) != 2 {
		t.Errorf("source = %+v, %v of %d", s, ok, len(c.Sources))
	}
	if text, err := c.Encode(); err != nil || string(text) != withSources {
		t.Errorf("not written back as it was read: %v\n%s", err, text)
	}
}

// An update of one entry changes its values in their places and nothing else.
func TestSetSourceKeepsWhatItDoesNotKnow(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(path, []byte(withSources), 0o644); err != nil {
		t.Fatal(err)
	}
	err := Edit(context.Background(), path, func(c *Config) error {
		c.SetSource(Source{Path: "ref-docs/lib", URL: "https://github.com/acme/lib", Branch: "main", Commit: "2222"})
		c.SetSource(Source{Path: "ref-docs/new", URL: "acme/new", Rev: "v1"})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(
		`"1111"`, `"2222"`,
		"        2\n      ]\n    },", "        2\n      ],\n      \"branch\": \"main\"\n    },",
		"\"etag\": \"\\\"x\\\"\"\n    }\n", "\"etag\": \"\\\"x\\\"\"\n    },\n    {\n      \"path\": \"ref-docs/new\",\n      \"url\": \"acme/new\",\n      \"rev\": \"v1\"\n    }\n",
	).Replace(withSources)
	if string(got) != want {
		t.Errorf("after the edit:\n%s\nwant:\n%s", got, want)
	}
	err = Edit(context.Background(), path, func(c *Config) error {
		if !c.RemoveSource("ref-docs/other") || c.RemoveSource("ref-docs/nope") {
			t.Error("removed the wrong one")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Load(path); err != nil || len(c.Sources) != 2 || c.Sources[1].Path != "ref-docs/new" {
		t.Errorf("after removing: %+v, %v", c, err)
	}
}

// Processes, not only goroutines, that add at once keep each other's entries.
func TestProcessesDoNotLoseEachOther(t *testing.T) {
	if path := os.Getenv("DOCENT_CONFIG_CHILD"); path != "" {
		for i := range 5 {
			err := Edit(context.Background(), path, func(c *Config) error {
				c.SetSource(Source{Path: fmt.Sprintf("ref-docs/p%d-%d", os.Getpid(), i), URL: "a/b"})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), Name)
	var cmds []*exec.Cmd
	for range 4 {
		cmd := exec.Command(self, "-test.run=^TestProcessesDoNotLoseEachOther$")
		cmd.Env = append(os.Environ(), "DOCENT_CONFIG_CHILD="+path)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if c, err := Load(path); err != nil || len(c.Sources) != 20 {
		t.Errorf("%d sources, %v; want 20", len(c.Sources), err)
	}
}

func TestSourceErrorsSayWhere(t *testing.T) {
	for in, want := range map[string]string{
		`{"sources": "x"}`:                                                        `"sources" is a string: must be a list of objects`,
		`{"sources": ["x"]}`:                                                      `"sources" has an entry that is no object`,
		`{"sources": [{"path": 1, "url": "a/b"}]}`:                                `"path" is a number: must be a string`,
		`{"sources": [{"path": "a", "url": "a/b"}, {"url": "x"}]}`:                `"sources": entry 2: "path"`,
		`{"sources": [{"path": "a"}]}`:                                            `"url" is missing`,
		`{"sources": [{"path": "a", "url": "https://me:secret@github.com/a/b"}]}`: `leave it out, and set GITHUB_TOKEN`,
	} {
		_, err := Parse([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Parse(%s) = %v; want %q", in, err, want)
		}
	}
}

func TestCheckSource(t *testing.T) {
	c, err := Parse([]byte(withSources))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"ref-docs/new": "", "ref-docs/lib": "", "ref-docs/lib/more": "lies in the folder of another source",
		"ref-docs": "lies in the folder of another source", "REF-DOCS/LIB": "holds another source already", "../x": "leads out", ".": "a folder of its own",
	} {
		err := c.CheckSource(Source{Path: path, URL: "acme/new"})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if text, err := c.Encode(); err != nil || string(text) != withSources {
		t.Errorf("checking changed the config: %v\n%s", err, text)
	}
}

func TestUnknownKeys(t *testing.T) {
	c, err := Parse([]byte(`{"$schema": "x", "path": ["."], "boostFields": {"tilte": 3, "body": 1}, "mine": {"title": 1},
		"sources": [{"path": "a", "url": "o/r"}, {"path": "b", "url": "o/s", "brnach": "x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range c.Unknown() {
		got = append(got, u.String())
	}
	if want := "path mine boostFields.tilte sources[1].brnach"; strings.Join(got, " ") != want {
		t.Errorf("unknown: %q, want %s", got, want)
	}
	if n := len(Default().Unknown()); n != 0 {
		t.Errorf("a config of defaults has %d unknown keys", n)
	}
}
