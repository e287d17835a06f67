package tool

import (
	"strings"
	"testing"
)

// What cite prints, verify takes.
func TestCite(t *testing.T) {
	lib := library(t)
	c, err := CallString(t.Context(), lib, "cite", []byte(`{"ref": "guide/keys.md::Rotate"}`))
	if err != nil || !strings.HasPrefix(c, "guide/keys.md#rotate:5-7@") {
		t.Fatalf("%q, %v", c, err)
	}
	v, err := CallString(t.Context(), lib, "verify", []byte(`{"citation": "`+strings.TrimSpace(c)+`"}`))
	if err != nil || v != "same\n" {
		t.Errorf("verify says %q, %v", v, err)
	}
	got := &citation{Citation: "keys.md:1-2@012345"}
	if got.PrefixRefs("api"); got.Citation != "api:keys.md:1-2@012345" {
		t.Errorf("of a named index: %q", got.Citation)
	}
}
