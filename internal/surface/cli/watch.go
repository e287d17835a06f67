package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/spf13/cobra"
)

// newWatch returns "docent watch".
func newWatch(c *console) *cobra.Command {
	var root string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "refresh the index whenever files change",
		Long: `Refresh the index whenever files change, until interrupted. Each refresh prints a line:
how many files changed, and how long it took.

Queries refresh the index by themselves; this does it before they run. If the system
cannot report changes, on network file systems and when its watches have run out, files
are compared every two seconds or more.`,
		Example: "  docent watch\n  docent watch --root docs",
		Args:    noArgs,
	}
	f := flagsOf(cmd)
	f.StringVar(&root, "root", "", "folder to watch (default: that of the nearest .docent.json, else this one)")
	f.BoolVar(&asJSON, "json", false, "one JSON document per line")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx, stop := context.WithCancelCause(cmd.Context())
		defer stop(nil)
		first := true
		line := c.jsonl()
		err := refresh.Watch(ctx, root, refresh.WatchOptions{Note: c.noteText}, func() {
			r, err := reindex(ctx, c, root, false)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				c.complain(err) // the next change may fix it
				return
			case !first && r.Refreshed == 0 && !r.Full:
				return
			case asJSON:
				err = line(r)
			default:
				_, err = fmt.Fprintln(c.out, r.Text())
			}
			if first = false; r.Full {
				debug.FreeOSMemory() // that the build needed and watching does not
			}
			if err := cmp.Or(err, c.out.Flush()); err != nil {
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
