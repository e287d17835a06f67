//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/tool"
)

// patterns are what is grepped for, of the kinds that people grep documentation for.
// Those with a literal are looked up in the index, so that they must be faster than rg.
var patterns = []struct {
	text             string
	overTree, inBlob float64 // targets
}{
	{`AbortController`, 50, 5},
	{`price|cost|billing`, 50, 5},
	{`addEventListener\("\w+"`, 0, literalTarget},
	{`Content-Security-Policy`, 0, literalTarget},
	{`set(Timeout|Interval)\(`, 0, literalTarget},
	{`new Promise\(`, 0, literalTarget},
	{`TypeError: .* is not`, 0, literalTarget},
	{`\bArray\.prototype\.\w+`, 0, literalTarget},
	{`navigator\.\w+\.get\w+`, 0, literalTarget},
	{`grid-template-(rows|columns):`, 0, literalTarget},
	{`max-?width`, 0, literalTarget},
	{`https?://developer\.\w+`, 0, literalTarget},
	{`^## Examples$`, 0, literalTarget},
	{`deprecated|obsolete|removed`, 0, literalTarget},
	{`"use strict"`, 0, literalTarget},
	{`status code 4\d\d`, 0, literalTarget},
	{`\w+ErrorEvent\b`, 0, literalTarget},
	{`\d{4}-\d{2}-\d{2}`, 0, plainTarget},
	{`^\s*\|.*\|$`, 0, plainTarget},
	{`\b[A-Z]{3,}_[A-Z]+\b`, 0, plainTarget},
}

// What is aimed at against rg in one file: patterns with a literal, and those without.
const (
	literalTarget = 2
	plainTarget   = 0.5
)

// grep measures the lines that match, all of them counted, against ripgrep. In
// process means a library that is open.
func (b *bench) grep(ctx context.Context) error {
	b.section("grep",
		"All matching lines are counted, case ignored: `docent grep -c --no-refresh`, `rg -i -c`. rg runs over the tree, and over the same text in one file.")
	if exec.CommandContext(ctx, b.docent, "grep", "--help").Run() != nil {
		b.row("grep", "no such command yet", "", "", "", "")
		return nil
	}
	if err := b.reindex(ctx); err != nil {
		return err
	}
	lib, err := docent.Open(ctx, b.corpus.dir, docent.Options{NoRefresh: true})
	if err != nil {
		return err
	}
	defer lib.Close()
	for _, p := range patterns {
		args := []string{"grep", "-c", p.text, "--no-refresh", "--root", b.corpus.dir}
		if exec.CommandContext(ctx, b.docent, args...).Run() != nil {
			b.row("`"+p.text+"`", "stands nowhere in this corpus", "", "", "", "")
			continue
		}
		inside := func(count bool) rival {
			return func(ctx context.Context) (use, error) {
				return batch(20*time.Millisecond, func() error { return grepOnce(ctx, lib, p.text, count) })
			}
		}
		var tree, blob rival
		if b.rg != "" {
			tree = b.usage.command(b.rg, "-i", "-c", "-e", p.text, b.corpus.dir)
			blob = b.usage.command(b.rg, "-i", "-c", "-e", p.text, b.corpus.blob)
		}
		us, err := contest(ctx, b.rounds, inside(true), inside(false),
			b.ask(args...), tree, blob)
		if err != nil {
			return err
		}
		overTree, inBlob := side{"rg over the tree", cpus(us[3])}, side{"rg in one file", cpus(us[4])}
		what := "`" + p.text + "`, "
		b.versus(what+"in process, CPU", cpus(us[0]), inBlob, "ms", p.inBlob)
		if p.overTree == 0 {
			continue
		}
		b.versus(what+"in process, CPU", cpus(us[0]), overTree, "ms", p.overTree)
		b.versus(what+"in process, first 100 lines, CPU", cpus(us[1]), overTree, "ms", 0)
		b.versus(what+"as a command, CPU", cpus(us[2]), overTree, "ms", 0)
		b.versus(what+"as a command, CPU", cpus(us[2]), inBlob, "ms", 0)
	}
	return nil
}

// grepOnce calls the tool as a model would.
func grepOnce(ctx context.Context, lib *docent.Library, pattern string, count bool) error {
	params, err := json.Marshal(map[string]any{"pattern": pattern, "count": count})
	if err != nil {
		return err
	}
	_, err = tool.Call(ctx, lib, "grep", params)
	return err
}
