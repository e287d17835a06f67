package crawl

// Ignored reports whether path is ignored, by itself or because a folder above
// it is.
func (g *Ignore) Ignored(path string, isDir bool) bool {
	for i := range len(path) {
		if path[i] == '/' {
			if r := g.Match(path[:i], true); r != nil && !r.Negated {
				return true
			}
		}
	}
	r := g.Match(path, isDir)
	return r != nil && !r.Negated
}
