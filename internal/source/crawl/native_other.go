//go:build !linux

package crawl

import (
	"io/fs"
	"os"
)

// nativeFolder returns the top of a tree as a folder that is faster to list, where
// there is one. It needs no closing.
func nativeFolder(f folder, _ *Folders) folder { return f }

// newTop returns the top of a tree.
func newTop(root *os.Root) folder { return rootFolder{root} }

// openFile opens a file to be read.
func openFile(f folder, name string) (fs.File, error) { return f.open(name) }

// isRegular reports whether there is surely a regular file at path.
func isRegular(folder, string) bool { return false }
