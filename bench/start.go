//go:build unix

package main

import (
	"context"
	"os"
)

// start measures what every command pays before it does anything.
func (b *bench) start(ctx context.Context) error {
	us, err := contest(ctx, 3*b.rounds, b.ask("--version"), b.usage.command(b.empty))
	if err != nil {
		return err
	}
	ours, err := size(b.docent)
	if err != nil {
		return err
	}
	theirs, err := size(b.empty)
	if err != nil {
		return err
	}
	b.section("Start", "`docent --version` and a Go program that does nothing, whole processes.")
	empty := func(s spread) side { return side{"empty Go program", s} }
	b.versus("start, CPU", cpus(us[0]), empty(cpus(us[1])), "ms", 0)
	b.versus("start, wall", walls(us[0]), empty(walls(us[1])), "ms", 0)
	b.versus("start, peak memory", peaks(us[0]), empty(peaks(us[1])), "MB", 0)
	b.versus("binary, stripped", ours, empty(theirs), "MB", 0)
	return nil
}

func size(file string) (spread, error) {
	info, err := os.Stat(file)
	if err != nil {
		return spread{}, err
	}
	return spreadOf([]float64{float64(info.Size()) / 1e6}), nil
}
