package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/source/settings"
	"github.com/docent-md/docent/internal/store"
	"github.com/spf13/pflag"
)

// Flags that contradict each other are an error, which says what to give instead:
// ignoring one of them would answer another question than was asked.

// checkTarget returns an error if flags name two libraries.
func (l *libraryFlags) checkTarget() error {
	switch {
	case l.folder != "" && (l.db != "" || l.cluster.name != "" || l.index == "" && l.cluster.given(l.root)):
		return withHint(fmt.Errorf("%s: %w", l.folder, docent.ErrUnsupported), "--root names it; --root . is the current folder")
	case l.db != "" && l.root != "":
		return errors.New("--root and --db contradict each other: give one of them")
	case l.db != "" && l.index != "":
		return errors.New("--index and --db contradict each other: give one of them (a database is one index)")
	case l.db != "" && l.cluster.name != "":
		return errors.New("--db and --tenant contradict each other: give one of them (--tenant names an index of a cluster)")
	case l.db != "" && l.cluster.urls != "":
		return errors.New("--db and --cluster contradict each other: give one of them")
	case l.index != "" && (l.cluster.urls != "" || l.cluster.name != ""):
		return errors.New("--index and --cluster contradict each other: give one of them (--tenant names an index of a cluster)")
	case l.cluster.name != "" && !l.cluster.given(l.root):
		return withHint(errors.New("--tenant names an index of a cluster, and no cluster is named"), "give --cluster http://node0:8080,http://node1:8080 or set DOCENT_CLUSTER; --index names an index of this project")
	case l.noRefresh && l.index == "" && (l.db != "" || isFile(l.root) || l.inCluster()):
		return errors.New("--no-refresh is for folders and named indexes: a pack, a database or a cluster is never compared with files")
	case l.index != "" && !l.global && isFile(l.root):
		return errors.New("--index and a packed file contradict each other: give --root without --index (a pack is one index)")
	}
	return nil
}

// needsIndex returns an error if --global is given without --index.
func (l *libraryFlags) needsIndex() error {
	if l.global && l.index == "" {
		return withHint(errors.New("--global goes with --index, and no index is named"), `"docent indexes --global" lists them`)
	}
	return nil
}

// inCluster reports whether the library is an index of a cluster. A cluster from the
// environment is used only if nothing else is named.
func (l *libraryFlags) inCluster() bool {
	return l.db == "" && l.index == "" && l.cluster.given(l.root)
}

// checkTarget returns an error if flags of "docent index" name two places to write to.
func (s *storeFlags) checkTarget(name string) error {
	switch {
	case s.db != "" && s.cluster.urls != "":
		return errors.New("--db and --cluster contradict each other: give one of them")
	case s.db != "" && name != "":
		return errors.New("--name and --db contradict each other: give one of them")
	case s.cluster.urls != "" && name != "":
		return errors.New("--name and --cluster contradict each other: give one of them (--tenant names an index of a cluster)")
	case s.cluster.name != "" && s.cluster.urls == "":
		return withHint(errors.New("--tenant names an index of a cluster, and no cluster is named"), "give --cluster http://node0:8080,http://node1:8080; --name names an index of this project")
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.Mode().IsRegular()
}

// clusterFlags are the flags that name an index of a cluster.
type clusterFlags struct{ urls, name string }

func (l *clusterFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.urls, "cluster", "", "Weaviate cluster: the URLs of its nodes, with commas (default: DOCENT_CLUSTER)")
	f.StringVar(&l.name, "tenant", "", "tenant of the cluster, which has one index (default: named after the folder)")
}

// given reports whether a cluster is named. One from the environment counts only if no
// folder is named.
func (l *clusterFlags) given(root string) bool {
	if l.urls == "" && root == "" {
		l.urls = os.Getenv("DOCENT_CLUSTER")
	}
	return l.urls != ""
}

// open returns the cluster. Its token comes from the environment only, so that it does
// not appear in shell histories and process lists.
func (l *clusterFlags) open() (*store.Cluster, error) {
	if !l.given("") {
		return nil, withHint(errors.New("no cluster is named"), "give --cluster http://node0:8080,http://node1:8080 or set DOCENT_CLUSTER")
	}
	return store.NewCluster(strings.Split(l.urls, ","), os.Getenv(tokenVariable))
}

