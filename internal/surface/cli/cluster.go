package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/surface/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// clusterFlags name an index of a cluster.
type clusterFlags struct{ urls, name string }

func (l *clusterFlags) add(f *pflag.FlagSet) {
	f.StringVar(&l.urls, "cluster", "", "Weaviate cluster: the URLs of its nodes, with commas (default: DOCENT_CLUSTER)")
	f.StringVar(&l.name, "tenant", "", "index in the cluster, which is one of its tenants (default: named after the folder)")
}

// given reports whether a cluster shall be asked. What the environment names is asked
// where no folder is named.
func (l *clusterFlags) given(root string) bool {
	if l.urls == "" && root == "" {
		l.urls = os.Getenv("DOCENT_CLUSTER")
	}
	return l.urls != ""
}

// open returns the cluster. Its token comes from the environment alone, so that it is
// in no history and no list of processes.
func (l *clusterFlags) open() (*docent.Cluster, error) {
	if !l.given("") {
		return nil, withHint(errors.New("no cluster is named"), "give --cluster http://node0:8080,http://node1:8080 or set DOCENT_CLUSTER")
	}
	return docent.NewCluster(strings.Split(l.urls, ","), os.Getenv(tokenVariable))
}

func (l *clusterFlags) index(root string) string {
	if l.name != "" {
		return l.name
	}
	return docent.ClusterName(root)
}

// clusterHint adds the way out to what a cluster complains of.
func clusterHint(err error) error {
	var hint string
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		hint = "--tenant names the index; docent index <folder> --cluster <urls> --tenant <name> makes one"
	case errors.Is(err, docent.ErrClusterToken) && os.Getenv(tokenVariable) == "":
		hint = "put a key of the cluster's into " + tokenVariable
	case errors.Is(err, docent.ErrClusterToken):
		hint = "is " + tokenVariable + " a key of this cluster's, and may it read and write?"
	case errors.Is(err, docent.ErrClusterOld):
		hint = "update the cluster; docs/scale.md says what docent needs"
	case strings.Contains(err.Error(), "HTTP request to an HTTPS server"):
		hint = "name the node with https://"
	case strings.Contains(err.Error(), "TLS handshake") || strings.Contains(err.Error(), "HTTP response to HTTPS client"):
		hint = "the node does not speak TLS there: name it with http://"
	case errors.Is(err, docent.ErrClusterForeign):
		hint = "name the REST port of a Weaviate node, which is 8080 unless it was changed: --cluster http://node0:8080"
	case errors.Is(err, docent.ErrClusterDown):
		hint = "does Weaviate run there, and is that its REST port? docent asks the folder where neither --cluster nor DOCENT_CLUSTER is given"
	default:
		return err
	}
	return withHint(err, "%s", hint)
}

// tokenVariable holds the key of a cluster.
const tokenVariable = "DOCENT_CLUSTER_TOKEN"

// indexCluster writes documents to a cluster.
func (c *console) indexCluster(ctx context.Context, s *storeFlags, paths []string, o docent.StoreOptions) (*docent.StoreReport, error) {
	cluster, err := s.cluster.open()
	if err != nil {
		return nil, err
	}
	r, err := cluster.Index(ctx, s.cluster.index(o.Root), paths, o)
	if errors.Is(err, context.Canceled) {
		c.note("interrupted: what was sent stays, and the same command goes on from there")
		err = errSaid
	}
	return r, clusterHint(err)
}

// openCluster opens the index that --cluster and --tenant say.
func (l *libraryFlags) openCluster(ctx context.Context, o docent.Options) (*docent.Keeper, error) {
	cluster, err := l.cluster.open()
	if err != nil {
		return nil, err
	}
	lib, err := cluster.Open(ctx, l.cluster.index(l.root), o)
	if err != nil {
		return nil, clusterHint(err)
	}
	return docent.NewKeeper(lib, o), nil
}

// serveCluster is serve for an index of a cluster.
func (l *libraryFlags) serveCluster(c *console, o *mcp.Options) error {
	cluster, err := l.cluster.open()
	if err != nil {
		return err
	}
	remote := c.remote("serve")
	name := l.cluster.index(l.root)
	lib, err := cluster.Open(context.Background(), name, docent.Options{})
	switch {
	case err == nil:
		_ = lib.Close()
	case errors.Is(err, docent.ErrClusterDown):
		c.note("%s: answers will come when it does", err) // it may mend itself while we serve
	default:
		return clusterHint(err)
	}
	o.Name, o.Version, o.Fixed = name, version(), true
	o.Note = func(s string) { c.note("%s", s) }
	if o.Tools == "" || o.Tools == "default" || o.Tools == "all" {
		o.Tools = storedTools
	}
	o.Open = func(ctx context.Context, opts docent.Options) (*docent.Library, error) {
		opts.Assistant, opts.Summaries, opts.Remote = l.assistant, summariesFile(), remote.get
		return cluster.Open(ctx, name, opts)
	}
	return nil
}

