package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Chats, subagents and users share one connection, and a compacted conversation has
// forgotten what it read: all got an empty hit for text that they never saw.
func TestTwoAgentsOnOneClientGetTheSameText(t *testing.T) {
	cs := dial(t, newServer(t, fixed(docs)))
	for tool, args := range map[string]object{
		"search":      {"query": "rotate keys", "limit": 1},
		"get_section": {"ref": "keys.md#rotate-keys"},
		"read":        {"ref": "keys.md"},
	} {
		first, _ := call(t, cs, tool, args)
		second, _ := call(t, cs, tool, args)
		if first != second || !strings.Contains(first, "switch over") {
			t.Errorf("%s: first %q\nsecond %q", tool, first, second)
		}
	}
	list, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if raw, _ := jsonOf(tool.InputSchema); strings.Contains(string(raw), `"again"`) || !tool.Annotations.IdempotentHint {
			t.Errorf("%s: %s", tool.Name, raw)
		}
	}
}

// A caller that names a session is sent the same text once, by whatever tool.
func TestACallMayNameASession(t *testing.T) {
	s := newServer(t, fixed(docs))
	cs := dial(t, s)
	q := object{"query": "rotate keys", "limit": 1, "session": "a"}
	first, _ := call(t, cs, "search", q)
	second, _ := call(t, cs, "search", q)
	if !strings.Contains(first, "switch over") || strings.Contains(second, "switch over") || !strings.Contains(second, "sent before") {
		t.Errorf("first %q\nsecond %q", first, second)
	}
	if third, _ := call(t, cs, "search", object{"query": "rotate keys", "limit": 1, "session": "a", "again": true}); third != first {
		t.Errorf("again gives %q", third)
	}
	if text, _ := call(t, cs, "search", object{"query": "rotate keys", "limit": 1, "session": "b"}); text != first {
		t.Errorf("another session is told %q", text)
	}
	if text, _ := call(t, dial(t, s), "search", q); text != first {
		t.Errorf("the same name on another connection is told %q", text)
	}
	section, _ := call(t, cs, "get_section", object{"ref": "keys.md#rotate-keys", "session": "a"})
	if strings.Contains(section, "switch over") || !strings.HasPrefix(section, "# keys.md#rotate-keys:5-9@") {
		t.Errorf("get_section after search gives %q", section)
	}
	long := fstest.MapFS{"a.md": file("# A\n\n" + strings.Repeat("many words here.\n", 50))}
	cs = dial(t, newServer(t, fixed(long)))
	first, _ = call(t, cs, "read", object{"ref": "a.md", "session": "a"})
	second, _ = call(t, cs, "read", object{"ref": "a.md", "session": "a"})
	if len(second) > 200 || len(first) < 500 {
		t.Errorf("read gives %q again", second)
	}
}

func TestHTTPClientsMayNameASession(t *testing.T) {
	h := at("127.0.0.1:1", newServer(t, fixed(docs)).Handler())
	ask := func(session string) string {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"rotate keys","session":` + strconv.Quote(session) + `}}}`
		return post(h, "localhost:1", "", "", "/mcp", body).Body.String()
	}
	if s := ask("a"); !strings.Contains(s, "switch over") {
		t.Errorf("first: %s", s)
	}
	if s := ask("a"); strings.Contains(s, "switch over") {
		t.Errorf("again: %s", s)
	}
	for _, other := range []string{"b", "", ""} {
		if s := ask(other); !strings.Contains(s, "switch over") {
			t.Errorf("session %q: %s", other, s)
		}
	}
}

// With Remember a connection is a session, where the protocol has sessions, and the
// client is told so.
func TestRememberIsForConnectionsThatAreSessions(t *testing.T) {
	o := fixed(docs)
	o.Remember = true
	s := newServer(t, o)
	c := dialRaw(t, s) // a revision with sessions
	ask := func(id int) string {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_section","arguments":{"ref":"keys.md"}}}`+"\n", id))
		c.next()
		return c.out.Text()
	}
	if first, second := ask(1), ask(2); first == second || !strings.Contains(second, sentBefore) {
		t.Errorf("first %s\nsecond %s", first, second)
	}
	if !strings.Contains(s.instructions(), "again=true") {
		t.Errorf("instructions: %s", s.instructions())
	}
	cs := dial(t, s) // the newest revision, which has none
	if cs.InitializeResult().ProtocolVersion < sessionless {
		t.Fatal("the client speaks an old revision")
	}
	first, _ := call(t, cs, "read", object{"ref": "keys.md"})
	if second, _ := call(t, cs, "read", object{"ref": "keys.md"}); first != second {
		t.Errorf("without sessions: %q", second)
	}
	list, err := cs.ListTools(t.Context(), &mcp.ListToolsParams{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if sends := strings.Contains("search get_section read", tool.Name); tool.Annotations.IdempotentHint == sends {
			t.Errorf("%s: idempotent %v", tool.Name, tool.Annotations.IdempotentHint)
		}
	}
}

// What was sent is forgotten, as conversations forget: after a while, and after calls.
func TestWhatWasSentExpires(t *testing.T) {
	var s sent
	s.add([]uint64{1, 2})
	if !s.has([]uint64{1, 2}) || s.has([]uint64{1, 3}) || s.has(nil) {
		t.Error("just sent")
	}
	for range sentCalls {
		s.add(nil)
	}
	if s.has([]uint64{1}) {
		t.Errorf("remembered after %d answers", sentCalls)
	}
	s.add([]uint64{1})
	s.lines[1] = sending{time.Now().Add(-sentFor - time.Second), s.calls}
	if s.has([]uint64{1}) {
		t.Errorf("remembered after %v", sentFor)
	}
}

func TestSessionsAreForgotten(t *testing.T) {
	var s Sessions
	first := s.of(nil, "first")
	for i := range maxSessions + 10 {
		s.of(nil, strconv.Itoa(i))
	}
	if len(s.byID) > maxSessions || s.of(nil, "first") == first {
		t.Errorf("%d sessions", len(s.byID))
	}
}
