// Package crawl turns a tree of folders into its Markdown files: the same
// files in the same order every time, each one regular, not empty, within the
// size limit and valid UTF-8. What it leaves out, it says, with the reason.
//
// The order is that of the paths as plain strings of bytes, "/" included:
// "a-b.md" comes before "a/b.md", which comes before "a0.md".
//
// # What is left out
//
// Three lists of rules, all in the syntax of .gitignore, decide about a file or
// folder; the first that has a matching rule wins:
//
//  1. [Options.Ignore], the user's own. "!dist/" there brings back what the
//     other two exclude.
//  2. [DefaultIgnore]: hidden folders, node_modules and their like, but for a
//     page called vendor (pages.go).
//  3. .gitignore files, as git applies them: those of the tree, and where the
//     tree is inside a git repository those above it up to the repository's
//     root, and .git/info/exclude. The deepest file that has a matching rule
//     wins. A folder with a .git of its own starts afresh. A tree that its
//     repository ignores as a whole was named on purpose: the rules above it
//     are then ignored.
//
// What [Options.Named] names is read whatever the rules say of it or of the
// folders it is in; where they leave it out, those above it do not hold below.
//
// A folder named .git is never entered. The user's global excludes file is not
// read, so that a tree gives the same files on every machine, and case always
// matters.
//
// Symbolic links are not followed: what they lead to inside the tree is found
// there, and what is outside is not part of it.
//
// # Safety
//
// A tree is not trusted. It is reached through an [os.Root], or where that is too
// slow name by name without following links (native_linux.go), so that no link or
// race leads out of it; files are opened without blocking and must then
// turn out to be regular, so that a FIFO named x.md hangs no one; and there are
// limits to the size of a file, the depth of folders and the rules obeyed.
package crawl

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// MaxSize is the size in bytes above which a file is skipped, unless
// [Options.MaxSize] says otherwise.
const MaxSize = 10 << 20

// MaxDepth is how many folders deep a tree is read. Each level may cost an
// open file descriptor, of which many systems grant only 1,024.
const MaxDepth = 256

// maxPath is the length in bytes of the longest path that is read. It is what
// Linux takes as the name of a file.
const maxPath = 4096

// Options tune a crawl. The zero value is a good default.
type Options struct {
	Ignore  []string // more rules in .gitignore syntax, relative to the tree; they win over all others
	Named   []string // folders and files of the tree that were named on purpose: no rule leaves them out
	MaxSize int64    // largest file to read in bytes; 0 means the constant MaxSize
	Workers int      // folders and files read at once; 0 means 4 to 16, by the number of processors
	Explain bool     // report as skipped also each Markdown file that the rules leave out
	Known   *Folders // the cache of folder contents, which is read and updated; nil to read all folders
}

func (o Options) maxSize() int64 { return cmp.Or(max(o.MaxSize, 0), MaxSize) }

// workers is at least 4 even on one processor: on a cold disk they wait more
// than they work.
func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(max(runtime.GOMAXPROCS(0), 4), 16)
}

// An Entry is one Markdown file that was found.
type Entry struct {
	Path    string // relative to the tree, with forward slashes
	Size    int64
	ModTime time.Time
}

// A File is one Markdown file that was read. Size and ModTime were taken just
// before its bytes were.
type File struct {
	Entry
	Data []byte // its bytes, lone carriage returns made line ends by doc.EndLines
}

// A Listing is what a crawl came across.
type Listing struct {
	Files   []Entry // in path order
	Skipped []Skip  // in path order
	Ignored int     // Markdown files and whole folders that the rules left out
}

// A Tree is a folder, or a file system, to be crawled. It may be used by many
// goroutines at once.
type Tree struct {
	top folder
	dir string // on disk, as given; "" for an fs.FS
	abs string // the same, absolute
}

// Open returns the tree below the folder dir.
func Open(dir string) (*Tree, error) {
	// The check comes first because opening a FIFO as a root would block.
	switch info, err := os.Stat(dir); {
	case err != nil:
		return nil, fmt.Errorf("crawl %s: %w", dir, cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("crawl %s: %w", dir, ErrNotFolder)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("crawl %s: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("crawl %s: %w", dir, cause(err))
	}
	return &Tree{top: newTop(root), dir: dir, abs: abs}, nil
}

// ErrNotFolder is what Open returns, wrapped, for something else than a folder.
var ErrNotFolder = errors.New("not a folder")

// FromFS returns the tree that fsys holds.
func FromFS(fsys fs.FS) *Tree { return &Tree{top: fsFolder{fsys, "."}} }

// Close gives the tree back to the system.
func (t *Tree) Close() error { return t.top.Close() }

// name is the tree's for messages.
func (t *Tree) name() string { return cmp.Or(t.dir, ".") }

// cause strips a path error to what happened: our own messages name the path
// as the user knows it.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
