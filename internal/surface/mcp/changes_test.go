package mcp

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/library/refresh"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A client is told when a document comes or goes, and when one changes that it has
// subscribed to.
func TestClientsAreToldOfChanges(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	write(t, dir, "a.md", "# Alpha\n\nText about alpha.\n")
	watch := func(ctx context.Context, changed func()) error {
		return refresh.Watch(ctx, dir, refresh.WatchOptions{Debounce: 10 * time.Millisecond}, changed)
	}
	s := newServer(t, openDisk(t, dir, docent.Options{Background: &docent.Background{Interval: time.Hour, Watch: watch}}))
	c := dialRaw(t, s) // of a revision in which notifications need no subscription
	if a := c.alive(1); len(a) > 0 {
		t.Fatalf("told of %v", a)
	}
	c.send(`{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"` + s.files.corpora[0].uri("a.md") + `"}}` + "\n")
	if a := c.next(); a.Error != nil {
		t.Fatal(a.Error)
	}
	c.send(`{"jsonrpc":"2.0","id":8,"method":"resources/subscribe","params":{"uri":"file:///etc/passwd"}}` + "\n")
	if a := c.next(); a.Error == nil {
		t.Error("a subscription to a file elsewhere was accepted")
	}
	soon(t, func() string {
		s.files.corpora[0].seen.mu.Lock()
		defer s.files.corpora[0].seen.mu.Unlock()
		if len(s.files.corpora[0].seen.files) != 1 {
			return "the documents are not known yet"
		}
		return ""
	})
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { write(t, dir, "b.md", "# Beta\n\nText.\n") }, "notifications/resources/list_changed"},
		{func() { write(t, dir, "a.md", "# Alpha\n\nOther text about alpha.\n") }, "notifications/resources/updated"},
		{func() { _ = os.Remove(filepath.Join(dir, "b.md")) }, "notifications/resources/list_changed"},
	} {
		step.do()
		if a := c.next(); a.Method != step.want {
			t.Errorf("told of %q, want %q: %s", a.Method, step.want, c.out.Text())
		}
	}
	// The description of search is that of the front page. It stayed what it was at the start.
	write(t, dir, "README.md", "# Letters\n\nAll about letters.\n")
	told := []string{c.next().Method, c.next().Method}
	if slices.Sort(told); !slices.Equal(told, []string{"notifications/resources/list_changed", "notifications/tools/list_changed"}) {
		t.Errorf("a front page came, and a client is told of %v", told)
	}
	if a := s.docs.about(); a.description != "All about letters" {
		t.Errorf("the documents are about %q", a.description)
	}
}

// In a client's menu a document has its title, its size and when it was changed.
func TestResourcesHaveTitlesSizesAndDates(t *testing.T) {
	dir, o := onDisk(t, map[string]string{"a.md": "# Alpha\n\nText about alpha.\n"}, eager)
	old := time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "a.md"), old, old); err != nil {
		t.Fatal(err)
	}
	list, err := dial(t, newServer(t, o)).ListResources(t.Context(), &mcp.ListResourcesParams{})
	if err != nil || len(list.Resources) != 1 {
		t.Fatal(err, list)
	}
	r := list.Resources[0]
	if r.Title != "Alpha" || r.Size != 27 || r.Annotations == nil || r.Annotations.LastModified != "2025-01-02T03:04:05Z" {
		t.Errorf("%+v, %+v", r, r.Annotations)
	}
}

// A client that waits for the first index, and asks for it, is told how far that is.
func TestProgressOfTheFirstIndex(t *testing.T) {
	told := make(chan float64, 100)
	s := newServer(t, fixed(docs))
	cs := dialWith(t, s, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
		told <- req.Params.Progress
	}})
	slow := &slowLibrary{done: make(chan struct{})}
	s.mcp.AddTool(&mcp.Tool{Name: "slow", InputSchema: object{"type": "object"}}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, ready(ctx, slow, req)
	})
	params := &mcp.CallToolParams{Name: "slow"}
	params.SetProgressToken("p")
	go func() {
		if n := <-told; n != 42 {
			t.Errorf("%v files", n)
		}
		close(slow.done)
	}()
	if _, err := cs.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
}

// A slowLibrary has read 42 files, and is ready when done is closed.
type slowLibrary struct{ done chan struct{} }

func (l *slowLibrary) Ready(ctx context.Context) error {
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *slowLibrary) FileCount() (files int, ok bool) { return 42, false }

// Over HTTP, too, a client that asks for it is told how far the first index is: each
// notification comes in the stream of its call, while the call runs. Nothing was told
// there before the answer if notifications were kept until it is whole.
func TestProgressOverHTTP(t *testing.T) {
	told := make(chan *mcp.ProgressNotificationParams, 100)
	s := newServer(t, fixed(docs))
	slow := &slowLibrary{done: make(chan struct{})}
	s.mcp.AddTool(&mcp.Tool{Name: "slow", InputSchema: object{"type": "object"}}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, ready(ctx, slow, req)
	})
	url, stop := listen(t, s, "127.0.0.1:0")
	defer func() { _ = stop() }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { told <- req.Params },
	})
	cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	go func() {
		if p := <-told; p.Progress != 42 || p.ProgressToken != "over HTTP" {
			t.Errorf("told %+v", p)
		}
		close(slow.done) // the call does not end before
	}()
	params := &mcp.CallToolParams{Name: "slow"}
	params.SetProgressToken("over HTTP")
	if _, err := cs.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
}
