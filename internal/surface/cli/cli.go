// Package cli is docent's command line: flags in, text or JSON out, exit code
// 0 when something was found, 1 when nothing was, 2 when something failed.
// Answers go to standard output, everything else to standard error.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/docent-md/docent"
)

// The exit codes, as grep has them.
const (
	exitOK      = 0
	exitNothing = 1
	exitFailed  = 2
)

// errNothing ends a command that worked and found nothing. The command has
// already said so in its own words.
var errNothing = errors.New("nothing found")

// errSaid ends a command that failed and has said so.
var errSaid = errors.New("failed")

// A hintError carries the second line of a message: what to do next.
type hintError struct {
	err  error
	hint string
}

func (e *hintError) Error() string { return e.err.Error() }
func (e *hintError) Unwrap() error { return e.err }

// withHint adds the way out to an error.
func withHint(err error, format string, args ...any) error {
	return &hintError{err, fmt.Sprintf(format, args...)}
}

// Main runs one command line and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// With the signal ignored a closed pipe is an error of Write, which ends
	// the program quietly: "docent ... | head" is a success.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Whatever does not listen to the first signal, such as a read from the
	// terminal, is ended by the second.
	context.AfterFunc(ctx, stop)

	c := newConsole(stdin, stdout, stderr)
	err := run(ctx, c, args)
	if flushErr := c.out.Flush(); err == nil {
		err = flushErr
	}
	return c.finish(err)
}

func run(ctx context.Context, c *console, args []string) error {
	root, err := newRoot(c, args)
	if err != nil {
		return err
	}
	root.SetArgs(joinEmbed(args))
	return root.ExecuteContext(ctx)
}

// finish says what went wrong, if anything, and chooses the exit code.
func (c *console) finish(err error) int {
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.Is(err, errSaid):
	case errors.Is(err, context.Canceled):
		c.note("interrupted")
	default:
		c.complain(err)
	}
	return exitFailed
}

// message is what an error says. The library's own begin with its name, wherever in
// the text they stand; here every line does.
func message(err error) string {
	text := strings.TrimPrefix(err.Error(), "docent: ")
	return strings.ReplaceAll(text, ": docent: ", ": ")
}

// complain says what went wrong and what to do next.
func (c *console) complain(err error) {
	c.note("%s", message(err))
	var h *hintError
	if errors.As(err, &h) {
		c.note("%s", h.hint)
	}
	var missing *docent.NotFoundError
	switch {
	case !errors.As(err, &missing):
	case len(missing.Nearest) > 0:
		c.note("did you mean %s?", clean(strings.Join(missing.Nearest, ", ")))
	case errors.Is(err, docent.ErrNoSection):
		file, _, _ := strings.Cut(missing.Name, "#")
		file, _, _ = strings.Cut(file, "::")
		c.note("\"docent toc %s\" lists what the file holds", clean(file))
	case errors.Is(err, docent.ErrNotFound):
		c.note("\"docent ls\" lists the documents")
	}
}
