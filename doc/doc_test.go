package doc

import "testing"

func TestEndLines(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"a lone CR ends a line", "a\rb\r", "a\nb\n"},
		{"CRLF stays one line end", "a\r\nb\r\n", "a\r\nb\r\n"},
		{"a CR before CRLF is a line end of its own", "a\r\r\nb", "a\n\r\nb"},
		{"LF and CR are two line ends", "a\n\rb", "a\n\nb"},
		{"text without any is left alone", "ab\n", "ab\n"},
		{"nothing", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(EndLines([]byte(tt.in))); got != tt.want {
				t.Errorf("EndLines(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
