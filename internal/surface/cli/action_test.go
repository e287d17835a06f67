package cli

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/release/bundle"
)

// The action downloads the release that it was asked for, and refuses one that was changed on the way.
func TestActionInstalls(t *testing.T) {
	needs.Time(t)
	shell := needs.Tool(t, "bash")
	needs.Tool(t, "curl")
	script, err := filepath.Abs(filepath.Join("..", "..", "..", ".github", "action", "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	archive, err := bundle.TarGz([]bundle.File{{Name: "docent_9.8.7_linux_amd64/docent", Data: []byte("#!/bin/sh\n"), Exec: true}}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(archive))
	for _, tt := range []struct{ name, version, sums, latest, fails string }{
		{name: "a version", version: "v9.8.7", sums: sum},
		{name: "a branch means the newest", version: "main", sums: sum, latest: "/tag/v9.8.7"},
		{name: "a changed archive", version: "v9.8.7", sums: strings.Repeat("0", 64), fails: "it was not installed"},
		{name: "a version that is not there", version: "v1.0.0", sums: sum, fails: "docent v1.0.0 could not be downloaded"},
		{name: "no release yet", version: "main", fails: "docent has no release yet"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mux := http.NewServeMux()
			mux.HandleFunc("/download/v9.8.7/docent_9.8.7_linux_amd64.tar.gz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) })
			mux.HandleFunc("/download/v9.8.7/SHA256SUMS", func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, "%s  docent_9.8.7_linux_amd64.tar.gz\n", tt.sums)
			})
			mux.HandleFunc("/latest", func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, cmp.Or(tt.latest, "/"), http.StatusFound)
			})
			mux.HandleFunc("/{$}", func(http.ResponseWriter, *http.Request) {})
			mux.HandleFunc("/tag/", func(http.ResponseWriter, *http.Request) {})
			server := httptest.NewServer(mux)
			defer server.Close()
			runner := t.TempDir()
			cmd := exec.CommandContext(t.Context(), shell, script)
			cmd.Env = []string{
				"PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + runner, "RUNNER_OS=Linux", "RUNNER_ARCH=X64", "DOCENT_VERSION=" + tt.version,
				"DOCENT_RELEASES=" + server.URL, "GITHUB_OUTPUT=" + filepath.Join(runner, "output"), "GITHUB_PATH=" + filepath.Join(runner, "path"),
			}
			log, err := cmd.CombinedOutput()
			output, _ := os.ReadFile(filepath.Join(runner, "output"))
			program := strings.TrimPrefix(strings.TrimSpace(string(output)), "program=")
			if tt.fails != "" {
				if err == nil || !strings.Contains(string(log), tt.fails) || program != "" {
					t.Errorf("%v, program %q, want %q:\n%s", err, program, tt.fails, log)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			if info, err := os.Stat(program); err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("program %q: %v", program, err)
			}
		})
	}
}

// The GitHub action annotates files and writes a summary. What documents say in it is
// escaped: it could be a command for the runner, or markup.
func TestAction(t *testing.T) {
	needs.Time(t)
	shell := needs.Tool(t, "bash")
	needs.Tool(t, "jq")
	script, err := filepath.Abs(filepath.Join("..", "..", "..", ".github", "action", "check.sh"))
	if err != nil {
		t.Fatal(err)
	}
	bin := programFolder(t)
	for _, tt := range []struct {
		name, text           string
		file, paths          string
		log, summary, output []string
		not                  string
	}{
		{
			name: "nothing is wrong", text: "# A\n\nSee [below](#b).\n\n## B\n",
			summary: []string{"0 errors, 0 warnings", "leads somewhere"}, output: []string{"errors=0", "warnings=0"},
		},
		{
			name: "a broken link", text: "# A\n\nSee [b](b.md).\n",
			log:     []string{"::error file=docs/a.md,line=3,title=broken-link::b.md leads nowhere"},
			summary: []string{"1 errors, 0 warnings", "<code>docs/a.md:3</code>"}, output: []string{"errors=1"},
		},
		{
			name: "a file with spaces in its name", text: "# A\n\nSee [b](b.md).\n", file: "two words, größer.md",
			log:     []string{"::error file=docs/two words%2C größer.md,line=3,"},
			summary: []string{"<code>docs/two words, größer.md:3</code>"}, output: []string{"errors=2"},
		},
		{
			name: "more than a pipe and a summary hold", text: "# A\n" + strings.Repeat("\nSee [b](b.md), which is far away from here.\n", 2000),
			log:     []string{"::error file=docs/a.md,line=3,"},
			summary: []string{"2000 errors", "and 1800 more"}, output: []string{"errors=2000"},
		},
		{
			name: "paths", text: "# A\n\nSee [b](b.md).\n", paths: "other",
			summary: []string{"0 errors"}, output: []string{"errors=0"},
		},
		{
			name: "hostile names", text: "# A\n\nSee [b](y%0A%3A%3Aset-output-<script>.md).\n",
			log: []string{"::error file=docs/a.md"}, summary: []string{"&lt;script&gt;"}, output: []string{"errors=1"}, not: "<script>",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, sub := range []string{"docs", "other"} {
				if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "docs", cmp.Or(tt.file, "a.md")), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "other", "o.md"), []byte("# O\n\n[a](../docs/a.md)\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			runner := t.TempDir()
			cmd := exec.CommandContext(t.Context(), shell, script)
			cmd.Dir = dir
			cmd.Env = []string{
				"PATH=" + os.Getenv("PATH"), "HOME=" + runner, "RUNNER_TEMP=" + runner, "DOCENT=" + filepath.Join(bin, "docent"),
				"DOCENT_PATHS=" + tt.paths, "DOCENT_ONLY=broken-link", "GITHUB_OUTPUT=" + filepath.Join(runner, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(runner, "summary"),
			}
			log, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, log)
			}
			summary, _ := os.ReadFile(filepath.Join(runner, "summary"))
			output, _ := os.ReadFile(filepath.Join(runner, "output"))
			for _, part := range []struct {
				name, have string
				want       []string
			}{{"log", string(log), tt.log}, {"summary", string(summary), tt.summary}, {"output", string(output), tt.output}} {
				for _, want := range part.want {
					if !strings.Contains(part.have, want) {
						t.Errorf("%s has no %q:\n%s", part.name, want, part.have)
					}
				}
			}
			if tt.not != "" && strings.Contains(string(summary), tt.not) {
				t.Errorf("the summary has %q:\n%s", tt.not, summary)
			}
			if strings.Count(string(log), "\n::set-output") > 0 {
				t.Errorf("a document wrote a command for the runner:\n%s", log)
			}
		})
	}
}
