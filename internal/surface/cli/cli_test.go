package cli

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"github.com/docent-md/docent/internal/model/llm/llmtest"
	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what the scripts' commands print into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"docent": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// Each script in testdata/script reads like a session at the prompt.
func TestScripts(t *testing.T) {
	models := llmtest.New(t)
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"hexfile": hexFile,
			"github":  gitHub,
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				// On Windows files that may not be read are not made by chmod either.
				return os.Getuid() == 0 || runtime.GOOS == "windows", nil
			}
			if cond == "links" { // "symlink" believes what a system says of itself
				return needs.LinksIn(t.TempDir()) == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(e *testscript.Env) error {
			// Indexes of folders without a config go to the cache.
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("HOME", e.WorkDir)
			// Windows has these instead. Without them there is no cache, and every command says so.
			e.Setenv("USERPROFILE", e.WorkDir)
			e.Setenv("LocalAppData", filepath.Join(e.WorkDir, ".cache"))
			e.Setenv("AppData", filepath.Join(e.WorkDir, ".config"))
			if runtime.GOOS == "windows" {
				e.Setenv("XDG_DATA_HOME", filepath.Join(e.WorkDir, ".local", "share"))
			}
			e.Setenv("GORACE", os.Getenv("GORACE")) // else each command waits a second at its end
			// A language model to ask, for scripts that set ANTHROPIC_API_KEY.
			e.Setenv("DOCENT_CLAUDE_URL", models.URL)
			e.Setenv("KEY", llmtest.Key)
			// And GitHub, as DOCENT_GITHUB_URL; plain files are at $FILES.
			server := fetchtest.New()
			e.Defer(server.Close)
			e.Values[gitHubKey{}] = server
			e.Setenv("DOCENT_GITHUB_URL", server.URL)
			e.Setenv("FILES", server.Files)
			examples, err := filepath.Abs(filepath.Join("..", "..", "..", "examples", "harbour"))
			e.Setenv("EXAMPLES", examples)
			return err
		},
	})
}

// hexFile writes bytes that a script cannot hold: hexfile name 23206361660a.
func hexFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hexfile name hex")
	}
	data, err := hex.DecodeString(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}

func TestWantColour(t *testing.T) {
	for _, tt := range []struct {
		name string
		tty  bool
		env  map[string]string
		want bool
	}{
		{"a terminal has colour", true, nil, true},
		{"a pipe has none", false, nil, false},
		{"NO_COLOR wins on a terminal", true, map[string]string{"NO_COLOR": "1"}, false},
		{"NO_COLOR wins over force", true, map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, false},
		{"a pipe can be forced", false, map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{"force of 0 is no force", false, map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{"a dumb terminal has none", true, map[string]string{"TERM": "dumb"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := wantColour(tt.tty, func(k string) string { return tt.env[k] }); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// What shows progress takes one line of any terminal, and none of a dumb one or a
// pipe.
func TestMeter(t *testing.T) {
	for _, c := range []struct {
		name, term string
		tty        bool
		want       string
	}{
		{"a terminal", "xterm", true, "\r\x1b[K\x1b[?7lindexing: 3 files\x1b[?7h\r\x1b[K"},
		{"a dumb terminal", "dumb", true, ""},
		{"a pipe", "xterm", false, ""},
	} {
		t.Setenv("TERM", c.term)
		var b strings.Builder
		con := newConsole(nil, io.Discard, &b)
		con.errIsTTY = c.tty
		con.meter("indexing: %d files", 3)
		con.clearBar()
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", c.name, b.String(), c.want)
		}
	}
}

// A reader that has enough is a success. A connection that breaks is not, although
// the system gives both the same name.
func TestClosedPipe(t *testing.T) {
	r, w := io.Pipe()
	_ = r.Close()
	var said strings.Builder
	c := newConsole(nil, w, &said)
	fmt.Fprintln(c.out, "an answer")
	if code := c.finish(c.out.Flush()); code != exitOK || said.Len() > 0 {
		t.Errorf("closed output: exit code %d, says %q", code, &said)
	}
	if code := c.finish(&net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}); code != exitFailed || !strings.Contains(said.String(), "broken pipe") {
		t.Errorf("closed connection: exit code %d, says %q", code, &said)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"search", "chunks", "toc", "index", "init"}
	for in, want := range map[string]string{
		"serch": "search", "saerch": "search", "chunk": "chunks", "tco": "toc", "foo": "", "inedx": "index", "frobnicate": "", "x": "",
	} {
		if got := nearest(in, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPrice(t *testing.T) {
	for _, tt := range []struct {
		usd    float64
		priced bool
		want   string
	}{
		{0.0004, true, "less than 0.01 USD"},
		{0.01, true, "about 0.01 USD"},
		{12.3456, true, "about 12.35 USD"},
		{0, false, "an unknown price"},
	} {
		if got := price(tt.usd, tt.priced); got != tt.want {
			t.Errorf("price(%v, %v) = %q, want %q", tt.usd, tt.priced, got, tt.want)
		}
	}
}

// What help says of each command can be read on a terminal.
func TestHelpIsText(t *testing.T) {
	help := func(args ...string) string {
		var out bytes.Buffer
		if code := Main(args, strings.NewReader(""), &out, &out); code != exitOK {
			t.Fatalf("%q: exit code %d", args, code)
		}
		return out.String()
	}
	commands, names := false, 0
	for line := range strings.Lines(help("help", "all")) {
		commands = commands && !strings.HasPrefix(line, "Flags:") || line == groups[0].title+"\n"
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !commands || !strings.HasPrefix(line, "  ") || name == "help" {
			continue
		}
		names++
		for line := range strings.Lines(help(name, "--help")) {
			if strings.ContainsFunc(strings.TrimSuffix(line, "\n"), unicode.IsControl) {
				t.Errorf("%s: %q", name, line)
			}
		}
	}
	if names < 20 {
		t.Errorf("%d commands are listed", names)
	}
}
