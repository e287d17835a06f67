package docent_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/library/corpus"
	"github.com/docent-md/docent/internal/needs"
	"github.com/docent-md/docent/internal/store"
)

// A testCluster is three nodes of Weaviate on this machine.
type testCluster struct {
	t      *testing.T
	server string // its program
	dir    string
	base   int // the first of its ports
	nodes  [3]*exec.Cmd
}

// startCluster starts the nodes, if DOCENT_WEAVIATE names the program ("make weaviate"
// builds it).
func startCluster(t *testing.T) *testCluster {
	t.Helper()
	server := os.Getenv("DOCENT_WEAVIATE")
	if server == "" {
		needs.Missing(t, "a Weaviate server", "DOCENT_WEAVIATE names none, and a cluster was not tried (make cluster)")
	}
	c := &testCluster{t: t, server: server, dir: t.TempDir(), base: freePorts(t)}
	t.Cleanup(func() {
		for i := range c.nodes {
			c.kill(i)
		}
	})
	for i := range c.nodes {
		c.start(i)
	}
	c.ready(0, 1, 2)
	return c
}

// freePorts returns the first of twenty that nobody uses.
func freePorts(t *testing.T) int {
	t.Helper()
next:
	for range 50 {
		base := 20_000 + 20*rand.IntN(1000)
		for p := base; p < base+20; p++ {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p))
			if err != nil {
				continue next
			}
			_ = l.Close()
		}
		return base
	}
	t.Fatal("no free ports")
	return 0
}

// start starts a node. A node exits at once when the one it joins does not listen yet,
// so that the first is waited for.
func (c *testCluster) start(i int) {
	c.t.Helper()
	data := filepath.Join(c.dir, fmt.Sprint("data", i))
	if err := os.MkdirAll(data, 0o700); err != nil {
		c.t.Fatal(err)
	}
	log, err := os.OpenFile(filepath.Join(c.dir, fmt.Sprint("node", i, ".log")), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	raft := func(i int) int { return c.base + 9 + 2*i }
	cmd := exec.Command(c.server, "--scheme", "http", "--host", "127.0.0.1", "--port", fmt.Sprint(c.base+15+i))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(),
		"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true", "DISABLE_TELEMETRY=true", "API_BASED_MODULES_DISABLED=true",
		"DEFAULT_VECTORIZER_MODULE=none", "AUTOSCHEMA_ENABLED=false", "GO_PROFILING_DISABLE=true", "LOG_LEVEL=warning",
		"CLUSTER_IN_LOCALHOST=true", "CLUSTER_BIND_ADDR=127.0.0.1", fmt.Sprint("CLUSTER_HOSTNAME=node", i), "PERSISTENCE_DATA_PATH="+data,
		fmt.Sprint("CLUSTER_GOSSIP_BIND_PORT=", c.base+2*i), fmt.Sprint("CLUSTER_DATA_BIND_PORT=", c.base+2*i+1), fmt.Sprint("GRPC_PORT=", c.base+6+i),
		fmt.Sprint("RAFT_PORT=", raft(i)), fmt.Sprint("RAFT_INTERNAL_RPC_PORT=", raft(i)+1),
		fmt.Sprintf("RAFT_JOIN=node0:%d,node1:%d,node2:%d", raft(0), raft(1), raft(2)), "RAFT_BOOTSTRAP_EXPECT=3",
	)
	for j := range c.nodes {
		if j != i && c.nodes[j] != nil {
			cmd.Env = append(cmd.Env, fmt.Sprint("CLUSTER_JOIN=127.0.0.1:", c.base+2*j))
			break
		}
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.nodes[i] = cmd
	if i == 0 && c.nodes[1] == nil {
		c.wait("the first node to listen", func() bool {
			conn, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", c.base))
			if err == nil {
				_ = conn.Close()
			}
			return err == nil
		})
	}
}

func (c *testCluster) kill(i int) {
	if n := c.nodes[i]; n != nil {
		_ = n.Process.Kill()
		_ = n.Wait()
		c.nodes[i] = nil
	}
}

func (c *testCluster) url(i int) string { return fmt.Sprint("http://127.0.0.1:", c.base+15+i) }

// ready waits for nodes.
func (c *testCluster) ready(nodes ...int) {
	c.t.Helper()
	for _, i := range nodes {
		c.wait(fmt.Sprintf("node %d to be ready", i), func() bool {
			res, err := http.Get(c.url(i) + "/v1/.well-known/ready")
			if err != nil {
				return false
			}
			_ = res.Body.Close()
			return res.StatusCode == http.StatusOK
		})
	}
}

func (c *testCluster) wait(what string, done func() bool) {
	c.t.Helper()
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if done() {
			return
		}
	}
	c.t.Fatalf("waited in vain for %s", what)
}