func (l *clusterFlags) index(root string) string {
	return cmp.Or(l.name, store.ClusterName(root))
}

// clusterHint adds to an error of a cluster what to do next.
func clusterHint(err error) error {
	var hint string
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		hint = "--tenant names the index; docent index <folder> --cluster <urls> --tenant <name> builds one"
	case errors.Is(err, store.ErrClusterToken) && os.Getenv(tokenVariable) == "":
		hint = "put an API key of the cluster into " + tokenVariable
	case errors.Is(err, store.ErrClusterToken):
		hint = "is " + tokenVariable + " an API key of this cluster, and may it read and write?"
	case errors.Is(err, store.ErrClusterOld):
		hint = "update the cluster; docs/scale.md says what docent needs"
	case strings.Contains(err.Error(), "HTTP request to an HTTPS server"):
		hint = "name the node with https://"
	case strings.Contains(err.Error(), "TLS handshake") || strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		hint = "the node does not speak TLS there: name it with http://"
	case errors.Is(err, store.ErrClusterForeign):
		hint = "name the REST port of a Weaviate node, which is 8080 unless it was changed: --cluster http://node0:8080"
	case errors.Is(err, store.ErrClusterDown):
		hint = "does Weaviate run there, and is that its REST port? Without --cluster and DOCENT_CLUSTER docent uses the folder"
	default:
		return err
	}
	return withHint(err, "%s", hint)
}

// tokenVariable holds the key of a cluster.
const tokenVariable = "DOCENT_CLUSTER_TOKEN"

// storeFlags are the flags of "docent index" that name another place to write to.
type storeFlags struct {
	db      string
	cluster clusterFlags
}

// given reports whether one is named. DOCENT_CLUSTER does not count: it must not send
// a project's documents anywhere.
func (s *storeFlags) given() bool { return s.db != "" || s.cluster.urls != "" }

func dbHint(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return withHint(err, "docent index <paths> --db <file> writes one")
	}
	return err
}

// namedFlags choose the catalogue of named indexes.
type namedFlags struct {
	global bool
	root   string
}

func (n *namedFlags) add(f *pflag.FlagSet) {
	f.BoolVar(&n.global, "global", false, "the indexes of this user instead of this project")
	f.StringVar(&n.root, "root", "", "folder of the project (default: that of the nearest .docent.json, else this one)")
}

// set returns the named indexes that the flags mean.
func (n namedFlags) set(o docent.IndexSetOptions) (*docent.IndexSet, error) {
	if n.global && n.root != "" {
		return nil, errors.New("--root names a project, and --global is for indexes that belong to none: give one of them")
	}
	if !n.global {
		return docent.ProjectIndexes(n.root, o)
	}
	dir, err := settings.DataDir()
	if err != nil {
		return nil, err
	}
	return docent.UserIndexes(filepath.Join(dir, "indexes"), o), nil
}

// libraryFlags are the flags that name the library of a command.
type libraryFlags struct {
	root      string
	db        string
	cluster   clusterFlags
	noRefresh bool
	index     string            // named indexes to use instead; "" for none
	global    bool              // index names indexes of the user, not of the project
	assistant *docent.Assistant // may be nil
	words     bool              // the operation needs no vectors
	watch     bool              // with a server: refresh when files change
	folder    string            // the command's name, if it needs all documents and so no database will do
}

// addFolder is add for a command that needs all documents, which a database or a
// cluster does not have: its help leaves their flags out, and using them is an error.
func (l *libraryFlags) addFolder(f *pflag.FlagSet, command string) {
	l.folder = command
	l.add(f)
	for _, flag := range []string{"db", "cluster", "tenant"} {
		f.Lookup(flag).Hidden = true
	}
}

func (l *libraryFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.root, "root", "", "folder, index or pack (default: the folder of the nearest .docent.json, else this one)")
	f.StringVar(&l.index, "index", "", "named index to use instead")
	f.BoolVar(&l.global, "global", false, "with --index: an index of this user, not of this project")
	f.StringVar(&l.db, "db", "", "database to use instead of a folder (docent index --db writes one)")
	l.cluster.add(f)
	f.BoolVar(&l.noRefresh, "no-refresh", false, "use the index as it is, without checking for changed files")
}
