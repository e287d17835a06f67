package docent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/engine/texts"
	"github.com/docent-md/docent/internal/store/weaviate"
	"github.com/docent-md/docent/internal/text/visible"
)

// A Cluster is a Weaviate cluster that keeps chunks of many indexes. It may be used by
// many goroutines at once.
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
func ClusterName(root string) string { return strings.Trim(cleanName(NameOf(root)), "-") }

// Open opens an index of the cluster.
func (c *Cluster) Open(ctx context.Context, name string, o Options) (*Library, error) {
	x, err := c.c.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	return openStored(ctx, x, c.label(name), clusterPool, o)
}

func (c *Cluster) label(name string) string { return name + " in the cluster" }

// Index brings an index of the cluster up to date with documents, as IndexDB does.
// What is there already is not sent again, so that a run that broke off goes on where
// it was.
func (c *Cluster) Index(ctx context.Context, name string, paths []string, o StoreOptions) (*StoreReport, error) {
	start := time.Now()
	corpus, err := findCorpus(o.Root)
	if err != nil {
		return nil, err
	}
	corpus.assist(o.Options)
	if err := corpus.choose(o.Options); err != nil {
		return nil, err
	}
	files, skipped, err := corpus.collect(ctx, paths, o)
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
	r := &StoreReport{Database: c.label(name), Skips: len(skipped), Skipped: append([]Skip{}, skipped[:min(len(skipped), maxSkips)]...)}
	w := &storeWriter{ctx: ctx, db: clusterStore{x}, c: corpus, o: o, report: r, batch: clusterBatch}
	if err := w.documents(files, paths); err != nil {
		return nil, err
	}
	r.Seconds = time.Since(start).Seconds()
	return r, nil
}

// Init makes what the cluster needs to keep indexes, with that many replicas of each;
// 0 means 3.
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

// A ClusterIndex is an index that it keeps.
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
	fmt.Fprintf(b, "Weaviate %s, %s\n", visible.Line(s.Version), plural(len(s.Nodes), "node"))
	for _, n := range s.Nodes {
		fmt.Fprintf(b, "  %s  %s\n", visible.Line(n.Name), strings.ToLower(visible.Line(n.Status)))
	}
	for _, x := range s.Indexes {
		fmt.Fprintf(b, "index %s: %s, %s\n", visible.Line(x.Name), plural(x.Files, "file"), plural(x.Chunks, "chunk"))
	}
	return b.String()
}
