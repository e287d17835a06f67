package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/syserr"
	"github.com/docent-md/docent/tool"
	"golang.org/x/term"
)

// A console has the standard streams of a command.
type console struct {
	in       io.Reader
	out      *bufio.Writer // answers
	err      io.Writer     // everything else
	outIsTTY bool
	errIsTTY bool
	colour   bool // of out
	width    int  // of out in characters; 0 if it is no terminal
}

func newConsole(in io.Reader, out, err io.Writer) *console {
	c := &console{in: in, out: bufio.NewWriterSize(stdoutWriter{out}, 64<<10), err: err}
	c.outIsTTY, c.errIsTTY = isTerminal(out), isTerminal(err)
	c.colour = wantColour(c.outIsTTY, os.Getenv)
	if c.outIsTTY {
		c.width, _, _ = term.GetSize(int(out.(*os.File).Fd()))
	}
	return c
}

// errStdoutClosed is returned by writes to the console's output after its reader
// has closed the pipe.
var errStdoutClosed = errors.New("standard output is closed")

// A stdoutWriter marks the error of a pipe without a reader, so that it is not
// confused with that of a connection to some server.
type stdoutWriter struct{ w io.Writer }

func (o stdoutWriter) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if syserr.ReaderGone(err) {
		err = fmt.Errorf("%w: %w", errStdoutClosed, err)
	}
	return n, err
}

func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// wantColour follows https://no-color.org and CLICOLOR_FORCE; a dumb terminal
// and a pipe get plain text.
func wantColour(tty bool, getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" {
		return false
	}
	if f := getenv("CLICOLOR_FORCE"); f != "" && f != "0" {
		return true
	}
	return tty && getenv("TERM") != "dumb"
}

// note writes one line to standard error.
func (c *console) note(format string, args ...any) {
	fmt.Fprintf(c.err, "docent: "+format+"\n", args...)
}

// noteText writes a line that may contain anything to standard error.
func (c *console) noteText(s string) { c.note("%s", s) }

// meter shows progress on a terminal, replacing what it showed before. A line that is
// wider than the terminal is cut: the rest of a wrapped line would stay.
func (c *console) meter(format string, args ...any) {
	if c.errIsTTY && os.Getenv("TERM") != "dumb" {
		fmt.Fprintf(c.err, "\r\x1b[K\x1b[?7l"+format+"\x1b[?7h", args...)
	}
}

// clearBar removes what meter shows.
func (c *console) clearBar() {
	if c.errIsTTY && os.Getenv("TERM") != "dumb" {
		fmt.Fprint(c.err, "\r\x1b[K")
	}
}

// bold and dim style text on a terminal, and return it unchanged elsewhere.
func (c *console) bold(s string) string { return c.sgr("1", s) }
func (c *console) dim(s string) string  { return c.sgr("2", s) }

func (c *console) sgr(code, s string) string {
	if !c.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// highlight runs write, and on a terminal styles the headers of results.
func (c *console) highlight(write func(io.Writer) error) error {
	if !c.colour {
		return write(c.out)
	}
	b := &strings.Builder{}
	if err := write(b); err != nil {
		return err
	}
	header := false
	for line := range strings.Lines(b.String()) {
		text, end := strings.CutSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "# ["):
			text, header = c.bold(text), true
		case header && strings.HasPrefix(text, "# "):
			text = c.dim(text)
		default:
			header = false
		}
		if end {
			text += "\n"
		}
		if _, err := c.out.WriteString(text); err != nil {
			return err
		}
	}
	return nil
}

// json writes v as one indented document.
func (c *console) json(v any) error {
	enc := json.NewEncoder(visible{c.out})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// jsonl returns a function that writes one value per line.
func (c *console) jsonl() func(v any) error {
	enc := json.NewEncoder(visible{c.out})
	enc.SetEscapeHTML(false)
	return enc.Encode
}

// visible writes JSON with invisible and reordering characters as escapes: a program
// reads the same values, and nothing is hidden from a person. Each Write must be a
// whole value, as those of an encoder are.
type visible struct{ out *bufio.Writer }

func (v visible) Write(p []byte) (int, error) {
	last := 0
	for i, r := range string(p) {
		if r < 0x7f || r == utf8.RuneError || !unicode.Is(unicode.C, r) {
			continue
		}
		_, _ = v.out.Write(p[last:i])
		for _, u := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(v.out, "\\u%04x", u)
		}
		last = i + utf8.RuneLen(r)
	}
	_, err := v.out.Write(p[last:]) // a bufio.Writer's errors stay
	return len(p), err
}

// skipped prints on standard error how many files were skipped and why.
func (c *console) skipped(r answer.Report, verbose bool) {
	if len(r.Skipped) == 0 {
		return
	}
	if verbose {
		listSkipped(c, r.Skipped)
		return
	}
	c.note("%s skipped: %s (--verbose lists them)", count(len(r.Skipped), "file"), r.Reasons())
}

// listSkipped prints on standard error which files were skipped and why.
func listSkipped(c *console, skipped []answer.Skip) {
	for _, s := range skipped {
		c.note("skipped %s: %s", clean(s.Path), s.Reason)
	}
}

// clean makes a name from disk safe to print: it is quoted if it has control
// characters.
func clean(s string) string {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// inRange returns an error for a flag's value outside [lo, hi].
func inRange(flag string, n, lo, hi int) error {
	if n < lo || n > hi {
		return fmt.Errorf("--%s is %d: must be between %d and %d", flag, n, lo, hi)
	}
	return nil
}

// print writes an answer as text or JSON.
func (c *console) print(a tool.Answer, asJSON bool) error {
	if asJSON {
		return c.json(a)
	}
	return a.WriteText(c.out)
}

// printf writes a line of an answer.
func (c *console) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(c.out, format, args...)
	return err
}

// report writes v as JSON, or a text about it.
func (c *console) report(asJSON bool, v any, format string, args ...any) error {
	if asJSON {
		return c.json(v)
	}
	return c.printf(format, args...)
}

// count formats "1 file", "2 files".
func count(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
