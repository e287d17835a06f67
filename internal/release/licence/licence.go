// Package licence collects the licences of the modules that a program is linked from, and of the work of others in the
// files that it embeds: beside such a file lies NAME.LICENSE, whose first line is a package and its version.
package licence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Module is one that is linked into the program, or a package of npm that is embedded in it, with the texts of its
// licence.
type Module struct {
	Path    string // github.com/spf13/cobra; of npm @mermaid-js/tiny
	Version string
	SPDX    string // MIT, Apache-2.0 ...; several with " AND "
	Texts   []string
}

// Modules returns the modules that pkg is linked from on any of the systems (linux/amd64
// ...), but for its own, and Go's standard library as the first of them.
func Modules(ctx context.Context, dir, pkg string, systems []string) ([]Module, error) {
	found := map[string]Module{}
	for _, system := range systems {
		if err := list(ctx, dir, pkg, system, found); err != nil {
			return nil, err
		}
	}
	root, err := goOutput(ctx, dir, nil, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	where, version, _ := strings.Cut(strings.TrimSpace(root), "\n")
	std, err := read(Module{Path: "std", Version: version}, where)
	if err != nil {
		return nil, err
	}
	out := []Module{std}
	for _, m := range found {
		out = append(out, m)
	}
	slices.SortFunc(out[1:], func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// list adds the modules of one system to found.
func list(ctx context.Context, dir, pkg, system string, found map[string]Module) error {
	goos, arch, _ := strings.Cut(system, "/")
	text, err := goOutput(ctx, dir, []string{"GOOS=" + goos, "GOARCH=" + arch, "CGO_ENABLED=0"},
		"list", "-deps", "-json=Module,Dir,EmbedFiles", pkg)
	if err != nil {
		return err
	}
	in := json.NewDecoder(strings.NewReader(text))
	for {
		var p struct {
			Dir        string
			EmbedFiles []string
			Module     *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		err := in.Decode(&p)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if p.Module != nil && p.Module.Main && len(p.EmbedFiles) > 0 {
			if err := embedded(p.Dir, found); err != nil {
				return err
			}
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		if _, ok := found[p.Module.Path]; ok {
			continue
		}
		m, err := read(Module{Path: p.Module.Path, Version: p.Module.Version}, p.Module.Dir)
		if err != nil {
			return err
		}
		found[m.Path] = m
	}
}

// embedded adds what the files NAME.LICENSE of a folder are about to found.
func embedded(dir string, found map[string]Module) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.LICENSE"))
	if err != nil {
		return err
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		head, text, _ := strings.Cut(string(raw), "\n")
		name, version, ok := strings.Cut(head, " ")
		if !ok || !strings.HasPrefix(name, "@") {
			return fmt.Errorf("licence %s: its first line is %q, not a package of npm and its version", file, head)
		}
		text = strings.TrimSpace(text)
		found[name] = Module{Path: name, Version: version, SPDX: strings.Join(Identify(text), " AND "), Texts: []string{text}}
	}
	return nil
}

// read adds the texts of the files LICENSE, COPYING, NOTICE and the like of a folder.
func read(m Module, dir string) (Module, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("licence of %s: its source is not here: run go mod download", m.Path)
	}
	if err != nil {
		return m, fmt.Errorf("licence of %s: %w", m.Path, err)
	}
	var ids []string
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		named := slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE"}, func(s string) bool { return strings.HasPrefix(name, s) })
		if !named || e.IsDir() || strings.HasSuffix(name, ".GO") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return m, fmt.Errorf("licence of %s: %w", m.Path, err)
		}
		text := strings.TrimSpace(string(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))))
		m.Texts = append(m.Texts, text)
		for _, id := range Identify(text) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	m.SPDX = strings.Join(ids, " AND ")
	return m, nil
}

func goOutput(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	faults := &strings.Builder{}
	cmd.Stderr = faults
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, faults)
	}
	return string(out), nil
}
