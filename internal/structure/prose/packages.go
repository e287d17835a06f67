package prose

import (
	"regexp"

	"github.com/docent-md/docent/internal/structure/code"
)

var pathLike = regexp.MustCompile(`[\w./-]+(?:\{[^}]*\}[\w./-]*)?`)

// MissingPackages finds packages of m, and others, whose folder a document does
// not name. The root needs no name. `a/{b,c}` names two.
func MissingPackages(text string, m *code.Module, others ...string) []Fault {
	named := map[string]bool{}
	for _, word := range pathLike.FindAllString(text, -1) {
		for _, dir := range expand(word) {
			named[trimPath(dir)] = true
		}
	}
	var faults []Fault
	missing := func(dir string) {
		if dir != "." && !named[dir] {
			faults = append(faults, Fault{Text: "package " + dir + " is not named"})
		}
	}
	for _, p := range m.Packages {
		missing(p.Dir)
	}
	for _, dir := range others {
		missing(dir)
	}
	return faults
}

// trimPath takes a full stop or slash off the end of a path.
func trimPath(path string) string {
	for len(path) > 0 && (path[len(path)-1] == '.' || path[len(path)-1] == '/') {
		path = path[:len(path)-1]
	}
	return path
}
