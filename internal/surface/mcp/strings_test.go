package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
	"github.com/docent-md/docent/tool"
)

// stringFrames are a message of every method, with $ for each string that a client
// chooses.
func stringFrames() []string {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"$","io.modelcontextprotocol/clientInfo":{"name":"$","version":"$"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"$"}`
	frames := []string{
		`{"jsonrpc":"2.0","id":"$","method":"$","params":{}}`,
		`{"jsonrpc":"$","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"$","capabilities":{"$":{}},"clientInfo":{"name":"$","version":"$"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"$","arguments":{"$":"$"},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"cursor":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docent://demo/$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"docent://demo/keys.md","$":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{"uri":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"$","arguments":{"$":"$"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask-docs","arguments":{"question":"$"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"$","uri":"$","name":"$"},"argument":{"name":"$","value":"$"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"docent://demo/{+path}"},"argument":{"name":"path","value":"$"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"$"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"$":"$"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"$","reason":"$"}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"$","progress":1,"message":"$"}}`,
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"$":"$"}}`,
		`{"jsonrpc":"2.0","id":"$","result":{"$":"$"}}`,
		`{"jsonrpc":"2.0","id":"$","error":{"code":1,"message":"$"}}`,
	}
	for _, op := range tool.All() {
		for _, f := range op.Input {
			frames = append(frames, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":{%q:"$"}}}`, op.Name, f.Name))
		}
	}
	return frames
}

// oddStrings are the insides of JSON strings, valid and not, that are hard to print.
func oddStrings() []string {
	out := []string{
		"", `\"`, `\\`, `\\x1b`, "%s%d%n%v", `%!q`, "\x7f", "\u0080", "\u009b", "\u2028", "\u2029", "\u202e", "\ufeff", "\ufffe", "\uffff",
		"\U000e0041", "\U0010ffff", "\U0001fffe", "\ue000", `\ud800`, `\udfff\ud800`, "\xff\xfe", "\xed\xa0\x80", "\xc0\x80", `\u0000`, `a\u0000b`,
		`\r\nX: y`, `\r\n\r\n`, "</script>", "{{.}}", "$(id)", "`id`", "../../etc/passwd", `\ud83d\ude00`, strings.Repeat("a", 100_000), strings.Repeat(`\u0001`, 2000),
	}
	for c := range 0x20 {
		out = append(out, fmt.Sprintf(`docent://\u%04x`, c))
	}
	for c := 0x7f; c < 0xa0; c++ {
		out = append(out, fmt.Sprintf(`keys.md#\u%04x`, c))
	}
	return out
}

// Whatever strings a client puts into any field of any method, the session goes on, and
// says nothing that is not a message. A control character in a URI ended it once: the
// answer quoted it as Go does, which is not JSON.
func TestAnyStringOfAnyMethodIsAnswered(t *testing.T) {
	o := fixed(docs)
	o.Tools = "all"
	s := newServer(t, o)
	c := dialRaw(t, s)
	h := at("127.0.0.1:1", s.Handler())
	rng := rand.New(rand.NewPCG(5, 6))
	tried := 0
	frames, odd := stringFrames(), oddStrings()
	for _, frame := range frames {
		slots := strings.Count(frame, "$")
		for slot := range slots {
			for i, value := range odd {
				if (i+slot)%rounds(5, 3, 1) != 0 {
					continue
				}
				parts := strings.Split(frame, "$")
				b := &bytes.Buffer{}
				for n, part := range parts[:len(parts)-1] {
					b.WriteString(part)
					switch {
					case n == slot:
						b.WriteString(value)
					case rng.IntN(3) == 0:
						b.WriteString(odd[rng.IntN(len(odd)-70)])
					default:
						b.WriteString("x")
					}
				}
				b.WriteString(parts[len(parts)-1])
				line := bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte(" "))
				c.send(string(line) + "\n")
				c.alive(tried)
				if tried++; tried%4 == 0 { // over HTTP, the answer is one that can be read
					if w := post(h, "localhost:1", "", "", Path, string(line)); w.Code >= 500 || w.Code == http.StatusOK && !answered(w.Body.Bytes()) {
						t.Errorf("%.200q: status %d, %.200q", line, w.Code, w.Body)
					}
				}
			}
		}
	}
	cases.Tried(t, "M3", tried)
}

// answered reports whether the body of an HTTP answer is a message, or events that are.
func answered(body []byte) bool {
	if json.Valid(body) {
		return true
	}
	found := false
	for line := range bytes.Lines(body) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && len(bytes.TrimSpace(data)) > 0 {
			found = true
			if !json.Valid(data) {
				return false
			}
		}
	}
	return found
}
