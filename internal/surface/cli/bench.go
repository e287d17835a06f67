package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/spf13/cobra"
)

const benchHelp = `Compare docent with the tools people use on the same folder: grep -rn and ripgrep (if
it is installed) for lines, plain file reads for reading. Every figure is the median
of many runs, with the middle half of them as spread.

docent is measured twice: in process, as a program or server uses it, and as a
command, including its start, like the others.`

// A benchRow is one measurement.
type benchRow struct {
	What   string  `json:"what"`
	Tool   string  `json:"tool"`
	Median float64 `json:"median_ms"`
	Low    float64 `json:"low_ms"`
	High   float64 `json:"high_ms"`
	Ratio  float64 `json:"times_faster,omitempty"` // than the first row with the same What
}

func newBench(c *console) *cobra.Command {
	var asJSON bool
	var pattern string
	var runs int
	cmd := &cobra.Command{
		Use:     "bench [folder]",
		Short:   "compare grep, read and search with grep -rn, ripgrep and plain reads",
		Long:    benchHelp,
		Example: "  docent bench docs\n  docent bench docs --pattern 'password reset'",
		Args:    atMostOne,
	}
	f := flagsOf(cmd)
	f.StringVar(&pattern, "pattern", "", "text to search for (default: words of the first heading)")
	f.IntVar(&runs, "runs", 25, "number of runs of each measurement")
	f.BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := inRange("runs", runs, 3, 10_000); err != nil {
			return err
		}
		dir := append(args, ".")[0]
		lib := libraryFlags{root: dir}
		k, err := lib.open(cmd.Context(), c)
		if err != nil {
			return err
		}
		defer k.Close()
		b := &benchmark{ctx: cmd.Context(), dir: dir, lib: k, runs: runs}
		if err := b.run(pattern); err != nil {
			return err
		}
		if asJSON {
			return c.json(b.rows)
		}
		return b.write(c.out)
	}
	return cmd
}

type benchmark struct {
	ctx  context.Context
	dir  string
	lib  *docent.Library
	runs int
	rows []benchRow
}

func (b *benchmark) run(pattern string) error {
	files, err := b.lib.Files(b.ctx, "")
	if err != nil || len(files.Files) == 0 {
		return errors.Join(err, docent.ErrNoDocuments)
	}
	file := files.Files[len(files.Files)/2]
	if pattern == "" {
		pattern = strings.Join(strings.Fields(files.Files[0].Title)[:min(2, len(strings.Fields(files.Files[0].Title)))], " ")
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	grep := fmt.Sprintf("grep %q", pattern)
	b.command(grep, "grep -rn", "grep", "-rniF", "--include=*.md", "-e", pattern, b.dir)
	b.command(grep, "ripgrep", "rg", "-niF", "--no-config", "-e", pattern, b.dir)
	b.command(grep, "docent grep, as a command", self, "grep", "-F", pattern, "--root", b.dir)
	b.measure(grep, "docent grep, in process", func() error {
		_, err := b.lib.Grep(b.ctx, pattern, answer.GrepOptions{Fixed: true})
		return err
	})

	path := filepath.Join(b.dir, filepath.FromSlash(file.File))
	read := "read " + file.File
	if _, err := os.Stat(path); err == nil { // not in a pack
		b.command(read, "cat", "cat", path)
		b.measure(read, "plain read, in process", func() error {
			_, err := os.ReadFile(path)
			return err
		})
	}
	b.command(read, "docent read, as a command", self, "read", file.File, "--root", b.dir)
	b.measure(read, "docent read, in process", func() error {
		_, err := b.lib.Read(b.ctx, file.File, answer.ReadOptions{})
		return err
	})

	search := fmt.Sprintf("search %q", "how to "+pattern)
	b.command(search, "docent search, as a command", self, "search", "how to "+pattern, "--root", b.dir)
	b.measure(search, "docent search, in process", func() error {
		_, err := b.lib.Search(b.ctx, docent.Query{Text: "how to " + pattern})
		return err
	})
	return b.ctx.Err()
}

// command measures a program, if it is installed. Exit code 1 is no failure.
func (b *benchmark) command(what, name, program string, args ...string) {
	if _, err := exec.LookPath(program); err != nil {
		b.rows = append(b.rows, benchRow{What: what, Tool: name + " (not installed)"})
		return
	}
	b.measure(what, name, func() error {
		cmd := exec.CommandContext(b.ctx, program, args...)
		cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
		err := cmd.Run()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
			return nil
		}
		return err
	})
}

func (b *benchmark) measure(what, name string, fn func() error) {
	times := make([]float64, 0, b.runs)
	for range b.runs {
		start := time.Now()
		if err := fn(); err != nil {
			b.rows = append(b.rows, benchRow{What: what, Tool: name + " (failed: " + err.Error() + ")"})
			return
		}
		times = append(times, float64(time.Since(start).Nanoseconds())/1e6)
	}
	slices.Sort(times)
	row := benchRow{What: what, Tool: name, Median: times[len(times)/2], Low: times[len(times)/4], High: times[len(times)*3/4]}
	for _, first := range b.rows {
		if first.What == what && first.Median > 0 {
			row.Ratio = first.Median / row.Median
			break
		}
	}
	b.rows = append(b.rows, row)
}

func (b *benchmark) write(w io.Writer) error {
	what := ""
	for _, r := range b.rows {
		if r.What != what {
			if what != "" {
				fmt.Fprintln(w)
			}
			what = r.What
			fmt.Fprintln(w, what)
		}
		if r.Median == 0 {
			fmt.Fprintf(w, "  %s\n", r.Tool)
			continue
		}
		line := fmt.Sprintf("  %-28s %9.3f ms  (%.3f to %.3f)", r.Tool, r.Median, r.Low, r.High)
		if r.Ratio > 0 {
			line += fmt.Sprintf("  %.1fx", r.Ratio)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
