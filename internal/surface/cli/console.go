package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
	"golang.org/x/term"
)

// A console is where a command reads and writes.
type console struct {
	in       io.Reader
	out      *bufio.Writer // answers
	err      io.Writer     // everything else
	outIsTTY bool
	errIsTTY bool
	colour   bool // of out
}

func newConsole(in io.Reader, out, err io.Writer) *console {
	c := &console{in: in, out: bufio.NewWriterSize(out, 64<<10), err: err}
	c.outIsTTY, c.errIsTTY = isTerminal(out), isTerminal(err)
	c.colour = wantColour(c.outIsTTY, os.Getenv)
	return c
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

// meter shows on a terminal how far something is, in place of what it showed before.
// The line is cut where it is wider than the terminal: wrapped, the rest of it would
// stay.
func (c *console) meter(format string, args ...any) {
	if c.errIsTTY && os.Getenv("TERM") != "dumb" {
		fmt.Fprintf(c.err, "\r\x1b[K\x1b[?7l"+format+"\x1b[?7h", args...)
	}
}

// clearBar takes away what meter shows.
func (c *console) clearBar() {
	if c.errIsTTY && os.Getenv("TERM") != "dumb" {
		fmt.Fprint(c.err, "\r\x1b[K")
	}
}

// bold and dim mark up text for a terminal, and leave it alone elsewhere.
func (c *console) bold(s string) string { return c.sgr("1", s) }
func (c *console) dim(s string) string  { return c.sgr("2", s) }

func (c *console) sgr(code, s string) string {
	if !c.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// highlight lets write write, and on a terminal makes the headers of results
// stand out.
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

// jsonl returns a function that writes one value a line.
func (c *console) jsonl() func(v any) error {
	enc := json.NewEncoder(visible{c.out})
	enc.SetEscapeHTML(false)
	return enc.Encode
}

// visible writes JSON with the characters that are not seen, or move others
// about, as escapes: the same values to a program, and nothing hidden from the
// person who looks at them. An encoder hands over whole values.
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

// version is the module's version where the build recorded one.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// skipped says on standard error how many files were left out and why.
func (c *console) skipped(r docent.Report, verbose bool) {
	if len(r.Skipped) == 0 {
		return
	}
	if verbose {
		for _, s := range r.Skipped {
			c.note("skipped %s: %s", clean(s.Path), s.Reason)
		}
		return
	}
	files := "files"
	if len(r.Skipped) == 1 {
		files = "file"
	}
	c.note("%d %s skipped: %s (--verbose lists them)", len(r.Skipped), files, r.Reasons())
}

// clean makes a name from disk safe to print: what could steer a terminal is
// quoted.
func clean(s string) string {
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// inRange complains of a flag's value outside [lo, hi].
func inRange(flag string, n, lo, hi int) error {
	if n < lo || n > hi {
		return fmt.Errorf("--%s is %d: must lie between %d and %d", flag, n, lo, hi)
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
