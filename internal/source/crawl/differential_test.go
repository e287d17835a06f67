package crawl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/docent-md/docent/internal/needs"
)

// The matcher is held against git itself: the same rules, the same files, and
// every decision must agree, down to the file and line of the deciding rule.

// fixture is the tree that the rules are tried on. Folders end in "/".
var fixture = []string{
	"a.md", "b.md", "c.txt", "README", "foo", "foo.md", "foobar.md", ".hidden.md", "UPPER.MD",
	"#hash.md", "!bang.md", "-dash.md", "star*.md", "what?.md", "a]b.md", "a[b.md", "a^b.md", `back\slash.md`,
	"in space.md", "trail ", "trail", "caf\u00e9.md", "\u65e5.md", "x.md.bak", "tab\t.md", "cr\r", "~tilde.md", "a.b.c.md", "aXb.md", "a1b.md", "a-b.md",
	"dir/", "dir/a.md", "dir/foo", "dir/sub/", "dir/sub/a.md", "dir/sub/foo/", "dir/sub/foo/b.md", "dir/sub/deep/x/y/a.md",
	"foo2/", "foo2/foo/", "foo2/foo/a.md", "docs/", "docs/a.md", "docs/index.md", "docs/foo.md/", "docs/foo.md/a.md", "docs/build/", "docs/build/out.md",
	"build/", "build/out.md", "build/keep/", "build/keep/a.md", "x/", "x/dir/", "x/dir/a.md", "x/y/", "x/y/dir/a.md", "x/y/z/w/a.md", "xa/b/y", "xy",
	"abcabcabd.md", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac.md", "doc/ab/c.md", "doc/abc", "doc/a/b.md",
}

// A ruleSet is the text of ignore files by path.
type ruleSet map[string]string

const top = ".gitignore"

