package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/docent-md/docent"
	"github.com/spf13/cobra"
)

// newWatch makes "docent watch".
func newWatch(c *console) *cobra.Command {
	var root string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "keep the index up to date while files change",
		Long: `Keep the index up to date while files change, until interrupted. A line is printed for
each change that settled: how many files were taken in, and how long it took.

Asking commands bring the index up to date by themselves; this has it done before they
ask. Where the system cannot tell of changes, on network file systems and where its
watches have run out, files are looked at every two seconds or more.`,
		Example: "  docent watch\n  docent watch --root docs",
		Args:    noArgs,
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&root, "root", "", "folder to watch (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(&asJSON, "json", false, "a JSON document a line")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, stop := context.WithCancelCause(cmd.Context())
		defer stop(nil)
		first := true
		line := c.jsonl()
		note := func(s string) { c.note("%s", s) }
		err := docent.Watch(ctx, root, docent.WatchOptions{Note: note}, func() {
			r, err := c.reindex(ctx, root, false)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				c.complain(err) // the next change may mend it
				return
			case !first && r.Refreshed == 0 && !r.Full:
				return
			case asJSON:
				err = line(r)
			default:
				_, err = fmt.Fprintln(c.out, r.Text())
			}
			if first = false; r.Full {
				debug.FreeOSMemory() // which making an index took, and watching does not need
			}
			if flushErr := c.out.Flush(); err == nil {
				err = flushErr
			}
			if err != nil {
				stop(err)
			}
		})
		if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
			err = cause
		}
		return err
	}
	return cmd
}
