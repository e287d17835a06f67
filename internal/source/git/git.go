// Package git reads local repositories by asking git itself, from their objects:
// no checkout, no index, nothing written.
//
// A repository's own configuration is not trusted, as it may come with the
// folder, and git runs commands that it names. What is used here (rev-parse,
// rev-list, ls-tree, cat-file --batch) runs none. What remains is a partial
// clone, which would fetch what is missing by whatever command its remote names:
// that is turned off three times over, for old versions of git too. Hooks, pagers
// and file monitors are off; variables that lead git elsewhere, and tokens, are
// not passed on.
//
// The user's own configuration holds, and with it git's refusal to read the
// repositories of other users.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

var always = []string{
	"--no-pager", "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs",
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.commitGraph=false",
	"-c", "log.showSignature=false", "-c", "core.quotePath=false",
}

// The errors of a repository, for errors.Is.
var (
	ErrNone  = errors.New("not in a git repository")
	ErrNoGit = errors.New("git is not installed")
)

// A Repo is a local repository and how to ask it.
type Repo struct {
	ctx context.Context
	dir string
	env []string
}

// Open returns the repository that a folder is in. Variables whose values
// contain one of the secrets are kept from git.
func Open(ctx context.Context, dir string, secrets ...string) (*Repo, error) {
	r := &Repo{ctx: ctx, dir: dir, env: environment(secrets)}
	if _, err := r.Line("rev-parse", "--git-dir"); err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			return nil, ErrNone
		}
		return nil, err
	}
	return r, nil
}

func environment(secrets []string) []string {
	var env []string
	for _, v := range os.Environ() {
		hide := strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GITHUB_TOKEN=") || strings.HasPrefix(v, "GH_TOKEN=")
		for _, s := range secrets {
			hide = hide || s != "" && strings.Contains(v, s)
		}
		if !hide {
			env = append(env, v)
		}
	}
	return append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
}

// Prefix is the path of the folder in its repository, "" for its top.
func (r *Repo) Prefix() (string, error) {
	p, err := r.Line("rev-parse", "--show-prefix")
	return strings.TrimSuffix(p, "/"), err
}

var hashForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`) })

// Commit returns the hash of the commit that a branch, tag, hash or the like
// names.
func (r *Repo) Commit(rev string) (string, error) {
	if err := CheckRev(rev); err != nil {
		return "", err
	}
	commit, err := r.Line("rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil || !hashForm().MatchString(commit) {
		if errors.Is(err, ErrNoGit) {
			return "", err
		}
		return "", fmt.Errorf("the repository has no branch, tag or commit %q", rev)
	}
	return commit, nil
}

// Before returns the last commit of a branch made before a time, "" when there is
// none.
func (r *Repo) Before(when time.Time, branch string) (string, error) {
	return r.Line("rev-list", "-1", "--before="+when.UTC().Format(time.RFC3339), "--end-of-options", branch)
}

// CheckRev refuses what can be no name of a revision, by the rules of git
// check-ref-format, with "~" and "^" allowed: HEAD~3 is a revision too.
func CheckRev(rev string) error {
	bad := rev == "" || len(rev) > 250 || !printable(rev) || strings.ContainsAny(rev, ` :?*[\`) ||
		strings.Contains(rev, "..") || strings.Contains(rev, "//") || strings.Contains(rev, "@{") ||
		strings.HasPrefix(rev, "-") || strings.HasPrefix(rev, "/") || strings.HasSuffix(rev, "/") ||
		strings.HasSuffix(rev, ".lock") || strings.HasSuffix(rev, ".")
	if bad {
		return fmt.Errorf("%.100q cannot be a branch, tag or commit", rev)
	}
	return nil
}

// printable reports whether s can be shown on a line.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

func (r *Repo) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(r.ctx, "git", append(append([]string{}, always...), args...)...)
	cmd.Dir, cmd.Env = r.dir, r.env
	cmd.WaitDelay = 5 * time.Second // for whoever else may hold its output open
	var stderr bytes.Buffer
	cmd.Stderr = &limited{&stderr, 4 << 10}
	return cmd, &stderr
}

// Line runs git and returns the one line it prints.
func (r *Repo) Line(args ...string) (string, error) {
	cmd, stderr := r.command(args...)
	var out bytes.Buffer
	cmd.Stdout = &limited{&out, 64 << 10}
	if err := cmd.Run(); err != nil {
		return "", failure(err, stderr)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// failure gives the first line git wrote as the reason.
func failure(err error, stderr *bytes.Buffer) error {
	if errors.Is(err, exec.ErrNotFound) {
		return ErrNoGit
	}
	line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	line = strings.TrimPrefix(line, "fatal: ")
	if line == "" || !printable(line) {
		return fmt.Errorf("git: %w", err)
	}
	return fmt.Errorf("git: %s", line)
}

// limited takes what fits and drops the rest.
type limited struct {
	w    *bytes.Buffer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.w.Write(b[:n])
	l.left -= n
	return len(b), nil
}
