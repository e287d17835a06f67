package crawl

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Listing a tree on Linux by system calls: to open a folder, read its entries and
// look at the files that concern us takes four or five, less than half of what an
// os.Root and an os.File make. Safety is the same: a folder is opened by one name
// from the folder above it, never through a link (O_NOFOLLOW), and never anything
// else than a folder (O_DIRECTORY), so that nothing leads out of the tree and
// nothing blocks.

// A nativeDir is a folder that is listed by system calls. For all else it asks
// the top of the tree.
type nativeDir struct {
	beneathFolder          // the top
	fd            int      // this folder's
	path          string   // of it in the tree, "" or ending in "/"
	known         *Folders // or nil
}

// nativeFolder returns the top of a tree as a folder that is faster to list, where
// there is one. It needs no closing.
func nativeFolder(f folder, known *Folders) folder {
	top, ok := f.(beneathFolder)
	if !ok {
		return f
	}
	fd := int(top.top.Fd())
	var st unix.Stat_t
	if known != nil && keepsTimes(fd) && unix.Fstat(fd, &st) == nil {
		known.begin(uint64(st.Dev))
	} else {
		known = nil
	}
	return nativeDir{beneathFolder: top, fd: fd, known: known}
}

// keepsTimes reports whether a folder is on a file system that is known to move
// the times of a folder on with its entries.
func keepsTimes(fd int) bool {
	var st unix.Statfs_t
	if unix.Fstatfs(fd, &st) != nil {
		return false
	}
	switch uint32(st.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC:
		return true
	}
	return false
}

const openDir = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC

// openDir opens a folder below. As elsewhere, what a signal interrupted is
// repeated.
func (f nativeDir) openDir(name string) (int, error) {
	for {
		if fd, err := unix.Openat(f.fd, name, openDir, 0); err != unix.EINTR {
			return fd, err
		}
	}
}

func (f nativeDir) sub(name string) (folder, error) {
	fd, err := f.openDir(name)
	if err != nil {
		return nil, err
	}
	return nativeDir{beneathFolder: f.beneathFolder, fd: fd, path: f.path + name + "/", known: f.known}, nil
}

func (f nativeDir) open(name string) (fs.File, error) { return f.beneathFolder.open(f.path + name) }

func (f nativeDir) stat(name string) (fs.FileInfo, error) { return f.rootFolder.stat(f.path + name) }

func (f nativeDir) lstat(name string) (fs.FileInfo, error) { return f.rootFolder.lstat(f.path + name) }

func (f nativeDir) Close() error { return unix.Close(f.fd) }

// direntBytes are enough for most folders to be read at once.
const direntBytes = 32 << 10

var direntBuffers = sync.Pool{New: func() any { return new([direntBytes]byte) }}

func (f nativeDir) list(name string, visit func(item)) error {
	if f.known == nil {
		return f.read(name, func(int) {}, visit)
	}
	var st unix.Stat_t
	if unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil {
		if entries, ok := f.known.cached(stampFrom(&st)); ok {
			f.recall(name, entries, visit)
			return nil
		}
	}
	var stamp Stamp
	var entries []byte
	at := time.Now()
	opened := func(fd int) {
		if unix.Fstat(fd, &st) == nil {
			stamp = stampFrom(&st)
		}
	}
	err := f.read(name, opened, func(it item) {
		entries = append(append(append(entries, kindLetter(it.kind)), it.name...), 0)
		visit(it)
	})
	if err == nil && stamp != (Stamp{}) {
		f.known.remember(stamp, at, entries)
	}
	return err
}

// recall visits the entries that a folder is known to have.
func (f nativeDir) recall(name string, entries []byte, visit func(item)) {
	for len(entries) > 0 {
		kind := entries[0]
		end := bytes.IndexByte(entries, 0)
		if end < 1 {
			return
		}
		entry := string(entries[1:end])
		if entry == "." || entry == ".." || strings.Contains(entry, "/") {
			return // not what was remembered
		}
		entries = entries[end+1:]
		switch kind {
		case kindDir:
			visit(item{name: entry, kind: fs.ModeDir})
		case kindLink:
			visit(item{name: entry, kind: fs.ModeSymlink})
		case kindFile:
			visitNative(f.fd, name+"/"+entry, entry, unix.DT_REG, visit)
		default:
			visit(item{name: entry, kind: fs.ModeIrregular})
		}
	}
}

func kindLetter(kind fs.FileMode) byte {
	switch {
	case kind.IsDir():
		return kindDir
	case kind == fs.ModeSymlink:
		return kindLink
	case kind.IsRegular():
		return kindFile
	}
	return kindOther
}

// read visits what a folder holds, after it was opened.
func (f nativeDir) read(name string, opened func(fd int), visit func(item)) error {
	fd, err := f.openDir(name)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	opened(fd)
	buf := direntBuffers.Get().(*[direntBytes]byte)
	defer direntBuffers.Put(buf)
	for {
		n, err := unix.Getdents(fd, buf[:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return err
		}
		for rest := buf[:n]; len(rest) > 0; {
			name, kind, size := dirent(rest)
			if size == 0 {
				break
			}
			rest = rest[size:]
			if name != "." && name != ".." {
				visitNative(fd, name, name, kind, visit)
			}
		}
	}
}

// dirent takes apart the entry that data begins with, a struct linux_dirent64:
// number u64, offset i64, size u16, type u8, name with a zero after it. The size
// is 0 for what is none.
func dirent(data []byte) (name string, kind byte, size int) {
	const head = 8 + 8 + 2 + 1
	if len(data) < head {
		return "", 0, 0
	}
	size = int(binary.NativeEndian.Uint16(data[16:]))
	if size < head || size > len(data) {
		return "", 0, 0
	}
	text, _, _ := bytes.Cut(data[head:size], []byte{0})
	return string(text), data[18], size
}

// modeOf is a kind of entry as the system numbers it.
func modeOf(kind byte) fs.FileMode {
	switch kind {
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_REG:
		return 0
	case unix.DT_LNK:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

// visitNative visits the entry of that name, and of a kind as the system numbers
// them, which is at path from an open folder.
func visitNative(fd int, path, name string, kind byte, visit func(item)) {
	it := item{name: name, kind: modeOf(kind)}
	if kind != unix.DT_UNKNOWN && !concerns(name, it.kind) {
		return
	}
	if kind == unix.DT_REG || kind == unix.DT_UNKNOWN {
		var st unix.Stat_t
		it.err = unix.EINTR
		for it.err == unix.EINTR {
			it.err = unix.Fstatat(fd, path, &st, unix.AT_SYMLINK_NOFOLLOW)
		}
		it.kind = modeOf(byte(st.Mode & unix.S_IFMT >> 12)) // which numbers them alike
		if it.err != nil {
			it.kind = 0 // what it is does not matter: it cannot be looked at
		}
		it.size, it.time = st.Size, time.Unix(st.Mtim.Unix())
		if !concerns(name, it.kind) {
			return
		}
	}
	visit(it)
}
