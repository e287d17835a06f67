package mcp

import (
	"strings"
	"testing"
	"testing/fstest"
)

// Several places are one call: they share the budget of the answer, a place that is not
// there does not cost the others, and what was sent before is not sent again.
func TestSeveralPlacesInOneCall(t *testing.T) {
	cs := dial(t, newServer(t, fixed(docs)))
	text, failed := call(t, cs, "get_section", map[string]any{"refs": []string{"keys.md#rotate-keys", "guide/logs.md"}, "session": "s"})
	if failed || !strings.Contains(text, "Make a second key") || !strings.Contains(text, "Logs go to standard error") {
		t.Errorf("two sections are\n%s", text)
	}
	text, failed = call(t, cs, "get_section", map[string]any{"refs": []string{"keys.md#rotate-keys", "guide/logs.md"}, "session": "s"})
	if failed || strings.Contains(text, "Make a second key") || strings.Count(text, "sent before") != 2 {
		t.Errorf("what was sent before is sent again:\n%s", text)
	}
	text, failed = call(t, cs, "read", map[string]any{"ref": "keys.md:1-3", "refs": []string{"kes.md"}})
	if failed || !strings.Contains(text, "Keys let programs in") || !strings.Contains(text, "document not found: kes.md; did you mean keys.md?") {
		t.Errorf("a place that is missing gives\n%s", text)
	}
	text, _ = call(t, cs, "read", map[string]any{"refs": `["keys.md:1-1", "guide/logs.md:1-1"]`})
	if !strings.Contains(text, "# Keys") || !strings.Contains(text, "# Logs") {
		t.Errorf("a list in a string gives\n%s", text)
	}
	// An agent is shown the parameter for one place, and passes the list there.
	text, _ = call(t, cs, "read", map[string]any{"ref": []string{"keys.md:1-1", "guide/logs.md:1-1"}})
	if !strings.Contains(text, "# Keys") || !strings.Contains(text, "# Logs") {
		t.Errorf("a list for the one place gives\n%s", text)
	}
	if text, failed = call(t, cs, "read", map[string]any{"ref": []int{1}}); !failed {
		t.Errorf("a list of numbers gives\n%s", text)
	}
}

// Conditions choose documents, in the question and apart from it, though the definitions
// do not show the parameter.
func TestConditionsOverMCP(t *testing.T) {
	cs := dial(t, newServer(t, fixed(fstest.MapFS{
		"a.md": file("---\nstatus: draft\n---\n# Keys\n\nKeys, drafted.\n"),
		"b.md": file("---\nstatus: final\n---\n# Keys\n\nKeys, final.\n"),
	})))
	for _, c := range []struct {
		tool string
		args map[string]any
	}{
		{"search", map[string]any{"query": "keys status:draft"}},
		{"search", map[string]any{"query": "keys", "where": []string{"status=draft"}}},
		{"search", map[string]any{"query": "keys", "where": "status!=final"}},
		{"grep", map[string]any{"pattern": "keys", "where": "status=draft"}},
		{"toc", map[string]any{"where": "status=draft"}},
	} {
		text, failed := call(t, cs, c.tool, c.args)
		if failed || !strings.Contains(text, "a.md") || strings.Contains(text, "b.md") {
			t.Errorf("%s %v gives\n%s", c.tool, c.args, text)
		}
	}
	text, failed := call(t, cs, "search", map[string]any{"query": "keys status:daft"})
	if !failed || !strings.Contains(text, "no document has the value: status=daft\ndid you mean status=draft") {
		t.Errorf("a value that is not there gives\n%s", text)
	}
}
