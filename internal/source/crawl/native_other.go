//go:build !linux

package crawl

// nativeFolder returns a folder that is faster to list, where there is one, and
// what to call when it is not needed any more.
func nativeFolder(f folder, _ *Folders) (folder, func(), error) { return f, func() {}, nil }
