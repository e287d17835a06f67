package cli

import (
	"time"

	"github.com/docent-md/docent"
)

// A bar shows progress on a terminal, and nothing in a pipe.
type bar struct {
	c    *console
	what string
	last time.Time
	on   bool
	gc   gcTuner
}

func (c *console) progress(what string) *bar { return &bar{c: c, what: what, last: time.Now()} }

func (b *bar) update(p docent.Progress) {
	b.gc.set(gcReading(p.Files, p.Bytes))
	b.show(false, "%s: %d files, %.1f MB", b.what, p.Files, float64(p.Bytes)/1e6)
}

// show writes a text ten times a second, and always if it is the last.
func (b *bar) show(last bool, format string, args ...any) {
	if !b.c.errIsTTY || time.Since(b.last) < 100*time.Millisecond && !last {
		return
	}
	b.last, b.on = time.Now(), true
	b.c.meter(format, args...)
}

func (b *bar) done() {
	if b.on {
		b.c.clearBar()
	}
}

// tally shows how many of a number of things are done, on a terminal.
func tally(c *console, format string) func(done, total int) {
	b := c.progress("")
	return func(done, total int) { b.show(done == total, format, done, total) }
}

// countBar shows progress and the remaining time on a terminal.
func (c *console) countBar(what string) func(done, total int) {
	start, b := time.Now(), c.progress(what)
	return func(done, total int) {
		rate := float64(done) / max(time.Since(start).Seconds(), 0.001)
		left := time.Duration(float64(total-done) / max(rate, 0.001) * float64(time.Second)).Round(time.Second)
		b.show(done >= total, "%s: %d of %d, %.0f a second, %s left", b.what, done, total, rate, left)
		if done == total {
			b.done()
		}
	}
}
