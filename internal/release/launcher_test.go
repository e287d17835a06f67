package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// The program takes a second interrupt for "at once". A terminal sends Ctrl-C to the
// launcher and to the program, so the launcher passes on only what it alone was sent.
func TestLauncherInterrupts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("script(1) has other flags here")
	}
	node, script := needs.Tool(t, "node"), needs.Tool(t, "script")
	dir := t.TempDir()
	pkg := filepath.Join(dir, "node_modules", filepath.FromSlash(npmName(target{runtime.GOOS, runtime.GOARCH})))
	if err := os.MkdirAll(pkg, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "docent.js"), launcher, 0o755); err != nil {
		t.Fatal(err)
	}
	// It waits for an interrupt, gives a second one time to come, and has an exit code of its own.
	program := "#!/bin/bash\ntrap 'n=$((n+1))' INT\necho ready\nfor i in {1..300}; do\n" +
		"[ -z $n ] || break\nsleep 0.1\ndone\nsleep 0.5\necho interrupts: $n\nexit 7\n"
	if err := os.WriteFile(filepath.Join(pkg, "docent"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name      string
		command   []string
		interrupt func(p *os.Process, stdin io.Writer) error
	}{
		{
			"by a terminal",
			// Without exec a shell may stay between the two, take the interrupt itself and hide the exit code.
			[]string{script, "-qefc", "exec " + node + " docent.js", os.DevNull},
			func(_ *os.Process, stdin io.Writer) error { _, err := stdin.Write([]byte{3}); return err },
		},
		{
			"by a client",
			[]string{node, "docent.js"},
			func(p *os.Process, _ io.Writer) error { return p.Signal(os.Interrupt) },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), tt.command[0], tt.command[1:]...)
			cmd.Dir = dir
			stdin, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(out, make([]byte, len("ready"))); err != nil {
				t.Fatal(err)
			}
			if err := tt.interrupt(cmd.Process, stdin); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(out)
			_ = cmd.Wait()
			if !strings.Contains(string(rest), "interrupts: 1") || cmd.ProcessState.ExitCode() != 7 {
				t.Errorf("the program saw %q, exit code %d", rest, cmd.ProcessState.ExitCode())
			}
		})
	}
}

// The launcher tells the program that npx has fetched it for one call, and only then.
func TestLauncherTellsOfNpx(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a shell script")
	}
	node := needs.Tool(t, "node")
	for folder, want := range map[string]string{"home/.npm/_npx/0a1b": "by npx\n", "usr/lib": "by\n"} {
		dir := filepath.Join(t.TempDir(), filepath.FromSlash(folder))
		pkg := filepath.Join(dir, "node_modules", filepath.FromSlash(npmName(target{runtime.GOOS, runtime.GOARCH})))
		if err := os.MkdirAll(pkg, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "docent.js"), launcher, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(pkg, "docent"), []byte("#!/bin/sh\necho by $DOCENT_LAUNCHER\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := shell(t, dir, node, "docent.js"); got != want {
			t.Errorf("in %s: %q, want %q", folder, got, want)
		}
	}
}
