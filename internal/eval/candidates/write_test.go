package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A set of two files: the candidates of each question name sections that stand above it,
// and say which of them hold the judged lines.
func TestWriteSet(t *testing.T) {
	set, out := filepath.Join(t.TempDir(), "small"), t.TempDir()
	for name, text := range map[string]string{
		"files.jsonl": `{"_id": "keys.md", "text": "# Keys\n\n## Rotate keys\n\nRotate a key every month.\n\n## Delete keys\n\nDelete a key for ever.\n"}
{"_id": "logs.md", "text": "# Logs\n\nLogs tell when a key was used.\n"}
`,
		"queries.jsonl": `{"_id": "q1", "text": "how do I rotate a key?", "kind": "person", "type": "section"}
{"_id": "q2", "text": "key rings of castles", "kind": "none"}
`,
		"qrels.tsv": "query-id\tcorpus-id\tscore\tfile\tstart\tend\nq1\tkeys.md\t2\tkeys.md\t3\t5\n",
	} {
		if err := os.MkdirAll(set, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(set, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeAll(t.Context(), out, []string{set}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(out, "small.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var sections []section
	var questions []question
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `{"path"`) {
			sections = append(sections, decode[section](t, line))
			continue
		}
		q := decode[question](t, line)
		for _, c := range q.Candidates {
			if n := int(c[0].(float64)); n >= len(sections) {
				t.Errorf("question %s names section %d of %d", q.ID, n, len(sections))
			}
		}
		questions = append(questions, q)
	}
	if len(questions) != 2 {
		t.Fatalf("%d questions, want 2:\n%s", len(questions), text)
	}
	best := questions[0].Candidates[0]
	if s := sections[int(best[0].(float64))]; s.File != "keys.md" || !strings.Contains(s.Text, "every month") {
		t.Errorf("best candidate is %+v", s)
	}
	if places := best[2].([]any); len(places) != 1 || questions[0].Gains[0] != 2 || !questions[0].Prose {
		t.Errorf("question %+v: the best holds the judged lines", questions[0])
	}
	for _, c := range questions[1].Candidates {
		if len(c[2].([]any)) > 0 {
			t.Errorf("a question without judgements has an answer: %v", c)
		}
	}
}

func decode[T any](t *testing.T, line string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return v
}
