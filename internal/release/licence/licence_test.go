package licence

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write THIRD_PARTY.txt")

var systems = []string{"linux/amd64", "darwin/arm64", "windows/amd64"}

// THIRD_PARTY.txt is what the licences of others ask for. Go's own version is left out of
// it, which changes with the toolchain.
func TestThirdPartyIsCurrent(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	modules, err := Modules(t.Context(), root, "./cmd/docent", systems)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range Refused(modules) {
		t.Errorf("%s: a dependency needs a licence that the program can carry", fault)
	}
	modules[0].Version = ""
	file, text := filepath.Join(root, "THIRD_PARTY.txt"), Text("docent", modules)
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil || string(have) != text {
		t.Errorf("THIRD_PARTY.txt is out of date: make docs writes it (%v)", err)
	}
	for _, name := range []string{"std", "github.com/spf13/cobra", "github.com/inconshreveable/mousetrap", "@mermaid-js/tiny"} {
		if !slices.ContainsFunc(modules, func(m Module) bool { return m.Path == name }) {
			t.Errorf("%s is not among the modules", name)
		}
	}
}

func TestRefused(t *testing.T) {
	got := Refused([]Module{
		{Path: "a", SPDX: "MIT", Texts: []string{"x"}},
		{Path: "b", SPDX: "MIT AND MPL-2.0", Texts: []string{"x"}},
		{Path: "c"},
	})
	if want := []string{"b: MPL-2.0", "c: no licence that we know"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestIdentify(t *testing.T) {
	const two = "Redistributions in binary form must reproduce the above\ncopyright notice"
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0": "Apache-2.0",
		two:                              "BSD-2-Clause",
		two + " ... may be used to endorse or promote products derived from": "BSD-3-Clause",
		"All rights reserved.": "",
	} {
		if got := strings.Join(Identify(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
