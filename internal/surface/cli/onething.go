package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/docent-md/docent"
)

// Flags that contradict each other are refused, in a line that says what to give
// instead: to go by one of them and pass over the other would answer a question that
// was not asked.

// oneThing refuses flags that name two things to ask.
func (l *libraryFlags) oneThing() error {
	switch {
	case l.folder != "" && (l.db != "" || l.cluster.name != "" || l.index == "" && l.cluster.given(l.root)):
		return withHint(fmt.Errorf("%s: %w", l.folder, docent.ErrNotStored), "--root names it; --root . is where you stand")
	case l.db != "" && l.root != "":
		return errors.New("--root and --db name two things to ask: give one of them")
	case l.db != "" && l.index != "":
		return errors.New("--index and --db name two things to ask: give one of them (a database is one index)")
	case l.db != "" && (l.cluster.urls != "" || l.cluster.name != ""):
		return errors.New("--db and --cluster name two things to ask: give one of them")
	case l.index != "" && (l.cluster.urls != "" || l.cluster.name != ""):
		return errors.New("--index and --cluster name two things to ask: give one of them (--tenant names an index of a cluster)")
	case l.cluster.name != "" && !l.cluster.given(l.root):
		return withHint(errors.New("--tenant names an index of a cluster, and no cluster is named"), "give --cluster http://node0:8080,http://node1:8080 or set DOCENT_CLUSTER; --index names an index of this project")
	case l.index != "" && !l.global && isFile(l.root):
		return errors.New("--index and a packed file name two things to ask: give --root without --index (a pack is one index)")
	}
	return nil
}

// needsIndex refuses flags about a named index where none is named.
func (l *libraryFlags) needsIndex() error {
	if l.global && l.index == "" {
		return withHint(errors.New("--global is about --index, and no index is named"), `"docent indexes --global" lists them`)
	}
	return nil
}

// inCluster reports whether an index of a cluster is asked. What the environment names
// is asked where nothing else is.
func (l *libraryFlags) inCluster() bool {
	return l.db == "" && l.index == "" && l.cluster.given(l.root)
}

// onePlace refuses flags of "docent index" that name two places to write to.
func (s *storeFlags) onePlace(name string) error {
	switch {
	case s.db != "" && s.cluster.urls != "":
		return errors.New("--db and --cluster name two places to write to: give one of them")
	case s.db != "" && name != "":
		return errors.New("--name and --db name two places to write to: give one of them")
	case s.cluster.urls != "" && name != "":
		return errors.New("--name and --cluster name two places to write to: give one of them (--tenant names an index of a cluster)")
	case s.cluster.name != "" && s.cluster.urls == "":
		return withHint(errors.New("--tenant names an index of a cluster, and no cluster is named"), "give --cluster http://node0:8080,http://node1:8080; --name names an index of this project")
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.Mode().IsRegular()
}
