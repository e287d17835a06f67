package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/model/llm/llmtest"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// --summaries, --ignore, --windows, --global and --description had no effect with a
// database or a named index, and nothing said so. This walks every flag of every command
// over every kind of store: with the flag something else must happen than without, or the
// flag is refused in a line that names it. Commands and flags are those of the program,
// so that a new one without a trial fails here; the trials are in flagtrials_test.go.
func TestNoFlagIsIgnored(t *testing.T) {
	var w *flagWalk
	if !testing.Short() { // which checks that every flag has a trial, without some thousand runs
		w = newFlagWalk(t)
	}
	c := newConsole(strings.NewReader(""), io.Discard, io.Discard)
	root := bareRoot(c)
	addAll(c, root)
	tried := map[string]bool{}
	for _, cmd := range leaves(root) {
		name := strings.TrimPrefix(cmd.CommandPath(), "docent ")
		runs, ok := flagRuns[name]
		if !ok {
			t.Errorf("%s: no run in flagRuns", name)
			continue
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			trial, key := trialOf(name, f.Name)
			tried[key] = true
			if trial == nil {
				t.Errorf("%s --%s: no trial in flagTrials", name, f.Name)
				return
			}
			if trial.elsewhere == "" && w != nil {
				for kind, base := range runs {
					if trial.nothing[kind] != "" {
						continue
					}
					t.Run(fmt.Sprintf("%s --%s, %s", name, f.Name, kind), func(t *testing.T) { w.try(t, f.Name, kind, base, trial) })
				}
			}
		})
	}
	for key := range flagTrials {
		if !tried[key] {
			t.Errorf("%s: a trial of no flag", key)
		}
	}
}

// leaves are the commands that do something, and whose flags are ours.
func leaves(cmd *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, sub := range cmd.Commands() {
		if sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		if sub.Runnable() {
			out = append(out, sub)
		}
		out = append(out, leaves(sub)...)
	}
	return out
}

// trialOf returns the trial of a flag of a command: its own, or that of all commands with
// such a flag.
func trialOf(command, flag string) (*flagTrial, string) {
	for _, key := range []string{command + " --" + flag, "--" + flag} {
		if t, ok := flagTrials[key]; ok {
			return &t, key
		}
	}
	return nil, ""
}

// A flagWalk has a project with a store of every kind.
type flagWalk struct {
	dir  string
	seen map[string]outcome // of runs without the flag
}

// An outcome is what a run did: what it printed, and the files it left.
type outcome struct {
	code        int
	out, errors string
	files       string
}

// try runs a command without and with a flag.
func (w *flagWalk) try(t *testing.T, flag, kind, base string, trial *flagTrial) {
	line, stdin := strings.TrimSpace(base+" "+trial.with), trial.stdin
	if kind != "stdin" && !strings.HasPrefix(base, "serve") {
		stdin = ""
	}
	without, ok := w.seen[line+stdin]
	if !ok {
		without = w.run(t, line, stdin)
		w.seen[line+stdin] = without
	}
	if strings.Contains(without.errors, needsFolder) {
		return // the command says where it works, whatever its flags
	}
	with := w.run(t, line+" "+trial.flag, stdin)
	switch {
	case with == without:
		t.Errorf("docent %s %s: ignored silently\n%s%s", line, trial.flag, with.out, with.errors)
	case with.code == exitFailed && without.code != exitFailed && !trial.fails && !strings.Contains(with.errors, "--"+flag) && !strings.Contains(with.errors, needsFolder):
		t.Errorf("docent %s %s: fails without naming the flag\n%s", line, trial.flag, with.errors)
	}
}

// needsFolder is how a command refuses a database or a cluster.
const needsFolder = "cannot be done with a database or a cluster: ask the folder it was made from"

// What differs from run to run.
var volatile = regexp.MustCompile(`\d+(\.\d+)? ?(ms|s|kB|MB|B)\b|"(seconds|took|size|bytes|index_size)": ?[\d.]+|\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-][\d:]+)?|\d+ (seconds?|minutes?) ago|just now`)

// run runs a command in a copy of the project.
func (w *flagWalk) run(t *testing.T, line, stdin string) outcome {
	t.Helper()
	dir, err := os.MkdirTemp("", "docent-flags-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	copyProject(t, w.dir, dir)
	t.Chdir(dir)
	var out, errors strings.Builder
	code := Main(strings.Fields(line), strings.NewReader(stdin), &out, &errors)
	clean := func(s string) string {
		lines := strings.SplitAfter(volatile.ReplaceAllString(strings.ReplaceAll(s, dir, "PROJECT"), "N"), "\n")
		if strings.HasPrefix(line, "serve") { // it answers in any order
			slices.Sort(lines)
		}
		return strings.Join(lines, "")
	}
	return outcome{code, clean(out.String()), clean(errors.String()), filesOf(t, dir)}
}

// copyProject copies files with their times, which an index goes by.
func copyProject(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, strings.TrimPrefix(path, from)), info.ModTime(), info.ModTime())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// filesOf lists the files of a project: with their content where that is text, without
// the names of segments, which are drawn by lot.
func filesOf(t *testing.T, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel := strings.TrimPrefix(path, dir)
		switch filepath.Ext(path) {
		case ".seg":
			rel = filepath.Dir(rel) + "/*.seg"
		case ".md", ".txt", ".html":
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel += fmt.Sprintf(" %x", sha256.Sum256(volatile.ReplaceAll(raw, nil)))
		}
		lines = append(lines, rel)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// newFlagWalk makes the project.
func newFlagWalk(t *testing.T) *flagWalk {
	t.Helper()
	models := llmtest.New(t)
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CACHE_HOME": filepath.Join(home, "cache"), "XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_DATA_HOME": filepath.Join(home, "data"),
		"DOCENT_CLAUDE_URL": models.URL, "ANTHROPIC_API_KEY": llmtest.Key,
		"DOCENT_EMBED_URL": "", "DOCENT_EMBED_KEY": "", "OPENAI_API_KEY": "", "DOCENT_CLUSTER": "", "DOCENT_TOKEN": "", "NO_COLOR": "1",
	} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	for name, text := range flagProject {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for _, line := range []string{
		"index", "index --name own .", "index --name ops docs/guide", "index . --db docs.db", "index docs/guide --db other.db", "pack . -o docs.docent --vectors",
	} {
		var said strings.Builder
		if code := Main(strings.Fields(line), strings.NewReader(""), &said, &said); code != exitOK {
			t.Fatalf("docent %s: exit code %d: %s", line, code, &said)
		}
	}
	// A document that is not indexed yet, so that refreshing shows.
	if err := os.WriteFile(filepath.Join(dir, "docs", "late.md"), []byte("# Late\n\nKeys that came late.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// A server may go on reading its folder, ".", when its run is over: not in the project.
	t.Chdir(t.TempDir())
	return &flagWalk{dir: dir, seen: map[string]outcome{}}
}
