package snapshot

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/docent-md/docent/internal/glob"
)

// CheckGlob says what is wrong with a pattern for files.
func CheckGlob(pattern string) error {
	if pattern != "" && !glob.Valid(slashed(pattern, runtime.GOOS)) {
		return fmt.Errorf("file pattern %q: not a valid glob", pattern)
	}
	return nil
}

// MatchPath reports whether a path matches all patterns. One without a slash
// matches file names, one that names a folder all that is in it, and one that
// begins with "!" what the rest of it does not.
func MatchPath(patterns []string, p string) bool {
	for _, g := range patterns {
		if g, not := strings.CutPrefix(g, "!"); not {
			if MatchPath([]string{g}, p) {
				return false
			}
			continue
		}
		g = strings.TrimPrefix(slashed(g, runtime.GOOS), "./")
		ok := glob.Match(g, p) ||
			!strings.Contains(g, "/") && glob.Match(g, path.Base(p)) ||
			glob.Match(strings.TrimSuffix(g, "/")+"/**", p)
		if !ok {
			return false
		}
	}
	return true
}

// slashed returns a pattern with slashes where it is typed with backslashes on Windows. No
// file there has a name with a character that a backslash would have to stand before.
func slashed(pattern, system string) string {
	if system != "windows" {
		return pattern
	}
	return strings.ReplaceAll(pattern, `\`, "/")
}
