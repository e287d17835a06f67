package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/needs"
	"github.com/spf13/cobra"
)

// Documents show commands in fenced blocks, and all of them are tried here. A block "sh" is a
// script, "console" has commands after "$ " and what they print. Each runs in a copy of a
// project, by itself; for "sh needs=fields" it has a document with front matter. A block
// "sh needs=network" cannot run everywhere: its commands and flags must exist.

// needed are the reasons for which a block is not run.
var needed = []string{"network", "server", "cluster", "key", "checkout", "docker", "training"}

// documents returns the documents of this project: not those that it is tried on, and not the pages of commands, whose
// examples have a test of their own, nor the list of changes.
func documents(t *testing.T) []string {
	t.Helper()
	root := os.DirFS(filepath.Join("..", "..", ".."))
	var out []string
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base[0] == '.' || slices.Contains([]string{"testdata", "node_modules", "dist", "harbour", "commands"}, base)):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".md" && name != "CHANGELOG.md":
			out = append(out, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 40 || !slices.Contains(out, "README.md") || !slices.Contains(out, "docs/guide.md") {
		t.Errorf("documents are %q", out)
	}
	return out
}

// A fenced block of a document.
type fenced struct {
	file  string
	line  int
	kind  string
	needs string
	text  string
}

func TestDocumentedCommands(t *testing.T) {
	needs.Time(t)
	shell := needs.Tool(t, "bash")
	needs.Tool(t, "git")
	root := filepath.Join("..", "..", "..")
	bin := programFolder(t)
	project := newDocumentedProject(t, filepath.Join(root, "examples", "harbour"))
	ran := 0
	for _, file := range documents(t) {
		raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range fencedBlocks(file, string(raw)) {
			name := fmt.Sprintf("%s line %d", b.file, b.line)
			switch {
			case b.kind == "sh" && (b.needs == "" || b.needs == "fields"):
				t.Run(name, func(t *testing.T) {
					in := project
					if b.needs == "fields" {
						in = withFields(t, project)
					}
					if out := runScript(t, shell, bin, in, b.text); strings.Contains(out, "weak match:") {
						t.Errorf("a question that these documents do not answer is no example:\n%s\n%s", b.text, out)
					}
				})
			case b.kind == "sh":
				if !slices.Contains(needed, b.needs) {
					t.Errorf("%s: needs=%s is none of %v", name, b.needs, needed)
				}
				knownCommands(t, name, b.text)
			case b.kind == "console":
				t.Run(name, func(t *testing.T) { runSession(t, shell, bin, project, b.text) })
			default:
				continue
			}
			ran++
		}
	}
	if ran < 15 {
		t.Errorf("only %d blocks", ran)
	}
}

// fencedBlocks returns the fenced blocks of a document, also those in lists.
func fencedBlocks(file, text string) []fenced {
	var out []fenced
	var open *fenced
	n := 0
	for line := range strings.Lines(text) {
		n++
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			kind, needs, _ := strings.Cut(info, " needs=")
			open = &fenced{file: file, line: n, kind: kind, needs: needs}
		case fence:
			out, open = append(out, *open), nil
		case open != nil:
			open.text += line
		}
	}
	return out
}

