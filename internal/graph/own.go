package graph

import "strings"

// Own gives a file strings of its own, so that the document it was extracted from
// can be let go of.
func (f *File) Own() {
	n := 0
	f.strings(func(s *string) { n += len(*s) })
	var b strings.Builder
	b.Grow(n)
	f.strings(func(s *string) { b.WriteString(*s) })
	rest := b.String()
	f.strings(func(s *string) { *s, rest = rest[:len(*s)], rest[len(*s):] })
}

// strings calls fn with every string of the file.
func (f *File) strings(fn func(*string)) {
	fn(&f.Path)
	for i := range f.Names {
		fn(&f.Names[i].Text)
	}
	for i := range f.Anchors {
		fn(&f.Anchors[i].ID)
	}
	for i := range f.Links {
		fn(&f.Links[i].Text)
		fn(&f.Links[i].Target)
	}
}
