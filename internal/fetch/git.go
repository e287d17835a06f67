package fetch

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// How a local repository is read.
//
// By git itself, from its objects: no checkout, no index. A repository's own
// configuration is not trusted, as it may come with the folder, and git runs
// commands that it names. "git archive" would run its filters; what is used here
// (rev-parse, ls-tree, cat-file --batch) runs none. What remains is a partial
// clone, which would fetch what is missing by whatever command its remote names:
// that is turned off three times over, for old versions of git too. Hooks, pagers
// and file monitors are off; variables that lead git elsewhere, and the token,
// are not passed on.
//
// The user's own git configuration holds, and with it git's refusal to read the
// repositories of other users.
var gitArgs = []string{
	"--no-pager", "--no-replace-objects", "--no-optional-locks", "--literal-pathspecs",
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.allow=never",
	"-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.commitGraph=false",
	"-c", "log.showSignature=false", "-c", "core.quotePath=false",
}

func gitEnv(token string) []string {
	var env []string
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "GITHUB_TOKEN=") || strings.HasPrefix(v, "GH_TOKEN=") ||
			token != "" && strings.Contains(v, token) {
			continue
		}
		env = append(env, v)
	}
	return append(env, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
}

func (f *fetcher) git(s Source) error {
	g := repo{f.ctx, s.URL, gitEnv(f.client.token)}
	rev := s.Rev
	if rev == "" {
		rev = "HEAD"
	}
	if err := checkRev(rev); err != nil {
		return err
	}
	commit, err := g.line("rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err != nil {
		return g.explain(rev, err)
	}
	if !commitForm.MatchString(commit) {
		return fmt.Errorf("git knows no commit %q", rev)
	}
	f.report.Commit = commit
	sub := s.Sub
	if sub == "" {
		// A folder in a repository stands for itself, not for all of it.
		prefix, err := g.line("rev-parse", "--show-prefix")
		if err != nil {
			return err
		}
		sub = strings.TrimSuffix(prefix, "/")
	}
	f.report.Source.Sub = sub
	if f.before.Commit == commit && f.before.Sub == sub {
		f.report.Unchanged = true
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	return f.readTree(g, commit, sub)
}

// A repo is a local repository and how to ask it.
type repo struct {
	ctx context.Context
	dir string
	env []string
}

func (g repo) command(args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.CommandContext(g.ctx, "git", append(append([]string{}, gitArgs...), args...)...)
	cmd.Dir, cmd.Env = g.dir, g.env
	cmd.WaitDelay = 5 * time.Second // for whoever else may hold its output open
	var stderr bytes.Buffer
	cmd.Stderr = &limited{&stderr, 4 << 10}
	return cmd, &stderr
}

// line runs git and returns the one line it prints.
func (g repo) line(args ...string) (string, error) {
	cmd, stderr := g.command(args...)
	var out bytes.Buffer
	cmd.Stdout = &limited{&out, 64 << 10}
	if err := cmd.Run(); err != nil {
		return "", gitError(err, stderr)
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// explain says why a revision could not be found.
func (g repo) explain(rev string, err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git is not installed: it is needed to read a repository at a revision")
	}
	if _, top := g.line("rev-parse", "--git-dir"); top != nil {
		return top
	}
	return fmt.Errorf("the repository has no branch, tag or commit %q", rev)
}

// gitError gives the first line git wrote as the reason.
func gitError(err error, stderr *bytes.Buffer) error {
	if errors.Is(err, exec.ErrNotFound) {
		return err
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

// blob is one file of a tree.
type blob struct {
	hash, target string
	lent         bool
}

// readTree takes in the wanted files of a commit.
func (f *fetcher) readTree(g repo, commit, sub string) error {
	blobs, err := f.listTree(g, commit, subTree(sub, false))
	if err != nil || len(blobs) == 0 {
		return err
	}
	cmd, stderr := g.command("cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		w := bufio.NewWriter(in)
		for _, b := range blobs {
			_, _ = w.WriteString(b.hash + "\n")
		}
		_ = w.Flush()
		_ = in.Close()
	}()
	err = f.readBlobs(bufio.NewReaderSize(out, 64<<10), blobs)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return err
	}
	if err := cmd.Wait(); err != nil {
		return gitError(err, stderr)
	}
	return nil
}

// listTree lists the files of a commit that are wanted.
func (f *fetcher) listTree(g repo, commit string, to pick) ([]blob, error) {
	cmd, stderr := g.command("ls-tree", "-r", "-z", "--full-tree", commit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	blobs, err := f.wantedBlobs(bufio.NewReaderSize(out, 64<<10), to)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, err
	}
	if err := cmd.Wait(); err != nil {
		return nil, gitError(err, stderr)
	}
	return blobs, nil
}

// wantedBlobs reads lines "100644 blob <hash>\t<path>", each ended by NUL.
func (f *fetcher) wantedBlobs(r *bufio.Reader, to pick) ([]blob, error) {
	var blobs []blob
	for {
		line, err := r.ReadSlice(0)
		if err == io.EOF && len(line) == 0 {
			return blobs, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the list of files: %w", err)
		}
		head, raw, _ := strings.Cut(strings.TrimSuffix(string(line), "\x00"), "\t")
		fields := strings.Fields(head)
		if len(fields) != 3 {
			return nil, fmt.Errorf("the list of files has %q", head)
		}
		name, err := f.sink.entry(raw)
		if err != nil {
			return nil, err
		}
		target, lent := to(name)
		if target == "" || !wanted(target) {
			continue
		}
		switch {
		case fields[0] == "120000":
			f.sink.skip(target, "a symbolic link")
		case fields[1] != "blob" || !commitForm.MatchString(fields[2]):
		case len(blobs) >= f.opt.limits.files:
			return nil, &EntryError{raw, fmt.Errorf("one of more than %d files", f.opt.limits.files)}
		default:
			blobs = append(blobs, blob{fields[2], target, lent})
		}
	}
}

// readBlobs reads "<hash> blob <size>\n<bytes>\n" for each.
func (f *fetcher) readBlobs(r *bufio.Reader, blobs []blob) error {
	for _, b := range blobs {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return &EntryError{b.target, fmt.Errorf("git gave no content: %w", err)}
		}
		fields := strings.Fields(string(line))
		if len(fields) != 3 || fields[0] != b.hash || fields[1] != "blob" {
			return &EntryError{b.target, errors.New("missing in the repository")}
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || size < 0 {
			return &EntryError{b.target, errors.New("git gave no size")}
		}
		body := io.LimitReader(r, size)
		if err := f.sink.put(b.target, b.lent, size, body); err != nil {
			return err
		}
		f.report.Bytes += size
		if _, err := io.Copy(io.Discard, body); err != nil {
			return &EntryError{b.target, err}
		}
		if _, err := r.Discard(1); err != nil {
			return &EntryError{b.target, errors.New("git broke off")}
		}
	}
	return nil
}
