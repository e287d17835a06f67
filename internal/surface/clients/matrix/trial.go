package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed library.mjs
var libraryScript string

// failed is a cell of the table: what happened, and the end of what was printed.
func failed(what string, printed any) string {
	text := strings.Join(strings.Fields(fmt.Sprint(printed)), " ")
	if len(text) > 160 {
		text = "…" + text[len(text)-160:]
	}
	return strings.ReplaceAll("FAILED: "+what+": "+text, "|", "/")
}

// tryProgram writes a client's configuration, has the client read it, and takes it out.
func (m *machine) tryProgram(ctx context.Context, p program) row {
	r := row{name: p.name, version: "not tried: " + p.why, local: "-", remote: "-", removed: "-"}
	if p.pkg == "" {
		return r
	}
	dir, err := m.install(ctx, p.pkg)
	if err != nil {
		r.version = "not tried: npm cannot install " + strings.ReplaceAll(p.pkg, "|", "/")
		return r
	}
	r.version = p.pkg[strings.LastIndex(p.pkg, "@")+1:]
	r.local, r.removed = m.tryConfig(ctx, p, dir, false)
	remote, removed := m.tryConfig(ctx, p, dir, true)
	if r.remote = remote; strings.HasPrefix(removed, "FAILED") {
		r.removed = removed
	}
	return r
}

// tryConfig tries one form of the configuration.
func (m *machine) tryConfig(ctx context.Context, p program, dir string, http bool) (did, removed string) {
	at, err := m.newPlace()
	if err != nil {
		return failed("not tried", err), "-"
	}
	defer at.close()
	ctx, cancel := context.WithCancel(ctx) // ends the server
	defer cancel()
	args := []string{"mcp-config"}
	if http {
		url, err := at.serve(ctx)
		if err != nil {
			return failed("not tried", err), "-"
		}
		args = append(args, "--http", url)
	} else {
		args = append(args, "--root", "docs")
	}
	for name, text := range p.trust {
		if err := at.write(name, strings.ReplaceAll(text, "PROJECT", at.path("project"))); err != nil {
			return failed("not tried", err), "-"
		}
	}
	if removed, err = at.configure(ctx, p, args); err != nil {
		return failed("not tried", err), "-"
	}
	bin := filepath.Join(dir, "node_modules", ".bin", p.args[0])
	until := p.connected
	if until == "" {
		until = p.reads
	}
	out, seen := at.watch(ctx, until, p.input, bin, p.args[1:]...)
	switch {
	case !seen && p.connected != "" && regexp.MustCompile(p.reads).MatchString(out):
		did = failed("reads it, but does not connect", out)
	case !seen:
		did = failed("does not show it", out)
	case p.connected != "":
		did = "connects"
	default:
		did = "reads it"
	}
	if p.isOurs() {
		removed = at.unconfigure(ctx, p)
	}
	return did, removed
}

// configure puts docent into the client's file.
func (p *place) configure(ctx context.Context, c program, args []string) (removed string, err error) {
	if c.before != "" {
		if err := p.write(c.file, c.before); err != nil {
			return "", err
		}
	}
	if !c.isOurs() {
		out, err := p.command(ctx, p.docent, args...).Output()
		if err != nil {
			return "", err
		}
		return "pasted", p.write(c.file, string(out))
	}
	if c.name == "cline" {
		_ = os.MkdirAll(p.path("home/.cline"), 0o755)
	}
	out, err := p.command(ctx, p.docent, append(args, "--client", c.name, "--write")...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return "", nil
}

// unconfigure takes docent out, and says whether the file is what it was.
func (p *place) unconfigure(ctx context.Context, c program) string {
	now, err := os.ReadFile(p.path(c.file))
	if err != nil || !strings.Contains(string(now), "docent") {
		return failed("docent is not in "+c.file, err)
	}
	if out, err := p.command(ctx, p.docent, "mcp-config", "--client", c.name, "--remove").CombinedOutput(); err != nil {
		return failed(err.Error(), string(out))
	}
	after, err := os.ReadFile(p.path(c.file))
	if err != nil || string(after) != c.before {
		return failed("the file is now", string(after))
	}
	return "as it was"
}

// tryLibrary connects by a library.
func (m *machine) tryLibrary(ctx context.Context, l library) row {
	r := row{name: l.name, version: "not tried: npm cannot install it", local: "-", remote: "it has no streamable HTTP", removed: "-"}
	dir, err := m.install(ctx, l.pkgs...)
	if err != nil {
		return r
	}
	r.version = l.pkgs[0][strings.LastIndex(l.pkgs[0], "@")+1:]
	script := filepath.Join(dir, "library.mjs")
	if err := os.WriteFile(script, []byte(libraryScript), 0o644); err != nil {
		r.local = failed("not tried", err)
		return r
	}
	try := func(args ...string) string {
		at, err := m.newPlace()
		if err != nil {
			return failed("not tried", err)
		}
		defer at.close()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		news := "-"
		if args == nil {
			url, err := at.serve(ctx)
			if err != nil {
				return failed("not tried", err)
			}
			if l.listens {
				news = at.path("project/docs/new.md")
			}
			args = []string{"http", news, url}
		} else {
			if l.isTold {
				news = at.path("project/docs/new.md")
			}
			args = []string{"stdio", news, m.docent, "serve", "--watch", "--root", "docs"}
		}
		out, seen := at.watch(ctx, `(?s)the same text twice.*list_changed|ended well`, "", filepath.Join(m.node, "node"), append([]string{script, l.kind}, args...)...)
		if !seen {
			return failed("does not work", out)
		}
		if strings.Contains(out, "list_changed") {
			return "connects, the same text twice, list_changed arrives"
		}
		return "connects, the same text twice"
	}
	r.local = try("stdio")
	if l.http {
		r.remote = try()
	}
	return r
}