func (c *testCluster) urls() []string { return []string{c.url(0), c.url(1), c.url(2)} }

// open opens an index that the cluster keeps.
func (c *testCluster) open(ctx context.Context, name string) (*docent.Library, error) {
	return docent.OpenCluster(ctx, c.urls(), "", name, docent.Options{})
}

func (c *testCluster) client() *store.Cluster {
	c.t.Helper()
	client, err := store.NewCluster(c.urls(), "")
	if err != nil {
		c.t.Fatal(err)
	}
	return client
}

// contents are all documents and chunks of an index as one node has them: by id, the
// hash of what is kept. A node answers from its own replica.
func (c *testCluster) contents(node int, tenant string) (map[string]string, error) {
	out := map[string]string{}
	for class, properties := range map[string]string{
		"DocentChunk": "sid file row words titles terms targets title_length headings_length body_length",
		"DocentFile":  "path name origin hash bytes tokens lines sections chunks text loose",
	} {
		for after := ""; ; {
			query, _ := json.Marshal(map[string]string{"query": fmt.Sprintf(`{Get {%s(tenant: %q, limit: 1000, after: %q) {%s _additional {id}}}}`, class, tenant, after, properties)})
			res, err := http.Post(c.url(node)+"/v1/graphql", "application/json", bytes.NewReader(query))
			if err != nil {
				return nil, err
			}
			var reply struct {
				Data   struct{ Get map[string][]map[string]any }
				Errors []struct{ Message string }
			}
			err = json.NewDecoder(res.Body).Decode(&reply)
			_ = res.Body.Close()
			if err == nil && len(reply.Errors) > 0 {
				err = errors.New(reply.Errors[0].Message)
			}
			if err != nil {
				return nil, err
			}
			page := reply.Data.Get[class]
			for _, o := range page {
				after = o["_additional"].(map[string]any)["id"].(string)
				delete(o, "_additional")
				raw, _ := json.Marshal(o)
				name, _ := o["sid"].(string)
				if class == "DocentFile" {
					name, _ = o["path"].(string)
				}
				out[class+" "+name] = fmt.Sprintf("%x", sha256.Sum256(raw))
			}
			if len(page) < 1000 {
				break
			}
		}
	}
	return out, nil
}

// leader is the node that the others follow: the worst to lose.
func (c *testCluster) leader() int {
	res, err := http.Get(c.url(0) + "/v1/cluster/statistics")
	if err != nil {
		return 2
	}
	defer res.Body.Close()
	var reply struct {
		Statistics []struct {
			Leader string `json:"leaderId"`
		} `json:"statistics"`
	}
	if json.NewDecoder(res.Body).Decode(&reply) == nil {
		for _, s := range reply.Statistics {
			for i := range c.nodes {
				if s.Leader == fmt.Sprint("node", i) {
					return i
				}
			}
		}
	}
	return 2
}

// TestCluster is what a cluster of three nodes must stand. Its parts need each other's
// order.
func TestCluster(t *testing.T) {
	if urls := os.Getenv("DOCENT_TEST_CLUSTER"); urls != "" {
		importUntilKilled(t, strings.Split(urls, ","))
		return
	}
	c := startCluster(t)
	ctx := context.Background()
	client := c.client()
	n := 0
	inCluster := keeper{"cluster", func(t *testing.T, docs string) *docent.Library {
		n++
		name := fmt.Sprint("docs", n)
		if _, err := client.Index(ctx, name, nil, store.Options{Root: docs}); err != nil {
			t.Fatal(err)
		}
		lib, err := c.open(ctx, name)
		return opened(t, lib, err)
	}}
	t.Run("answers like the index", func(t *testing.T) { answerAlike(t, []keeper{keepers[0], inCluster}) })
	t.Run("reads like the index", func(t *testing.T) { readAlike(t, []keeper{keepers[0], inCluster}) })
	t.Run("references are those of now", func(t *testing.T) {
		referencesOfNow(t, func(ctx context.Context, name string, o store.Options) error {
			_, err := client.Index(ctx, name, []string{"docs"}, o)
			return err
		}, c.open)
	})
	t.Run("goes on after a kill", func(t *testing.T) { c.goesOn(t, client) })
	t.Run("parity", func(t *testing.T) { c.parity(t, client) })
	t.Run("loses a node", func(t *testing.T) { c.losesOne(t, client) })
	t.Run("loses two nodes", func(t *testing.T) { c.losesTwo(t) })
}

