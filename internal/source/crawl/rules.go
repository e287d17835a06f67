package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// DefaultIgnore is the text of the rules for folders that hold no
// documentation of the tree itself: hidden ones, those of other people's code,
// and those that are generated.
const DefaultIgnore = `.*/
node_modules/
_build/
dist/
vendor/
`

const (
	// maxIgnore is the size above which a .gitignore is not obeyed but
	// reported. Longer ones are accidents: Chromium's has 5 kB.
	maxIgnore = 1 << 20

	// maxWild is how many bytes of rules with wildcards may be in force in one
	// folder. These are tried one by one on each path, so they bound the time
	// that a hostile tree can take from us: at most this number of steps for
	// each byte of a path, 5 to 10 ms for a name of 255. GitHub's longest
	// template has 3 kB.
	maxWild = 16 << 10
)

// rules are the .gitignore files in force in one folder, the deepest first.
type rules struct {
	*Ignore
	above *rules
	file  string // path of the ignore file, for messages
	base  int    // length of the part of a path that is above the file's folder
	wild  int    // bytes of rules with wildcards, here and above
}

// match returns the deciding rule about a path and the file it stands in.
func (r *rules) match(path string, isDir bool) (*Rule, *rules) {
	for ; r != nil; r = r.above {
		if rule := r.Match(path[r.base:], isDir); rule != nil {
			return rule, r
		}
	}
	return nil, nil
}

// load puts an ignore file in front of r. The file is name in the folder at,
// which is relative to f, and base is the path of that folder; both are empty or
// end in "/". The Skip is for a file that is there but cannot be obeyed.
func (r *rules) load(f folder, at, base, name string) (*rules, *Skip) {
	bad := func(format string, args ...any) (*rules, *Skip) {
		return r, &Skip{Path: base + name, Reason: BadIgnore, Detail: fmt.Sprintf(format, args...)}
	}
	// Git does not follow links here either.
	info, err := f.lstat(at + name)
	switch {
	case err != nil || info.IsDir():
		return r, nil
	case !info.Mode().IsRegular():
		return bad("not a regular file")
	}
	_, data, err := readRegular(f, at+name, maxIgnore)
	if err != nil {
		return bad("%v", cause(err))
	}
	if data == nil || len(data) > maxIgnore {
		return bad("over the limit of %d bytes", maxIgnore)
	}
	g := ParseIgnore(data)
	n := &rules{Ignore: g, above: r, file: base + name, base: len(base), wild: g.wild}
	if r != nil {
		n.wild += r.wild
	}
	if n.wild > maxWild {
		return bad("its rules with wildcards and those above it take over %d bytes", maxWild)
	}
	return n, nil
}

// exclude is git's own name for the ignore file that is not part of the tree.
const exclude = ".git/info/exclude"

// outside returns the rules that hold for the tree because of where it is:
// those of the git repository around it. Paths are then relative to that
// repository; prefix, empty or ending in "/", is the tree's own.
func (t *Tree) outside() (r *rules, prefix string, skipped []Skip) {
	if t.abs == "" {
		return nil, "", nil
	}
	dir, err := filepath.EvalSymlinks(t.abs)
	if err != nil {
		return nil, "", nil
	}
	repo := dir
	for !isRepository(repo) {
		up := filepath.Dir(repo)
		if up == repo {
			return nil, "", nil
		}
		repo = up
	}
	rel, err := filepath.Rel(repo, dir)
	if err != nil || rel == "." {
		return nil, "", nil // the walk itself meets the repository's files
	}
	root, err := os.OpenRoot(repo)
	if err != nil {
		return nil, "", nil
	}
	defer root.Close()
	prefix = filepath.ToSlash(rel) + "/"
	load := func(at, name string) {
		var skip *Skip
		if r, skip = r.load(rootFolder{root}, at, at, name); skip != nil {
			skip.Path = strings.Repeat("../", strings.Count(prefix[len(at):], "/")) + name
			skipped = append(skipped, *skip)
		}
	}
	load("", exclude)
	for i, c := range []byte(prefix) {
		if i == 0 || prefix[i-1] == '/' {
			load(prefix[:i], ".gitignore")
		}
		if c == '/' {
			if rule, _ := r.match(prefix[:i], true); rule != nil && !rule.Negated {
				return nil, "", nil
			}
		}
	}
	return r, prefix, skipped
}

// isRepository reports whether dir is the top of a git working tree. In linked
// ones and submodules .git is a file.
func isRepository(dir string) bool {
	info, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil && (info.IsDir() || info.Mode().IsRegular())
}
