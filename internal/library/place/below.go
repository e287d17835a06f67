package place

import (
	"strings"

	"github.com/docent-md/docent/internal/library/snapshot"
)

// Below returns what tells whether a file is one of some paths, or below one: files and
// folders of the corpus, as people may spell them or name them from the working
// directory, and globs. No paths mean all files. A path that leads to no file is an error.
func Below(v *snapshot.View, paths []string) (func(file string) bool, error) {
	var all []func(string) bool
	for _, p := range paths {
		in, err := below(v, p)
		if err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return func(file string) bool {
		for _, in := range all {
			if in(file) {
				return true
			}
		}
		return len(all) == 0
	}, nil
}

func below(v *snapshot.View, name string) (func(string) bool, error) {
	if strings.ContainsAny(name, "*?[") {
		return func(file string) bool { return snapshot.MatchPath([]string{name}, file) }, snapshot.CheckGlob(name)
	}
	files, err := v.Files()
	if err != nil {
		return nil, err
	}
	spellings := Spellings(name)
	if here := fromHere(v, name); here != "" {
		spellings = append(spellings, here)
		if name == "." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
			spellings = []string{here} // it cannot be the name of a document
		}
	}
	for _, p := range spellings {
		if p = strings.Trim(p, "/"); p == "." {
			p = ""
		}
		in := func(file string) bool { return p == "" || file == p || strings.HasPrefix(file, p+"/") }
		for _, k := range files {
			if in(k.Path) {
				return in, nil
			}
		}
	}
	return nil, NoFile(v, name)
}
