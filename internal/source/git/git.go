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
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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

// Under is the top of the work tree that a folder is in, and the folder's path in it, with
// forward slashes: "." for the top itself. top is "" where there is none. It looks for
// .git, a folder or a file, so that git need not be installed.
func Under(dir string) (top, under string) {
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			under, err := filepath.Rel(top, dir)
			if err != nil {
				return "", ""
			}
			return top, filepath.ToSlash(under)
		}
		if filepath.Dir(top) == top {
			return "", ""
		}
	}
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

// An Entry is a file of a commit.
type Entry struct {
	Path string // from the top of the repository
	ID   string // hash of its content
	Link bool   // a symbolic link
}

// Tree calls fn with every file of a commit, but for submodules.
func (r *Repo) Tree(commit string, fn func(Entry) error) error {
	if !hashForm().MatchString(commit) {
		return fmt.Errorf("%.100q is not the hash of a commit", commit)
	}
	cmd, stderr := r.command("ls-tree", "-r", "-z", "--full-tree", commit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return failure(err, stderr)
	}
	return finish(cmd, stderr, entries(bufio.NewReaderSize(out, 64<<10), fn))
}

// finish waits for a command, which it kills when reading what it writes has failed.
func finish(cmd *exec.Cmd, stderr *bytes.Buffer, err error) error {
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return err
	}
	if err := cmd.Wait(); err != nil {
		return failure(err, stderr)
	}
	return nil
}

// entries reads lines "100644 blob <hash>\t<path>", each ended by NUL.
func entries(r *bufio.Reader, fn func(Entry) error) error {
	for {
		line, err := r.ReadSlice(0)
		if err == io.EOF && len(line) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the list of files: %w", err)
		}
		head, path, _ := strings.Cut(strings.TrimSuffix(string(line), "\x00"), "\t")
		fields := strings.Fields(head)
		if len(fields) != 3 {
			return fmt.Errorf("the list of files has %q", head)
		}
		if fields[1] != "blob" || !hashForm().MatchString(fields[2]) {
			continue
		}
		if err := fn(Entry{Path: path, ID: fields[2], Link: fields[0] == "120000"}); err != nil {
			return err
		}
	}
}

// Read calls fn with the size and the content of each of the files with these
// hashes, in their order. What fn leaves unread is passed over.
func (r *Repo) Read(ids []string, fn func(i int, size int64, content io.Reader) error) error {
	if len(ids) == 0 {
		return nil
	}
	cmd, stderr := r.command("cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return failure(err, stderr)
	}
	go func() {
		w := bufio.NewWriter(in)
		for _, id := range ids {
			_, _ = w.WriteString(id + "\n")
		}
		_ = w.Flush()
		_ = in.Close()
	}()
	return finish(cmd, stderr, contents(bufio.NewReaderSize(out, 64<<10), ids, fn))
}

// contents reads "<hash> blob <size>\n<bytes>\n" for each hash.
func contents(r *bufio.Reader, ids []string, fn func(int, int64, io.Reader) error) error {
	for i, id := range ids {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("git gave no content of %s: %w", id, err)
		}
		fields := strings.Fields(string(line))
		if len(fields) != 3 || fields[0] != id || fields[1] != "blob" {
			return fmt.Errorf("%s is missing in the repository", id)
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || size < 0 {
			return fmt.Errorf("git gave no size of %s", id)
		}
		body := io.LimitReader(r, size)
		if err := fn(i, size, body); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, body); err != nil {
			return err
		}
		if _, err := r.Discard(1); err != nil {
			return errors.New("git broke off")
		}
	}
	return nil
}

// ID is the hash that git gives a content, of as many hex digits as like has.
func ID(content []byte, like string) string {
	var h hash.Hash = sha1.New()
	if len(like) == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}
