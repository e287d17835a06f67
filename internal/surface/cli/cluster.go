package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/store"
	"github.com/spf13/cobra"
)

// indexCluster writes documents to a cluster.
func indexCluster(ctx context.Context, c *console, s *storeFlags, paths []string, o store.Options) (*answer.StoreReport, error) {
	cluster, err := s.cluster.open()
	if err != nil {
		return nil, err
	}
	r, err := cluster.Index(ctx, s.cluster.index(o.Root), paths, o)
	if errors.Is(err, context.Canceled) {
		c.note("interrupted: what was sent stays, and the same command continues from there")
		err = errSaid
	}
	return r, clusterHint(err)
}

const clusterHelp = `Manage a Weaviate cluster that stores indexes for many machines (docs/scale.md says when
that is worth it). --cluster or DOCENT_CLUSTER names its nodes; if it requires an API key,
that comes from DOCENT_CLUSTER_TOKEN.

docent index --cluster writes to it; search, section, read, toc and serve query it.`

const clusterExample = `  docent cluster status --cluster http://node0:8080,http://node1:8080,http://node2:8080
  docent cluster init --replicas 3
  docent index docs --cluster http://node0:8080 --tenant handbook
  docent cluster drop --tenant handbook --yes`

// newCluster makes "docent cluster".
func newCluster(c *console) *cobra.Command {
	cmd := &cobra.Command{Use: "cluster", Short: "manage a Weaviate cluster", Long: clusterHelp, Example: clusterExample}
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
		Use: "status", Short: "list nodes and indexes", Args: noArgs, Example: "  docent cluster status",
		Long: "Show the version of the cluster, the state of its nodes, and its indexes with their sizes.",
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
		return c.report(asJSON, s, "%s", s.Text())
	}
	return cmd
}

func newClusterInit(c *console) *cobra.Command {
	var l clusterFlags
	var replicas int
	cmd := &cobra.Command{
		Use: "init", Short: "create the collections for indexes", Args: noArgs, Example: "  docent cluster init --replicas 3",
		Long: `Create the collections that indexes are stored in. docent index --cluster does this by itself;
run it first to choose the number of replicas, which cannot be changed later. Existing
collections stay as they are.`,
	}
	l.add(cmd.Flags())
	cmd.Flags().IntVar(&replicas, "replicas", 3, "copies of each index, on different nodes")
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
		return c.printf("the cluster is ready\n")
	}
	return cmd
}

func newClusterDrop(c *console) *cobra.Command {
	var l clusterFlags
	var all, yes bool
	cmd := &cobra.Command{
		Use: "drop", Short: "remove an index from the cluster", Args: noArgs, Example: "  docent cluster drop --tenant handbook --yes",
		Long: "Remove an index, or with --all everything that docent stores in the cluster. Documents are not changed.",
	}
	l.add(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "remove everything that docent stores in the cluster")
	cmd.Flags().BoolVar(&yes, "yes", false, "confirm the removal")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		what := "index " + l.name
		switch {
		case all && l.name != "":
			return errors.New("--all and --tenant: give one of them")
		case all:
			what = "everything docent stores in the cluster"
		case l.name == "":
			return withHint(errors.New("drop needs --tenant"), "for example: docent cluster drop --tenant handbook --yes")
		}
		if !yes {
			return withHint(fmt.Errorf("drop removes %s", what), "add --yes to do it")
		}
		cluster, err := l.open()
		if err != nil {
			return err
		}
		if err := cluster.Drop(cmd.Context(), l.name); err != nil {
			return clusterHint(err)
		}
		return c.printf("removed %s\n", clean(what))
	}
	return cmd
}
