package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/store/weaviate"
	"github.com/docent-md/docent/internal/text/human"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Cluster is a Weaviate cluster that stores many indexes. It may be used by many
// goroutines at once.
type Cluster struct {
	c    *weaviate.Client
	urls []string
}

// What the methods of a Cluster return, wrapped: when none of its nodes answers, when it
// wants another token, when what answers is not Weaviate, and when that is too old. An
// index that is not there is fs.ErrNotExist.
var (
	ErrClusterDown    = weaviate.ErrDown
	ErrClusterToken   = weaviate.ErrToken
	ErrClusterForeign = weaviate.ErrForeign
	ErrClusterOld     = weaviate.ErrOld
)

// clusterPool is candidatePool for a cluster, whose formula is nearer to ours. With 100,
// one question in thirty had another answer, with 150 one in 170, with 200 one in 500.
const clusterPool = 150

// NewCluster returns the cluster with nodes at some URLs. The token, if there is one,
// must come from the user, not from a project. No connection is opened yet.
func NewCluster(urls []string, token string) (*Cluster, error) {
	c, err := weaviate.New(urls, token, weaviate.Codec{Pack: texts.Squeeze, Unpack: texts.Unpack})
	return &Cluster{c, urls}, err
}

// ClusterName is the name an index of a root has in a cluster unless it is given one.
func ClusterName(root string) string { return strings.Trim(corpus.CleanName(corpus.NameOf(root)), "-") }

// Open opens an index of the cluster.
func (c *Cluster) Open(ctx context.Context, name string, o refresh.Options) (*Database, error) {
	x, err := c.c.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return open(ctx, x, c.label(name), clusterPool, o)
}

func (c *Cluster) label(name string) string { return name + " in the cluster" }

// Index refreshes an index of the cluster, as IndexDB does a file. What is there already
// is not sent again, so that an interrupted run is resumed.
func (c *Cluster) Index(ctx context.Context, name string, paths []string, o Options) (*answer.StoreReport, error) {
	start := time.Now()
	docs, err := o.corpus()
	if err != nil {
		return nil, err
	}
	files, skipped, err := collect(ctx, docs, paths, o)
	if err != nil {
		return nil, err
	}
	if o.Full {
		have, err := c.c.Indexes(ctx)
		if err == nil && slices.Contains(have, name) {
			err = c.c.Drop(ctx, name)
		}
		if err != nil {
			return nil, err
		}
	}
	x, err := c.c.Create(ctx, name)
	if err != nil {
		return nil, err
	}
	r := &answer.StoreReport{Database: c.label(name), Skips: len(skipped), Skipped: append([]answer.Skip{}, skipped[:min(len(skipped), snapshot.MaxSkips)]...)}
	w := &writer{ctx: ctx, db: clusterBackend{x}, c: docs, o: o, report: r, batch: clusterBatch}
	if err := w.documents(files, paths); err != nil {
		return nil, err
	}
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// Init creates the collections of the cluster, with that many replicas; 0 means 3.
func (c *Cluster) Init(ctx context.Context, replicas int) error { return c.c.Init(ctx, replicas) }

// Drop removes an index; "" removes all of them, and what Init made.
func (c *Cluster) Drop(ctx context.Context, name string) error { return c.c.Drop(ctx, name) }

// A ClusterStatus says how a cluster is.
type ClusterStatus struct {
	Version string         `json:"version"`
	Nodes   []ClusterNode  `json:"nodes"`
	Indexes []ClusterIndex `json:"indexes"`
}

// A ClusterNode is one of its nodes.
type ClusterNode struct {
	Name    string `json:"name"`
	Status  string `json:"status"`
	Version string `json:"version"`
}

// A ClusterIndex is one of its indexes.
type ClusterIndex struct {
	Name   string `json:"name"`
	Files  int    `json:"files"`
	Chunks int    `json:"chunks"`
}

// Status asks the cluster how it is.
func (c *Cluster) Status(ctx context.Context) (*ClusterStatus, error) {
	s := &ClusterStatus{Nodes: []ClusterNode{}, Indexes: []ClusterIndex{}}
	var err error
	if s.Version, err = c.c.Check(ctx); err != nil {
		return nil, err
	}
	nodes, err := c.c.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		s.Nodes = append(s.Nodes, ClusterNode(n))
	}
	names, err := c.c.Indexes(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		x, err := c.c.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		st, err := x.Stats(ctx)
		if err != nil {
			return nil, err
		}
		s.Indexes = append(s.Indexes, ClusterIndex{name, st.Files, st.Chunks})
	}
	return s, nil
}

// Text gives the status a fact a line.
func (s *ClusterStatus) Text() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "Weaviate %s, %s\n", visible.Line(s.Version), human.Plural(len(s.Nodes), "node"))
	for _, n := range s.Nodes {
		fmt.Fprintf(b, "  %s  %s\n", visible.Line(n.Name), strings.ToLower(visible.Line(n.Status)))
	}
	for _, x := range s.Indexes {
		fmt.Fprintf(b, "index %s: %s, %s\n", visible.Line(x.Name), human.Plural(x.Files, "file"), human.Plural(x.Chunks, "chunk"))
	}
	return b.String()
}
