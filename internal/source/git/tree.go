package git

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

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
