//go:build unix

package main

import (
	"context"
	"os/exec"
	"runtime/debug"
	"strings"
)

// versions names the peers with their versions: programs by what they say, modules by what
// is linked in.
func (b *bench) versions(ctx context.Context) string {
	var out []string
	for _, program := range []string{b.rg, b.sqlite} {
		if program == "" {
			continue
		}
		said, err := exec.CommandContext(ctx, program, "--version").Output()
		if words := strings.Fields(string(said)); err == nil && len(words) > 1 {
			version := words[0]
			if program == b.rg { // which begins with its name
				version = words[1]
			}
			out = append(out, program[strings.LastIndexByte(program, '/')+1:]+" "+version)
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/blevesearch/bleve/v2" || m.Path == "modernc.org/sqlite" {
				out = append(out, m.Path+" "+m.Version)
			}
		}
	}
	return strings.Join(out, ", ")
}
