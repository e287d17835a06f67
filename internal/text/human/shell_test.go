package human

import "testing"

func TestCommandWord(t *testing.T) {
	for _, tt := range []struct{ word, unix, windows string }{
		{"docs", "docs", "docs"},
		{"", "''", `""`},
		{"my docs", "'my docs'", `"my docs"`},
		{"it's", `'it'\''s'`, `"it's"`},
		{`C:\docs`, `'C:\docs'`, `C:\docs`},
		{`C:\my docs\`, `'C:\my docs\'`, `"C:\my docs\\"`},
		{"a&b", "'a&b'", `"a&b"`},
		{"$HOME it's", `'$HOME it'\''s'`, "'$HOME it''s'"},
	} {
		if got := CommandWord(tt.word, "linux"); got != tt.unix {
			t.Errorf("%q on Linux: got %s, want %s", tt.word, got, tt.unix)
		}
		if got := CommandWord(tt.word, "windows"); got != tt.windows {
			t.Errorf("%q on Windows: got %s, want %s", tt.word, got, tt.windows)
		}
	}
}