// tricky are rule sets for one corner each. Most are a single file at the top.
var tricky = []ruleSet{
	// Names, places, folders.
	{top: "a.md"},
	{top: "/a.md"},
	{top: "dir/a.md"},
	{top: "/dir/a.md"},
	{top: "dir"},
	{top: "dir/"},
	{top: "/dir/"},
	{top: "foo/"},
	{top: "foo"},
	{top: "sub/a.md"},
	{top: "dir//a.md"},
	{top: "dir//"},
	{top: "/"},
	{top: "//"},
	{top: "//dir"},
	{top: "./a.md"},
	{top: "dir/../a.md"},
	{top: "dir/."},
	{top: "a.md/"},
	{top: "foo.md/\n!docs/"},
	// Taking back.
	{top: "*.md\n!a.md"},
	{top: "!a.md\n*.md"},
	{top: "*\n!*/\n!*.md"},
	{top: "*\n!a.md"},
	{top: "dir/\n!dir/a.md"},
	{top: "dir/*\n!dir/a.md"},
	{top: "dir/**\n!dir/**/\n!dir/**/a.md"},
	{top: "/*\n!/docs\n/docs/*\n!/docs/index.md"},
	{top: "!"},
	{top: "*.md\n!"},
	{top: "*.md\n!!a.md"},
	{top: `\!bang.md`},
	{top: "*.md\n!\\!bang.md"},
	{top: "foo*\n!foo/"},
	{top: "dir/\n!dir/"},
	{top: "!dir/\ndir"},
	// One star, one byte.
	{top: "*"},
	{top: "*.md"},
	{top: "foo*"},
	{top: "*oo*"},
	{top: "/*.md"},
	{top: "dir/*"},
	{top: "dir/*.md"},
	{top: "*/a.md"},
	{top: "*/*/a.md"},
	{top: "/*/foo"},
	{top: "d*r/s?b/a.md"},
	{top: "?.md"},
	{top: "caf?.md"},
	{top: "caf??.md"},
	{top: "???.md"},
	{top: "dir?a.md"},
	{top: "dir*a.md"},
	{top: "*a*b*c*d*.md"},
	{top: strings.Repeat("*a", 3) + "b.md"},
	{top: strings.Repeat("a*", 3) + "c.md"},
	// Two stars.
	{top: "**"},
	{top: "**/"},
	{top: "**/a.md"},
	{top: "**/foo/a.md"},
	{top: "dir/**"},
	{top: "dir/**/a.md"},
	{top: "dir/**/**/a.md"},
	{top: "/**/a.md"},
	{top: "/**"},
	{top: "**/**"},
	{top: "x/**/dir/a.md"},
	{top: "x/**/"},
	{top: "**/dir/**"},
	{top: "**/dir/**/a.md"},
	{top: "dir/**a.md"},
	{top: "dir**/a.md"},
	{top: "x**/y"},
	{top: "doc/a**\n!doc/ab"},
	{top: "*\n!*/\n!doc/a**"},
	{top: "***/a.md"},
	{top: "dir/***/a.md"},
	{top: "dir/***"},
	{top: `**\/a.md`},
	{top: `dir/**\/a.md`},
	{top: "**.md"},
	{top: "a**b.md"},
	{top: "?**/a.md"},
	{top: "x/?**/a.md"},
	{top: "**/*/*/a.md"},
	{top: "**/y/**/w/**"},
	// Sets.
	{top: "[ab].md"},
	{top: "[!a].md"},
	{top: "[^a].md"},
	{top: "a[]]b.md"},
	{top: "a[!]]b.md"},
	{top: "a[[]b.md"},
	{top: "a[]-]b.md\na[a-]b.md"},
	{top: "a[-1]b.md"},
	{top: "a[0-9A-Z]b.md"},
	{top: "a[z-a]b.md"},
	{top: "a[0-5-9]b.md"},
	{top: "a[\\]]b.md\na[\\^]b.md"},
	{top: `a[\0-\9]b.md`},
	{top: "a[[:digit:]]b.md"},
	{top: "a[[:upper:][:digit:]]b.md"},
	{top: "a[^[:alnum:]]b.md"},
	{top: "a[[:punct:]]b.md"},
	{top: "a[[:nope:]]b.md\n*[[:nope:]]*"},
	{top: "a[[:digit:]-Z]b.md"},
	{top: "a[[:digit]b.md"},
	{top: "a[[:]b.md"},
	{top: "a[[:]]b.md\na[[::]]b.md"},
	{top: "[[:lower:]]*\n![[:xdigit:]]*"},
	{top: "*[[:space:]]*\n[[:blank:]]\n*[[:cntrl:]]*"},
	{top: "[[:graph:]]\n[[:print:]][[:print:]]\n[[:alpha:]]\\[*"},
	{top: "[a"},
	{top: "a[b.md"},
	{top: "[]\n[!]\n[^]"},
	{top: "dir[/]a.md"},
	{top: "dir[!x]a.md"},
	{top: "[\\\n[a-\\\n[a\\"},
	{top: "caf[\u00e9].md\n[\u65e5].md"},
	{top: "caf[!a][!a].md"},
	// Backslashes, comments, spaces, line ends, encodings.
	{top: "#hash.md"},
	{top: `\#hash.md`},
	{top: " #hash.md"},
	{top: `star\*.md`},
	{top: `what\?.md`},
	{top: `\a.md`},
	{top: `back\\slash.md`},
	{top: `back\slash.md`},
	{top: `a.md\`},
	{top: `dir\/a.md`},
	{top: "trail"},
	{top: "trail   "},
	{top: `trail\ `},
	{top: `trail\   `},
	{top: `trail\\ `},
	{top: "in space.md"},
	{top: " a.md\na.md "},
	{top: "a.md\t"},
	{top: "tab\t.md"},
	{top: "  \n\n   \n"},
	{top: "a.md\r\nb.md\r\n"},
	{top: "a.md  \r\ndir/\r\n"},
	{top: "a.md\r"},
	{top: "cr\r\r\n"},
	{top: "\r\n\r"},
	{top: "\ufeffa.md\nb.md"},
	{top: "\ufeff#a.md\n\ufeffb.md"},
	{top: "\ufeff\ufeffa.md"},
	{top: "a.md\x00b\nb.md"},
	{top: "\x00a.md\nb.md"},
	{top: "a.md\n\nb.md\n#c\n!b.md"},
	{top: "upper.md\nUPPER.*"},
	// Several files.
	{top: "*.md", "dir/.gitignore": "!a.md"},
	{top: "!a.md", "dir/.gitignore": "*.md"},
	{top: "dir/", "dir/.gitignore": "!*"},
	{"dir/.gitignore": "/sub"},
	{"dir/.gitignore": "sub/a.md"},
	{"dir/.gitignore": "dir/a.md\n/a.md"},
	{"dir/.gitignore": "*", "dir/sub/.gitignore": "!*"},
	{"dir/.gitignore": "*\n!*/", "dir/sub/.gitignore": "!*\nfoo"},
	{"dir/sub/.gitignore": "**/a.md"},
	{top: "dir/**", "dir/sub/.gitignore": "!a.md"},
	{"x/.gitignore": "dir/", "x/y/.gitignore": "!dir/"},
	{".git/info/exclude": "*.md"},
	{".git/info/exclude": "*.md", top: "!a.md"},
	{".git/info/exclude": "!*.md", top: "a.md", "dir/.gitignore": "!a.md"},
	{".git/info/exclude": "/dir/sub", "dir/.gitignore": "!sub"},
	{top: "build/\n!docs/build/", "docs/.gitignore": "!build"},
}

// randomRules makes a rule set out of the pieces that rules are made of.
func randomRules(r *rand.Rand) ruleSet {
	pieces := strings.Fields(`a b c foo bar dir sub docs build x y .md .md md a.md * * * ? ** **/ /** /**/ / / / ! # \ [ab] [!a] [a-z] [^x-z] [[:alpha:]] [[:digit:]] [] [ ] - . *.md \* é index keep out`)
	pieces = append(pieces, " ", "\t", "\r", "a", "/")
	inSet := strings.Fields(`! ^ ] [ - - \ / a b x z 0 9 . [: :] [:alpha:] [:digit:] [:x:] [a-z] a-y é`)
	line := func() string {
		var b strings.Builder
		if r.IntN(4) == 0 {
			b.WriteByte('!')
		}
		if r.IntN(6) == 0 {
			b.WriteByte('/')
		}
		if r.IntN(3) == 0 { // part of a real path, so that rules often match
			p := fixture[r.IntN(len(fixture))]
			from := r.IntN(len(p))
			b.WriteString(p[from : from+r.IntN(len(p)-from+1)])
		}
		for range r.IntN(5) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if r.IntN(5) == 0 { // what is and is not a set
			b.WriteByte('[')
			for range r.IntN(6) {
				b.WriteString(inSet[r.IntN(len(inSet))])
			}
			b.WriteString("]*")
		}
		if r.IntN(6) == 0 {
			b.WriteByte('/')
		}
		return b.String()
	}
	file := func() string {
		var b strings.Builder
		for range 1 + r.IntN(5) {
			b.WriteString(line())
			b.WriteString([]string{"\n", "\n", "\n", "\r\n"}[r.IntN(4)])
		}
		return b.String()
	}
	set := ruleSet{top: file()}
	for _, name := range []string{"dir/.gitignore", "dir/sub/.gitignore", "x/.gitignore", "docs/.gitignore", exclude} {
		if r.IntN(3) == 0 {
			set[name] = file()
		}
	}
	return set
}

// A verdict is the deciding rule about a path: "file:line", or "" for none.
type verdict struct {
	ignored bool
	rule    string
}

func TestIgnoreAgreesWithGit(t *testing.T) {
	git := needs.Tool(t, "git")
	if runtime.GOOS == "windows" {
		t.Skip("the names of the fixture do not exist on Windows")
	}
	sets := tricky
	n := 700
	if testing.Short() {
		n = 100
	}
	for i := range n {
		sets = append(sets, randomRules(rand.New(rand.NewPCG(1, uint64(i)))))
	}
	var (
		group            sync.WaitGroup
		mu               sync.Mutex
		ignored, decided int
	)
	todo := make(chan ruleSet)
	for range runtime.GOMAXPROCS(0) {
		dir := newFixture(t, git)
		group.Go(func() {
			for set := range todo {
				want, err := askGit(git, dir, set)
				if err != nil {
					t.Error(err)
					continue
				}
				got := askRules(set)
				mu.Lock()
				for path, w := range want {
					decided++
					if w.ignored {
						ignored++
					}
					if got[path] != w {
						t.Errorf("rules %q\n%q: got %+v, git says %+v", set, path, got[path], w)
					}
				}
				mu.Unlock()
			}
		})
	}
	for _, set := range sets {
		todo <- set
	}
	close(todo)
	group.Wait()
	t.Logf("%d rule sets, %d decisions, %d of them to ignore", len(sets), decided, ignored)
	if ignored < decided/10 || ignored > decided*9/10 {
		t.Error("the decisions are too one-sided to prove much")
	}
}

func newFixture(t *testing.T, git string) string {
	dir := t.TempDir()
	if out, err := gitCommand(git, dir, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	for _, p := range fixture {
		full := filepath.Join(dir, p)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		var err error
		if strings.HasSuffix(p, "/") {
			err = os.MkdirAll(full, 0o777)
		} else {
			err = os.WriteFile(full, nil, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// gitCommand runs git with none of the user's or system's settings.
func gitCommand(git, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(git, append([]string{"-c", "core.ignorecase=false", "-c", "core.precomposeunicode=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "HOME=" + dir, "LC_ALL=C"}
	return cmd
}

func askGit(git, dir string, set ruleSet) (map[string]verdict, error) {
	os.Remove(filepath.Join(dir, exclude))
	for name, text := range set {
		full := filepath.Join(dir, name)
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			return nil, err
		}
		defer os.Remove(full)
	}
	cmd := gitCommand(git, dir, "check-ignore", "--no-index", "-z", "--stdin", "-v", "-n")
	var in, out, msg bytes.Buffer
	for _, p := range fixture {
		in.WriteString(strings.TrimSuffix(p, "/") + "\x00")
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &msg
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() > 1) {
		return nil, fmt.Errorf("git check-ignore: %w: %s", err, msg.Bytes())
	}
	fields := strings.Split(strings.TrimSuffix(out.String(), "\x00"), "\x00")
	if len(fields) != 4*len(fixture) {
		return nil, fmt.Errorf("git check-ignore: %d fields for %d paths", len(fields), len(fixture))
	}
	verdicts := make(map[string]verdict)
	for ; len(fields) > 0; fields = fields[4:] {
		v := verdict{}
		if fields[2] != "" {
			v = verdict{fields[2][0] != '!', fields[0] + ":" + fields[1]}
		}
		verdicts[fields[3]] = v
	}
	return verdicts, nil
}

// askRules decides about the fixture as the lister would, going down from the
// top and not into ignored folders.
func askRules(set ruleSet) map[string]verdict {
	verdicts := make(map[string]verdict)
	for _, p := range fixture {
		p, isDir := strings.CutSuffix(p, "/")
		var (
			r *rules
			v verdict
		)
		add := func(name, base string) {
			if text, ok := set[base+name]; ok {
				r = &rules{Ignore: ParseIgnore([]byte(text)), above: r, file: base + name, base: len(base)}
			}
		}
		add(exclude, "")
		add(top, "")
		for i := range len(p) + 1 {
			if i < len(p) && p[i] != '/' {
				continue
			}
			rule, in := r.match(p[:i], isDir || i < len(p))
			v = verdict{}
			if rule != nil {
				v = verdict{!rule.Negated, in.file + ":" + strconv.Itoa(rule.Line)}
			}
			if v.ignored {
				break
			}
			if i < len(p) {
				add(top, p[:i+1])
			}
		}
		verdicts[p] = v
	}
	return verdicts
}
