package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/surface/cli"
	"github.com/docent-md/docent/internal/surface/clients"
)

// TestMain makes the test binary docent itself where it is started as such.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "serve" || os.Args[1] == "mcp-config") {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// A client that only prints its file shows what each cell of the table rests on.
func TestTryConfig(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the client is a shell script")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "node_modules", ".bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "client"), []byte("#!/bin/sh\ncat .mcp.json; test $# = 0 || cat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Abs("../../../../examples/harbour")
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{docent: self, docs: docs, node: "/usr/bin"}
	dir := filepath.Dir(filepath.Dir(bin))
	for name, c := range map[string]struct {
		p             program
		http          bool
		want, removed string // how the cells begin
	}{
		"it reads its file": {program{args: []string{"client"}, reads: `"docent"`}, false, "reads it", "as it was"},
		"it connects":       {program{args: []string{"client"}, reads: `"docent"`, connected: `"serve"`}, false, "connects", "as it was"},
		"it is given input, and ended": {
			program{args: []string{"client", "-"}, input: "ready\n", reads: `"docent"`, connected: `ready`}, false, "connects", "as it was",
		},
		"it is given an address":    {program{args: []string{"client"}, reads: `http://127.0.0.1:\d+/mcp`}, true, "reads it", "as it was"},
		"it reads another file":     {program{args: []string{"client"}, reads: `"nothing"`}, false, "FAILED", "as it was"},
		"it does not connect":       {program{args: []string{"client"}, reads: `"docent"`, connected: "Connected"}, false, "FAILED: reads it, but", "as it was"},
		"it cannot be started":      {program{args: []string{"nope"}, reads: `"docent"`}, false, "FAILED", "as it was"},
		"it has its file elsewhere": {program{args: []string{"client"}, reads: `"docent"`, file: "home/x.json"}, false, "reads it", "FAILED: docent is not in"},
	} {
		t.Run(name, func(t *testing.T) {
			c.p.name, c.p.before = "claude-code", plainJSON
			if c.p.file == "" {
				c.p.file = "project/.mcp.json"
			}
			got, removed := m.tryConfig(t.Context(), c.p, dir, c.http)
			if !strings.HasPrefix(got, c.want) || !strings.HasPrefix(removed, c.removed) {
				t.Errorf("%q, %q", got, removed)
			}
		})
	}
}

// The table has every client that mcp-config knows.
func TestProgramsAreAll(t *testing.T) {
	have := map[string]bool{}
	for _, p := range programs {
		have[p.name] = true
		if (p.pkg == "") != (p.why != "") {
			t.Errorf("%s: either a package or a reason", p.name)
		}
	}
	for _, name := range clients.Names() {
		if !have[name] && name != "generic" {
			t.Errorf("%s is not in the table", name)
		}
	}
}
