package snapshot

import "testing"

func TestSlashed(t *testing.T) {
	for _, tt := range []struct{ pattern, system, want string }{
		{`sub\*`, "windows", "sub/*"},
		{`!sub\deeper\**`, "windows", "!sub/deeper/**"},
		{`sub\`, "windows", "sub/"},
		{"sub/*.md", "windows", "sub/*.md"},
		{`sub\*`, "linux", `sub\*`}, // a star that is part of a name
	} {
		if got := slashed(tt.pattern, tt.system); got != tt.want {
			t.Errorf("%s on %s: got %s, want %s", tt.pattern, tt.system, got, tt.want)
		}
	}
}
