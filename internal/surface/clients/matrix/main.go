// Command matrix tries docent with real MCP clients, and prints what each did. Programs
// are given their configuration by "docent mcp-config --write"; libraries connect by
// themselves. They come from npm, into a folder of their own, and see neither the home
// folder nor the environment of the user.
//
//	matrix -docent ./docent -write docs/clients.md
//	matrix -only codex,sdk
//
// What cannot be installed is said and is no failure; what fails is.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/generated"
)

func main() {
	docent := flag.String("docent", "./docent", "program to try")
	docs := flag.String("docs", "examples/harbour", "folder of documents")
	work := flag.String("work", filepath.Join(os.TempDir(), "docent-clients"), "folder for packages")
	only := flag.String("only", "", "clients to try, with commas; all if empty")
	write := flag.String("write", "", "document whose table is replaced")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	bad, err := run(ctx, *docent, *docs, *work, *only, *write)
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(2)
	}
	if bad > 0 {
		fmt.Fprintf(os.Stderr, "clients: %d failed\n", bad)
		os.Exit(1)
	}
}

// A row of the table.
type row struct{ name, version, local, remote, removed string }

func run(ctx context.Context, docent, docs, work, only, write string) (bad int, err error) {
	m := &machine{}
	if m.docent, err = filepath.Abs(docent); err == nil {
		m.docs, err = filepath.Abs(docs)
	}
	if err == nil {
		m.work, err = filepath.Abs(work)
	}
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(m.docent); err != nil {
		return 0, fmt.Errorf("%w: make build makes it", err)
	}
	if err := m.findNode(ctx); err != nil {
		fmt.Println("clients were not tried:", err)
		return 0, nil
	}
	wanted := func(name string) bool { return only == "" || slices.Contains(strings.Split(only, ","), name) }
	b := &strings.Builder{}
	add := func(r row) {
		for _, cell := range []string{r.local, r.remote, r.removed} {
			if strings.HasPrefix(cell, "FAILED") {
				bad++
			}
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", r.name, r.version, r.local, r.remote, r.removed)
		fmt.Fprintf(os.Stderr, "%s %s: %s; %s; %s\n", r.name, r.version, r.local, r.remote, r.removed)
	}
	b.WriteString("| client | version | starts docent | over HTTP | `--remove` |\n|---|---|---|---|---|\n")
	for _, p := range programs {
		if wanted(p.name) {
			add(m.tryProgram(ctx, p))
		}
	}
	for _, l := range libraries {
		if wanted(l.name) {
			add(m.tryLibrary(ctx, l))
		}
	}
	if err := ctx.Err(); err != nil {
		return bad, err
	}
	fmt.Print(b.String())
	if write == "" {
		return bad, nil
	}
	day := "Tried on " + time.Now().Format(time.DateOnly) + " with Node " + m.nodeVersion + ".\n\n"
	return bad, generated.Replace(write, "clients", func(string) string { return day + b.String() })
}
