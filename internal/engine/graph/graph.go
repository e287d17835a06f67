// Package graph knows which document refers to which. It takes documents one
// at a time and keeps what each says about itself: the names by which others
// may call it, and the references it makes. Nothing is resolved when it is
// written down. Where a reference leads is found out when someone asks, by
// looking names up, so that a changed, moved or deleted file touches its own rows
// and nothing else, and an index that grew by small steps answers exactly like
// one made afresh.
//
// # Names
//
// A file is known by its path, with and without extension; by its folder, when it
// is an index, _index or README; by the paths its front matter declares (slug,
// url, permalink, redirect_from, aliases with a slash in them); by its title and
// aliases; by the numbers of its headings; and by the rule ids it defines. Names
// are compared folded: lower case, NFC, with space, "_" and "-" the same.
//
// Each name becomes one or a few keys, which are hashed into a table from key
// to files (table.go). A path is there as a whole and by its last one, two and three
// components, so that a site's "/docs/x/y" finds "content/en/docs/x/y.md" without a
// list of content folders.
//
// # References
//
// A reference is turned into tries, in the order in which they are to be tried
// (target.go, macro.go). Each try has exactly one key. A second table
// leads from those keys to references. A file's backlinks are found by looking its
// own names up there, resolving what is found, and keeping what lands on it: a
// reference that leads to the file shares a key with it, because that is how it
// got there.
//
// Both tables hold 32-bit hashes. What a hash finds is compared in full, so that
// a collision costs time and never an answer.
//
// # Which file wins
//
// The first try that finds anything decides. Among the files it finds: the whole
// path before the end of one; then the nearest, which is the one that shares
// most folders with the file that refers; then the shallowest; then by letter case,
// index before _index before README, and the order of paths. Paths are unique,
// so there is always one answer, and it does not depend on how the corpus is divided
// into segments.
//
// No reference leads out of the corpus: paths are strings here and no file is ever
// opened. One that climbs above the root is Outside.
//
// # Cost
//
// On MDN (37 MB, 10,954 files, 141,500 references; one core): extracting 0.3 s,
// tables 4.3 MB, resolving every reference 0.3 s, the 1,332 references to its most
// popular page 2 ms with a new Walker. Other documentation gives tables of 5 to 18 %
// of its text. Everything is linear in the document, the links of a file, or the
// links and files that share a key.
package graph

import (
	"github.com/docent-md/docent/doc"
)

// Kind says how a reference is written.
type Kind uint8

// The kinds of reference. The first five are those of doc.LinkKind.
const (
	Inline    = Kind(doc.Inline)
	Reference = Kind(doc.Reference)
	Auto      = Kind(doc.Auto)
	Wiki      = Kind(doc.Wiki)
	Macro     = Kind(doc.Macro)
	Text      = Macro + 1 // "see section 2.1", in words
)

var kindNames = [...]string{"inline", "reference", "auto", "wiki", "macro", "text"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// A Link is one reference as it is written.
type Link struct {
	Kind    Kind
	Image   bool   // an image or an embed
	Text    string // what the reader sees
	Target  string // where it leads, as written; of a Text, "section 2.1"
	Section int    // number of the section it is in
	Line    int

	cut bool // Target is the beginning of something too long to be a place
}

// An Anchor is a place within a file that is no section: an HTML id, an
// Obsidian block, a heading in a quote.
type Anchor struct {
	ID      string
	Section int // number of the section it is in
}

// A File is what one document contributes.
type File struct {
	Path    string
	Names   []Name // declared in the document; its path and title are names anyway
	Anchors []Anchor
	Links   []Link

	nameKeys []uint32 // of all names, in no order
	linkKeys []pair   // of the links, by their index
}

// A Name is what a document declares itself to be called.
type Name struct {
	Text string
	Path bool // a path from the root of the corpus or site; otherwise words
}

// A Section is what is needed to find a place in a file. The sections of a file
// are those of its doc.Document.
type Section struct {
	Title  string
	Anchor string
	Level  int
	Parent int // index, or -1
	Lines  doc.Lines
}

// An ID names a file of a corpus: a row of one of its segments.
type ID struct{ Segment, Row int }

// A Place is a file, or a section of it.
type Place struct {
	File    ID
	Path    string
	Section int // -1 for the file as a whole
}

// State says what became of a reference.
type State uint8

// The states of a reference.
const (
	Found    State = iota // leads to a document, and to a section of it where one was named
	NoAnchor              // leads to a document that has no such place in it
	Missing               // there is no such document
	Asset                 // names a file that is no document: an image, a download
	Outside               // climbs out of the corpus
	External              // an address elsewhere, recorded and never followed
)

var stateNames = [...]string{"found", "no anchor", "missing", "asset", "outside", "external"}

func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return "unknown"
}

// An Edge is a reference and where it leads.
type Edge struct {
	Link
	State  State
	From   Place
	To     Place  // when Found or NoAnchor
	Loose  bool   // found by a rule more generous than the one it was written for
	Anchor string // the place in the target, as written but for escapes
	Path   string // when Missing or Asset: where in the corpus the file would be
}

// The longest targets and texts that are stored. A longer target names no place; the
// longest real one seen has 300 bytes, if one does not count images written
// out as data.
const (
	maxTarget = 1024
	maxText   = 512
	maxNames  = 256 // declared by one file
)
