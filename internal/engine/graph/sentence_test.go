package graph_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/docent-md/docent/internal/engine/graph"
)

func TestFirstSentence(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"one of several", "Keys are rotated. Daily.", "Keys are rotated."},
		{"lines are joined", "Keys are\nrotated.\nDaily.", "Keys are rotated."},
		{"a question", "Why? Because.", "Why?"},
		{"no end", "Keys", "Keys"},
		{"nothing", " \n ", ""},
		{"abbreviations", "Use a tool, e.g. curl, vs. wget. Then stop.", "Use a tool, e.g. curl, vs. wget."},
		{"numbers", "Version 1.2 is out. Get it.", "Version 1.2 is out."},
		{"file names", "Edit config.yaml. Save.", "Edit config.yaml."},
		{"a lower-case word goes on", "The .md ext. is read. So.", "The .md ext. is read."},
		{"initials", "By J. Doe and others. End.", "By J. Doe and others."},
		{"numbered items", "1. Open it. 2. Close it.", "1. Open it."},
		{"quotes close it", `He said "stop." Then left.`, `He said "stop."`},
		{"a colon before a list", "There are two:\n\none\ntwo", "There are two:"},
		{"a paragraph ends it", "No full stop\n\nNext one.", "No full stop"},
		{"Chinese", "密钥会轮换。每天一次。", "密钥会轮换。"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := graph.FirstSentence(tt.text); got != tt.want {
				t.Errorf("FirstSentence(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// A summary is one line of bounded length, whatever it is made of.
func FuzzFirstSentence(f *testing.F) {
	f.Add("Keys are rotated. Daily.")
	f.Add(strings.Repeat("word ", 200))
	f.Add(strings.Repeat("密", 200))
	f.Add(strings.Repeat("...", 2000))
	f.Fuzz(func(t *testing.T, text string) {
		got := graph.FirstSentence(text)
		if len(got) > 260 || strings.ContainsAny(got, "\n\r") {
			t.Fatalf("FirstSentence(%q) = %q", text, got)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("FirstSentence(%q) cuts a character", text)
		}
	})
}
