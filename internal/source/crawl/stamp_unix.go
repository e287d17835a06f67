//go:build linux || darwin || freebsd

package crawl

import "golang.org/x/sys/unix"

// Stamp returns the stamp of the file at path, if it can be had at little cost.
// It goes by the name of the tree, not through the os.Root: whoever finds a
// known stamp knows that it is the file that was read, wherever the way to it
// leads now.
func (t *Tree) Stamp(path string) (Stamp, bool) {
	if t.abs == "" {
		return Stamp{}, false
	}
	var st unix.Stat_t
	if unix.Lstat(t.abs+"/"+path, &st) != nil {
		return Stamp{}, false
	}
	return stampFrom(&st), true
}

func stampFrom(st *unix.Stat_t) Stamp {
	return Stamp{uint64(st.Dev), st.Ino, st.Size, st.Mtim.Nano(), st.Ctim.Nano()}
}
