//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/answer"
)

// best is how many results everyone is asked for.
const best = 5

// cold measures a question as a process: start, open, search, print, exit.
func (b *bench) cold(ctx context.Context) error {
	if err := b.reindex(ctx); err != nil {
		return err
	}
	db, err := b.ftsFile(ctx, b.corpus.chunks)
	if err != nil {
		return err
	}
	var plain, due, shell, rg, meant []rival
	for _, q := range b.corpus.titles(20) {
		args := []string{"search", q, "-n", "5", "--root", b.corpus.dir}
		plain = append(plain, b.ask(append(args, "--no-refresh", "--mode", "lexical")...))
		meant = append(meant, b.ask(append(args, "--no-refresh")...))
		due = append(due, b.checkDue(b.ask(args...)))
		statement := strings.Replace(strings.Replace(ftsRank, "?", "'"+match(q, " AND ")+"'", 1), "?", "5", 1)
		shell = append(shell, b.usage.command(b.sqlite, "-batch", "-readonly", db, statement))
		rg = append(rg, b.usage.command(b.rg, "-i", "-F", words(q)[0], b.corpus.dir))
	}
	if b.sqlite == "" {
		shell = nil
	}
	if b.rg == "" {
		rg = nil
	}
	us, err := contest(ctx, 4*b.rounds, each(plain), each(shell), each(meant))
	if err != nil {
		return err
	}
	slow, err := contest(ctx, b.rounds, each(due), each(rg))
	if err != nil {
		return err
	}
	for range 3 {
		if _, err := b.corpus.edit(); err != nil {
			return err
		}
		if _, err := b.ask("index", "--root", b.corpus.dir)(ctx); err != nil {
			return err
		}
	}
	if err := hasVectors(ctx, b.corpus.dir); err != nil {
		return err
	}
	grown, err := contest(ctx, 2*b.rounds, each(plain), each(shell), each(meant))
	if err != nil {
		return err
	}
	b.section("A question as a command",
		"Whole processes. sqlite3 is the shell, fetching the 5 best texts that have all words of a title (FTS5, AND); docent answers the same",
		"title by any of its words, and reads and checks the files behind its 5 results; by meaning too where that is said, as it does by default.",
		"Freshness: docent compares all files where that takes less than 100 ms, else once a minute, and always those behind the results. rg looks for one word.")
	b.versus("search by words and meaning, freshness off, CPU", cpus(us[2]), side{"sqlite3, AND", cpus(us[1])}, "ms", 0.5)
	b.versus("search, freshness off, CPU", cpus(us[0]), side{"sqlite3, AND", cpus(us[1])}, "ms", 0.5)
	b.versus("search, freshness off, wall", walls(us[0]), side{"sqlite3, AND", walls(us[1])}, "ms", 0)
	b.versus("search, freshness off, three edits later, CPU", cpus(grown[0]), side{"sqlite3, AND", cpus(grown[1])}, "ms", 0.5)
	b.versus("search by words and meaning, freshness off, three edits later, CPU", cpus(grown[2]), side{"sqlite3, AND", cpus(grown[1])}, "ms", 0)
	b.versus("search, all files compared, CPU", cpus(slow[0]), side{"rg over the tree", cpus(slow[1])}, "ms", 1)
	b.versus("search, all files compared, wall", walls(slow[0]), side{"rg over the tree", walls(slow[1])}, "ms", 0)
	b.limit("search, freshness off, peak memory", peaks(us[0]), "MB", 40)
	b.limit("search by words and meaning, peak memory", peaks(us[2]), "MB", 40)
	b.limit("search, all files compared, peak memory", peaks(slow[0]), "MB", 40)
	return nil
}

// ftsFile makes a database of chunks, ready to be searched.
func (b *bench) ftsFile(ctx context.Context, chunks []answer.Record) (string, error) {
	file := filepath.Join(b.tmp, "fts.db")
	if err := os.RemoveAll(file); err != nil {
		return "", err
	}
	db, err := newFTS(ctx, file, chunks)
	if err != nil {
		return "", err
	}
	defer db.Close()
	return file, errors.Join(db.empty(ctx), db.fill(ctx, chunks), db.settle(ctx))
}

// checkDue makes docent forget that it compared all files less than a minute ago, where that is not quick.
func (b *bench) checkDue(next rival) rival {
	return func(ctx context.Context) (use, error) {
		marks, err := filepath.Glob(filepath.Join(b.tmp, "cache", "docent", "index", "*", "checked"))
		if err != nil {
			return use{}, err
		}
		for _, m := range marks {
			if err := os.Remove(m); err != nil {
				return use{}, err
			}
		}
		return next(ctx)
	}
}