// newDocumentedProject makes a git repository with the documents in docs, a tag v1.2, and
// a section that was added since.
func newDocumentedProject(t *testing.T, documents string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "docs"), os.DirFS(documents)); err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-qm", "first")
	git("tag", "v1.2")
	faq := filepath.Join(dir, "docs", "faq.md")
	raw, err := os.ReadFile(faq)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(faq, append(raw, "\n## Is there a mascot?\n\nA heron.\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	git("commit", "-qam", "second")
	return dir
}

// withFields returns a copy of a project with one document more, which says things of itself.
func withFields(t *testing.T, project string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("---\nstatus: %%s\ndate: %s\ntags: [security]\n---\n\n# Rotate keys %%s\n\nTODO: rotate the keys.\n", time.Now().Format(time.DateOnly))
	for _, status := range []string{"draft", "final"} {
		if err := os.WriteFile(filepath.Join(dir, "docs", status+".md"), fmt.Appendf(nil, text, status, status), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func runScript(t *testing.T, shell, bin, project, script string) string {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "project")
	if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	return runIn(t, shell, bin, home, dir, script)
}

func runIn(t *testing.T, shell, bin, home, dir, script string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, ".cache"),
		"NO_COLOR=1", "GORACE=" + os.Getenv("GORACE"),
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// runSession runs the commands of a session one after another. The lines below a command
// are in its output in this order; "..." stands for any.
func runSession(t *testing.T, shell, bin, project, session string) {
	t.Helper()
	home := t.TempDir()
	dir := filepath.Join(home, "project")
	if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	left, command := "", ""
	for line := range strings.Lines(session) {
		line = strings.TrimRight(line, "\n")
		if next, ok := strings.CutPrefix(line, "$ "); ok {
			command, left = next, runIn(t, shell, bin, home, dir, next)
			continue
		}
		if strings.TrimSpace(line) == "" || line == "..." {
			continue
		}
		_, after, found := strings.Cut(left, strings.TrimSuffix(line, " ..."))
		if !found {
			t.Errorf("%s\nprints no %q in what is left:\n%s", command, line, left)
			return
		}
		left = after
	}
}

// knownCommands checks that the commands of a script exist, and have these flags.
func knownCommands(t *testing.T, name, script string) {
	t.Helper()
	calls := regexp.MustCompile(`(?:^|[|&;(] *|npx (?:-y )?|go run \./cmd/)docent(?:-md)? +([^|&;#)\n]*)`)
	for line := range strings.Lines(script) {
		for _, m := range calls.FindAllStringSubmatch(strings.TrimSpace(line), -1) {
			words := shellWords(m[1])
			root := wholeRoot(newConsole(strings.NewReader(""), io.Discard, io.Discard))
			cmd, rest, err := root.Find(words)
			if err != nil || cmd == root {
				t.Errorf("%s: %s: no such command (%v)", name, strings.TrimSpace(line), err)
				continue
			}
			if err := parseFlags(cmd, rest); err != nil {
				t.Errorf("%s: %s: %v", name, strings.TrimSpace(line), err)
			}
		}
	}
}

func parseFlags(cmd *cobra.Command, args []string) error {
	cmd.InitDefaultHelpFlag()
	return cmd.ParseFlags(args)
}

// shellWords cuts a simple command line into words, quotes removed.
func shellWords(line string) []string {
	var out []string
	for _, w := range regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1) {
		out = append(out, strings.Trim(w, `'"`))
	}
	return out
}

// A page must not lose its commands to another kind of block.
func TestCommandsOfPagesAreFenced(t *testing.T) {
	indented := regexp.MustCompile(`^ {4,}(\$ )?([A-Z_]+=\S+ )*(docent|make|npx|npm|go|git|gh|docker|bash|cd|curl) `)
	for _, file := range documents(t) {
		raw, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		n, inside := 0, false
		for line := range strings.Lines(string(raw)) {
			n++
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				inside = !inside
			}
			if !inside && indented.MatchString(line) {
				t.Errorf("%s:%d: an indented command is not tried: use a fenced block sh or console", file, n)
			}
		}
		for _, b := range fencedBlocks(file, string(raw)) {
			if b.kind == "text" && file == "ARCHITECTURE.md" {
				knownCommands(t, file, b.text) // the path of a question through the packages
				continue
			}
			if b.kind != "sh" && b.kind != "console" && regexp.MustCompile(`(?m)^docent `).MatchString(b.text) {
				t.Errorf("%s:%d: a command in a block %q is not tried", file, b.line, b.kind)
			}
		}
	}
}

// Commands in the middle of a sentence exist too, with their flags, and so do targets of make.
func TestCommandsInSentences(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	rules, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	// Names of file formats, and a command that there is none of on purpose.
	others := regexp.MustCompile(`^(words|reranker|delta|folders|approval) 1|^self-update$|^\.\.\.|^-`)
	span := regexp.MustCompile("`(docent|npx -y docent-md|npx docent-md|make) ([^`]+)`")
	seen := 0
	for _, file := range documents(t) {
		if file == "docs/specifications.md" {
			continue // TestSpecifications runs it
		}
		raw, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range span.FindAllStringSubmatch(string(raw), -1) {
			seen++
			target, _, _ := strings.Cut(m[2], " ")
			switch {
			case m[1] == "make":
				if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`).Match(rules) {
					t.Errorf("%s: make has no %s", file, target)
				}
			case !others.MatchString(m[2]):
				line := "docent " + strings.ReplaceAll(m[2], "\n", " ")
				if i := strings.LastIndexByte(line, ' '); strings.HasPrefix(line[i:], " --") {
					line += "=1" // a flag is named without a value, which all kinds of flags can read
				}
				knownCommands(t, file, line)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d", seen)
	}
}

// Numbers in the README are those of the files it names: a measurement that is repeated
// moves both.
func TestMeasuredNumbers(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	raw, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(raw), "\n## Measured\n")
	table, _, _ = strings.Cut(table, "\n## ")
	bold, link := regexp.MustCompile(`\*\*([^*]+)\*\*`), regexp.MustCompile(`\]\(([^)]+)\)`)
	numbers := 0
	for line := range strings.Lines(table) {
		cells := tableCells(line)
		if len(cells) != 3 || !strings.Contains(cells[1], "**") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(link.FindStringSubmatch(cells[2])[1])))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range bold.FindAllStringSubmatch(cells[1], -1) {
			if numbers++; !strings.Contains(string(source), m[1]) {
				t.Errorf("%s: %s is not in %s", cells[0], m[1], cells[2])
			}
		}
	}
	if numbers < 6 {
		t.Errorf("only %d numbers", numbers)
	}
}
