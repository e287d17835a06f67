package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// errEnough ends a log of which no more is needed.
var errEnough = errors.New("enough")

// Log calls fn with every file that a commit changed, newest commits first, and when it
// was committed. Paths are relative to the repository's folder as it was opened. Files
// limits it to some; none means all in the folder. A time limits it to commits since then;
// the zero time means all. It ends when fn returns false.
func (r *Repo) Log(files []string, since time.Time, fn func(path string, when time.Time) bool) error {
	args := []string{
		"log", "--format=%x01%ct", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative",
	}
	if !since.IsZero() {
		args = append(args, "--since="+since.UTC().Format(time.RFC3339))
	}
	args = append(args, "HEAD", "--")
	if len(files) == 0 {
		files = []string{"."}
	}
	cmd, stderr := r.command(append(args, files...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return failure(err, stderr)
	}
	err = finish(cmd, stderr, logEntries(bufio.NewReaderSize(out, 64<<10), fn))
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// logEntries reads "\x01<seconds>" for each commit and then its paths, all ended by NUL.
func logEntries(r *bufio.Reader, fn func(path string, when time.Time) bool) error {
	var when time.Time
	for {
		raw, err := r.ReadBytes(0)
		if err == io.EOF && len(raw) == 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the log: %w", err)
		}
		item := string(bytes.TrimPrefix(raw[:len(raw)-1], []byte("\n")))
		if text, ok := strings.CutPrefix(item, "\x01"); ok {
			seconds, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("the log has a time %q", text)
			}
			when = time.Unix(seconds, 0)
			continue
		}
		if item != "" && !fn(item, when) {
			return errEnough
		}
	}
}
