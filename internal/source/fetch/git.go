package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/docent-md/docent/internal/source/git"
)

// A local repository is read by git itself, from its objects, as package git
// does it: nothing the repository says makes git run a command, and the token
// does not reach it.

func (f *fetcher) git(s Source) error {
	repo, err := git.Open(f.ctx, s.URL, f.client.token)
	switch {
	case errors.Is(err, git.ErrNoGit):
		return fmt.Errorf("%w: it is needed to read a repository at a revision", err)
	case err != nil:
		return err
	}
	commit, err := repo.Commit(cmp.Or(s.Rev, "HEAD"))
	if err != nil {
		return err
	}
	f.report.Commit = commit
	sub := s.Sub
	if sub == "" {
		// A folder in a repository stands for itself, not for all of it.
		if sub, err = repo.Prefix(); err != nil {
			return err
		}
	}
	f.report.Source.Sub = sub
	if f.before.Commit == commit && f.before.Sub == sub {
		f.report.Unchanged = true
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	return f.readTree(repo, commit, subTree(sub, false))
}

// readTree takes in the wanted files of a commit.
func (f *fetcher) readTree(repo *git.Repo, commit string, to pick) error {
	var ids []string
	var files []target
	err := repo.Tree(commit, func(e git.Entry) error {
		name, err := f.sink.entry(e.Path)
		if err != nil {
			return err
		}
		at, inherited := to(name)
		switch {
		case at == "" || !wanted(at):
		case e.Link:
			f.sink.skip(at, "a symbolic link")
		case len(files) >= f.opt.limits.files:
			return &EntryError{e.Path, fmt.Errorf("one of more than %d files", f.opt.limits.files)}
		default:
			ids, files = append(ids, e.ID), append(files, target{at, inherited})
		}
		return nil
	})
	if err != nil {
		return err
	}
	done := 0
	err = repo.Read(ids, func(i int, size int64, body io.Reader) error {
		if err := f.sink.put(files[i].name, files[i].inherited, size, body); err != nil {
			return err
		}
		f.report.Bytes += size
		done++
		return nil
	})
	if _, named := errors.AsType[*EntryError](err); err != nil && !named && done < len(files) {
		return &EntryError{files[done].name, err}
	}
	return err
}

// A target is where a file of a repository goes.
type target struct {
	name      string
	inherited bool
}