// The cluster passes the test of the database.
func (c *testCluster) parity(t *testing.T, client *store.Cluster) {
	set, err := eval.Load(needs.Shared(t, "eval", "k8s"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, files := context.Background(), filepath.Join(t.TempDir(), "files")
	if err := set.WriteFiles(files); err != nil {
		t.Fatal(err)
	}
	local, err := docent.OpenDir(ctx, files, filepath.Join(t.TempDir(), "index"), docent.Options{})
	opened(t, local, err)
	r, err := client.Index(ctx, "k8s", nil, store.Options{Root: files})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Text())
	if want := statusOf(t, local).Chunks; r.Chunks != want {
		t.Errorf("%d chunks were written, want %d", r.Chunks, want)
	}
	lib, err := c.open(ctx, "k8s")
	compareAnswers(t, set, local, opened(t, lib, err), 97)
}

// importUntilKilled is the program that goesOn kills.
func importUntilKilled(t *testing.T, urls []string) {
	client, err := store.NewCluster(urls, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Index(context.Background(), os.Getenv("DOCENT_TEST_TENANT"), nil, store.Options{Root: os.Getenv("DOCENT_TEST_DOCS")}); err != nil {
		t.Fatal(err)
	}
}

// An import that is killed with kill -9 goes on where it was, and what it leaves is what
// one that was not killed leaves.
func (c *testCluster) goesOn(t *testing.T, client *store.Cluster) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "docs")
	files := reference(t, dir, false)
	cmd := exec.Command(os.Args[0], "-test.run", "^TestCluster$")
	cmd.Env = append(os.Environ(), "DOCENT_TEST_CLUSTER="+c.url(0)+","+c.url(1), "DOCENT_TEST_TENANT=killed", "DOCENT_TEST_DOCS="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	c.wait("the first documents to count", func() bool {
		lib, err := c.open(ctx, "killed")
		if err != nil {
			return false
		}
		defer lib.Close()
		list, err := lib.Files(ctx, "")
		return err == nil && len(list.Files) > 0
	})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	r, err := client.Index(ctx, "killed", nil, store.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Text())
	if r.Kept == 0 || r.Written == 0 || r.Kept+r.Written != len(files) {
		t.Errorf("%d of %d documents were there, %d written: it was not killed half-way, or did not go on", r.Kept, len(files), r.Written)
	}
	if _, err := client.Index(ctx, "whole", nil, store.Options{Root: dir}); err != nil {
		t.Fatal(err)
	}
	var got, want map[string]string
	c.wait("the import to be whole", func() bool {
		if got, err = c.contents(0, "killed"); err != nil {
			t.Fatal(err)
		}
		if want, err = c.contents(0, "whole"); err != nil {
			t.Fatal(err)
		}
		return maps.Equal(got, want)
	})
	if len(want) <= len(files) {
		t.Errorf("only %d documents and chunks", len(want))
	}
	for _, name := range []string{"killed", "whole"} {
		if err := client.Drop(ctx, name); err != nil {
			t.Error(err)
		}
	}
}

// whole reports whether all of mdn-reference is imported, which takes minutes, and all
// 500 questions are compared: what "make cluster" does.
func whole() bool { return os.Getenv("DOCENT_PARITY") != "" }

// A node is killed while questions are asked and documents written: no question fails,
// no document is lost, nothing that was removed comes back, and the node has all of it
// when it is there again.
func (c *testCluster) losesOne(t *testing.T, client *store.Cluster) {
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "docs")
	files := reference(t, dir, whole())
	first, err := client.Index(ctx, "reference", nil, store.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(first.Text())
	if want := len(contentsOf(t, dir)); first.Files+first.Chunks != want {
		t.Fatalf("%d documents and %d chunks were written, together want %d", first.Files, first.Chunks, want)
	}
	lib, err := c.open(ctx, "reference")
	opened(t, lib, err)
	questions := 2000
	var asked atomic.Int64
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for n := asked.Add(1); n <= int64(questions); n = asked.Add(1) {
				text := []string{"abort a request", "event listener", "css grid", "array methods", "fetch headers"}[n%5]
				a, err := lib.Search(ctx, answer.Query{Text: text, Mode: answer.Lexical})
				if err != nil || len(a.Hits) == 0 {
					t.Errorf("question %d: %v", n, err)
					return
				}
			}
		})
	}
	for asked.Load() < int64(questions)/10 {
		time.Sleep(10 * time.Millisecond)
	}
	victim := c.leader()
	c.kill(victim)
	for i, f := range files {
		switch i % 4 {
		case 0:
			writeFile(t, f, "# Changed\n\nThis page was changed while a node was down.\n")
		case 1:
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := client.Index(ctx, "reference", nil, store.Options{Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Text())
	wait.Wait()
	want := contentsOf(t, dir)
	c.start(victim)
	c.ready(victim)
	began := time.Now()
	c.wait("the replicas to be equal", func() bool {
		var first map[string]string
		for i := range c.nodes {
			have, err := c.contents(i, "reference")
			if err != nil || len(have) != len(want) {
				return false
			}
			for id, hash := range have {
				if !want[id] || first != nil && first[id] != hash {
					return false
				}
			}
			first = have
		}
		return true
	})
	t.Logf("%d questions while the leader, node %d, was killed; %.0f s after its return all nodes hold the same %d documents and chunks",
		questions, victim, time.Since(began).Seconds(), len(want))
}

// contentsOf are the ids that contents must have for a folder.
func contentsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	cut, err := corpus.NewChunker(corpus.ChunkOptions{Max: 800})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	name := func(s string) string { return strings.TrimPrefix(s, filepath.ToSlash(dir)+"/") }
	_, err = corpus.Scan(context.Background(), []string{dir}, corpus.ScanOptions{}, func(d *doc.Document) error {
		out["DocentFile "+name(d.Path)] = true
		for _, r := range cut.Records(d) {
			out["DocentChunk "+name(r.SectionID)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// With most replicas gone there is no answer, and the reason is said.
func (c *testCluster) losesTwo(t *testing.T) {
	ctx := context.Background()
	lib, err := c.open(ctx, "docs1")
	opened(t, lib, err)
	c.kill(1)
	c.kill(2)
	a, err := lib.Search(ctx, answer.Query{Text: "exit codes"})
	if err == nil {
		t.Fatalf("answered with %d hits", len(a.Hits))
	}
	if !strings.Contains(err.Error(), "the cluster has lost most of its nodes") {
		t.Error(err)
	}
	c.kill(0)
	if _, err := lib.Search(ctx, answer.Query{Text: "exit codes"}); err == nil || !strings.Contains(err.Error(), "no node of the cluster answers") {
		t.Error(err)
	}
}

func sharedDir() string {
	if dir := os.Getenv("DOCENT_SHARED"); dir != "" {
		return dir
	}
	return filepath.Join("..", "shared")
}

// reference unpacks mdn-reference or a part of it, or makes something like that.
func reference(t *testing.T, dir string, whole bool) (files []string) {
	t.Helper()
	most := 600
	raw, err := os.Open(filepath.Join(sharedDir(), "corpora", "mdn-reference.tar.gz"))
	if err != nil {
		for i := range most {
			name := filepath.Join(dir, fmt.Sprintf("page%d.md", i))
			writeFile(t, name, fmt.Sprintf("# Page %d\n\nHow to abort a request, event listener, css grid, array methods, fetch headers.\n", i))
			files = append(files, name)
		}
		return files
	}
	defer raw.Close()
	z, err := gzip.NewReader(raw)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); whole || len(files) < most; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".md") {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		writeFile(t, name, string(data))
		files = append(files, name)
	}
	return files
}
