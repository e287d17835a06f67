package cli

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/library/corpus"
)

// Arguments that name where to look, beside --root.

// keepArgs leaves arguments as they are.
func keepArgs(args []string) ([]string, error) { return args, nil }

// folderArg makes the only argument, a folder or a pack, the root.
func (l *libraryFlags) folderArg(args []string) ([]string, error) {
	if len(args) != 1 {
		return args, nil
	}
	if l.root != "" || l.index != "" || l.db != "" || l.cluster.urls != "" {
		return nil, errors.New(args[0] + " and a flag both name what to look at: give one of them")
	}
	l.root = args[0]
	return nil, nil
}

// elsewhere makes the argument at a place the root, if it is the only one from there on
// and names a folder or a pack outside of the project. What is in the project narrows it.
func (l *libraryFlags) elsewhere(args []string, at int) ([]string, error) {
	if len(args) != at+1 || l.root != "" || l.index != "" || l.db != "" || l.cluster.urls != "" {
		return args, nil
	}
	info, err := os.Stat(args[at])
	if err != nil {
		return args, nil // a glob, or a name that the index knows
	}
	project, err := corpus.Find("")
	abs, bad := filepath.Abs(args[at])
	if cmp.Or(err, bad) != nil || corpus.Within(project.Dir, abs) && (info.IsDir() || doc.IsMarkdown(args[at])) {
		return args, nil
	}
	l.root = args[at]
	return args[:at], nil
}
