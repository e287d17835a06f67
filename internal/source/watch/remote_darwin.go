package watch

import "syscall"

// remote reports whether a path is on a file system whose changes may be made
// by others, of which kqueue does not tell.
func remote(path string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return false
	}
	name := make([]byte, 0, len(s.Fstypename))
	for _, c := range s.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	switch string(name) {
	case "nfs", "smbfs", "afpfs", "webdav", "ftp", "macfuse", "osxfuse", "fuse":
		return true
	}
	return false
}
