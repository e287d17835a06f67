package visible

import (
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain text is left alone", "# Keys\n\n\tfoo — café 日本", "# Keys\n\n\tfoo — café 日本"},
		{"terminal escapes lose their escape", "a\x1b[31mred\x1b]0;title\x07", "a[31mred]0;title"},
		{"a carriage return cannot overwrite a line", "safe\rrm -rf", "saferm -rf"},
		{"bidirectional overrides", "a\u202eb\u2066c", "abc"},
		{"zero-width and byte order marks", "pass\u200bword\ufeff", "password"},
		{"tag characters", "hi\U000E0041\U000E0042", "hi"},
		{"C1 controls", "a\u009bb", "ab"},
		{"emoji joiners stay", "👩\u200d💻", "👩\u200d💻"},
		{"broken UTF-8 is shown as such", "a\xffb", "a\uFFFDb"},
		{"non-breaking space stays", "a\u00a0b", "a\u00a0b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in); got != tt.want {
				t.Errorf("Text(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if got := string(Bytes([]byte(tt.in))); got != tt.want {
				t.Errorf("Bytes(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) || Text(got) != got {
			t.Fatalf("Text(%q) = %q", s, got)
		}
		for _, r := range got {
			if Hidden(r) {
				t.Fatalf("Text(%q) lets %U through", s, r)
			}
		}
	})
}
