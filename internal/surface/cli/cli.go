// Package cli is docent's command line: flags in, text or JSON out, exit code
// 0 when something was found, 1 when nothing was, 2 when something failed.
// Answers go to standard output, everything else to standard error.
package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/docent-md/docent"
)

// The exit codes are those of grep.
const (
	exitOK      = 0
	exitNothing = 1
	exitFailed  = 2
)

// Main runs one command line and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// With the signal ignored, a closed pipe is an error of Write, which ends the
	// program quietly: "docent ... | head" is a success.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal cancels the context. The second ends what ignores that, such as
	// a read from the terminal.
	context.AfterFunc(ctx, stop)

	c := newConsole(stdin, stdout, stderr)
	return c.finish(cmp.Or(run(ctx, c, args), c.out.Flush()))
}

func run(ctx context.Context, c *console, args []string) error {
	root, err := newRoot(c, args)
	if err != nil {
		return err
	}
	root.SetArgs(joinEmbed(args))
	return root.ExecuteContext(ctx)
}

// finish prints an error, if any, and returns the exit code.
func (c *console) finish(err error) int {
	switch {
	case err == nil, errors.Is(err, errStdoutClosed):
		return exitOK
	case errors.Is(err, errNothing):
		return exitNothing
	case errors.Is(err, docent.ErrNoValue):
		c.complain(err)
		return exitNothing
	case errors.Is(err, errSaid):
	case errors.Is(err, context.Canceled):
		c.note("interrupted")
	default:
		c.complain(err)
	}
	return exitFailed
}
