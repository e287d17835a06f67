package watch

import "syscall"

// remote reports whether a path is on a file system whose changes may be made
// by others, of which inotify does not tell.
func remote(path string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(path, &s) != nil {
		return false
	}
	switch uint32(s.Type) {
	case 0x6969, // NFS
		0x517b, 0xff534d42, 0xfe534d42, // SMB
		0x65735546, // FUSE: sshfs, folders of virtual machines
		0x01021997, // 9P: Windows' disks in WSL
		0x786f4256, // VirtualBox' shared folders
		0xbacbacbc, // VMware's
		0x00c36400, // Ceph
		0x5346414f: // AFS
		return true
	}
	return false
}