const clusterHelp = `Look after a Weaviate cluster that keeps indexes for many machines (docs/scale.md says
when that is worth it). Its nodes are named with --cluster or DOCENT_CLUSTER; a token, where it
asks for one, comes from DOCENT_CLUSTER_TOKEN.

docent index --cluster fills it; search, section, read, toc and serve ask it.`

const clusterExample = `  docent cluster status --cluster http://node0:8080,http://node1:8080,http://node2:8080
  docent cluster init --replicas 3
  docent index docs --cluster http://node0:8080 --tenant handbook
  docent cluster drop --tenant handbook --yes`

// newCluster makes "docent cluster".
func newCluster(c *console) *cobra.Command {
	cmd := &cobra.Command{Use: "cluster", Short: "look after a Weaviate cluster that keeps indexes", Long: clusterHelp, Example: clusterExample}
	cmd.AddCommand(newClusterStatus(c), newClusterInit(c), newClusterDrop(c))
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		hint := "there are status, init and drop"
		if near := nearest(args[0], []string{"status", "init", "drop"}); near != "" {
			hint = "did you mean docent cluster " + near + "?"
		}
		return withHint(fmt.Errorf("unknown command %q", "cluster "+args[0]), "%s", hint)
	}
	return cmd
}

func newClusterStatus(c *console) *cobra.Command {
	var l clusterFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: "say which nodes there are and what they keep", Args: noArgs, Example: "  docent cluster status",
		Long: "Say which version the cluster runs, how its nodes are, and which indexes it keeps, with their sizes.",
	}
	l.add(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		cluster, err := l.open()
		if err != nil {
			return err
		}
		s, err := cluster.Status(cmd.Context())
		if err != nil {
			return clusterHint(err)
		}
		if asJSON {
			return c.json(s)
		}
		_, err = fmt.Fprint(c.out, s.Text())
		return err
	}
	return cmd
}

func newClusterInit(c *console) *cobra.Command {
	var l clusterFlags
	var replicas int
	cmd := &cobra.Command{
		Use: "init", Short: "make what the cluster needs to keep indexes", Args: noArgs, Example: "  docent cluster init --replicas 3",
		Long: `Make the collections that indexes are kept in. docent index --cluster does this by itself; run it
beforehand to choose the number of replicas, which cannot be changed afterwards. What is there
stays as it is.`,
	}
	l.add(cmd.Flags())
	cmd.Flags().IntVar(&replicas, "replicas", 3, "nodes that hold each index")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := inRange("replicas", replicas, 1, 9); err != nil {
			return err
		}
		cluster, err := l.open()
		if err != nil {
			return err
		}
		if err := cluster.Init(cmd.Context(), replicas); err != nil {
			return clusterHint(err)
		}
		_, err = fmt.Fprintln(c.out, "the cluster is ready")
		return err
	}
	return cmd
}

func newClusterDrop(c *console) *cobra.Command {
	var l clusterFlags
	var all, yes bool
	cmd := &cobra.Command{
		Use: "drop", Short: "remove an index from the cluster", Args: noArgs, Example: "  docent cluster drop --tenant handbook --yes",
		Long: "Remove an index, or with --all everything that docent keeps in the cluster. Documents stay where they are.",
	}
	l.add(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "everything that docent keeps there")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		what := "index " + l.name
		switch {
		case all && l.name != "":
			return errors.New("--all and --tenant: give one of them")
		case all:
			what = "everything docent keeps in the cluster"
		case l.name == "":
			return withHint(errors.New("drop needs --tenant"), "for example: docent cluster drop --tenant handbook --yes")
		}
		if !yes {
			return withHint(fmt.Errorf("drop removes %s", what), "say --yes to do it")
		}
		cluster, err := l.open()
		if err != nil {
			return err
		}
		if err := cluster.Drop(cmd.Context(), l.name); err != nil {
			return clusterHint(err)
		}
		_, err = fmt.Fprintf(c.out, "removed %s\n", clean(what))
		return err
	}
	return cmd
}
