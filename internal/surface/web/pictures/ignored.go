package pictures

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/internal/source/crawl"
	"github.com/docent-md/docent/internal/source/git"
)

// maxRules is the size in bytes of the largest .gitignore that is read.
const maxRules = 1 << 20

// isIgnored reports whether git would leave a file of the folder out, by the rules of the
// folders on the way to it, from the top of the work tree on. What a rule ignores stays so,
// even if one in a folder below takes it back: what is not in the repository, such as keys
// for this machine, is not for readers.
func (f *Folder) isIgnored(name string) bool {
	dir, rest := f.Dir, strings.Split(filepath.ToSlash(name), "/")
	if top, under := git.Under(f.Dir); top != "" && under != "." {
		dir, rest = top, append(strings.Split(under, "/"), rest...)
	}
	for len(rest) > 0 {
		rules := crawl.ParseIgnore(rulesIn(dir))
		for n := range rest {
			if rule := rules.Match(strings.Join(rest[:n+1], "/"), n+1 < len(rest)); rule != nil && !rule.Negated {
				return true
			}
		}
		dir, rest = filepath.Join(dir, rest[0]), rest[1:]
	}
	return false
}

// rulesIn is the text of the .gitignore of a folder, if it has one.
func rulesIn(dir string) []byte {
	file := filepath.Join(dir, ".gitignore")
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || info.Size() > maxRules {
		return nil
	}
	data, _ := os.ReadFile(file)
	return data
}
