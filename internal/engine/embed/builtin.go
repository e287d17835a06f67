package embed

import (
	_ "embed" // base.table
	"fmt"
	"unsafe"
)

//go:embed base.table
var base string // a string, not a slice: its pages are read-only and shared

// Base returns the table that ships. It costs nothing to get: the table is used
// where it is in the program, and only the pages in use are ever read.
func Base() *Table {
	t, err := Open(unsafe.Slice(unsafe.StringData(base), len(base)))
	if err != nil {
		panic(fmt.Sprint("the table in the program: ", err)) // a test opens it
	}
	return t
}
