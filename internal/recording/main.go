// Recording runs docent on the example documents and draws the session as an SVG that
// plays by itself: docs/images/session.svg, for the README. What it shows is what the
// program printed.
//
//	go run ./internal/recording
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/internal/surface/cli"
)

// script is what is typed. Options that only keep an output short are part of it.
var script = []string{
	`docent search "how do I rotate a key" --budget 220`,
	`docent verify guide/keys.md#rotate-a-key:60-100@8ef8a9c5`,
	`docent search "how do I pay by card" -n 1`,
}

func main() {
	out := flag.String("o", "docs/images/session.svg", "file to write")
	flag.Parse()
	if err := record(*out); err != nil {
		fmt.Fprintln(os.Stderr, "recording:", err)
		os.Exit(1)
	}
}

func record(file string) error {
	scenes, err := play("examples/harbour", script)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(draw(scenes)), 0o644)
}

// A scene is a command and what it printed.
type scene struct {
	command string
	lines   []string
}

// play runs the commands over the documents, with a cache of its own.
func play(documents string, commands []string) ([]scene, error) {
	cache, err := os.MkdirTemp("", "docent-recording")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cache)
	if err := os.Setenv("XDG_CACHE_HOME", cache); err != nil {
		return nil, err
	}
	root, err := filepath.Abs(documents)
	if err != nil {
		return nil, err
	}
	var out []scene
	for _, line := range commands {
		printed, faults := &strings.Builder{}, &strings.Builder{}
		args := append(words(strings.TrimPrefix(line, "docent ")), "--root", root)
		if code := cli.Main(args, strings.NewReader(""), printed, faults); code > 1 {
			return nil, fmt.Errorf("%s: exit code %d: %s", line, code, faults)
		}
		out = append(out, scene{line, strings.Split(strings.TrimRight(printed.String(), "\n"), "\n")})
	}
	return out, nil
}

// words cuts a command line at spaces; what is in double quotes is one word.
func words(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
