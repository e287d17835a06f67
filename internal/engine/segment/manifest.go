package segment

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/wholefile"
)

// The format of a manifest: text, to be read by people too.
//
//	docent manifest 1                         format version
//	generation 7                              counts the commits
//	file 00000003-0.seg 15234987 9f3a2b11     name, length, checksum from its trailer;
//	file 00000007-0.seg 10424 0c33f1e8        as many as there are, the base first
//	meta 16                                   length of the caller's bytes, which follow
//	{"config":"x y"}
//	                                          one newline after them
//	sum 4be0f1a2                              CRC-32 of all bytes before this line
//
// The first words and the last line stay as they are in all versions: any docent
// can tell a manifest that is damaged from one that is newer.
//
// There is one way to write a manifest, and only that way is read.
const (
	manifestVersion = 1 // 1: the first

	manifestWords = "docent manifest "
	sumLine       = len("sum 01234567\n")

	maxManifest   = 4 << 20
	maxMeta       = 1 << 20
	maxFiles      = 4096
	maxGeneration = 1 << 62
)

type manifest struct {
	generation uint64
	files      []entry
	meta       []byte
}

// entry names a file and says which content is meant.
type entry struct {
	name   string
	length int64
	sum    uint32
}

func (m *manifest) entry(name string) (entry, bool) {
	for _, e := range m.files {
		if e.name == name {
			return e, true
		}
	}
	return entry{}, false
}

func (m *manifest) has(name string) bool {
	_, ok := m.entry(name)
	return ok
}

func (m *manifest) encode() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\ngeneration %d\n", manifestWords, manifestVersion, m.generation)
	for _, e := range m.files {
		fmt.Fprintf(&b, "file %s %d %08x\n", e.name, e.length, e.sum)
	}
	fmt.Fprintf(&b, "meta %d\n%s\n", len(m.meta), m.meta)
	fmt.Fprintf(&b, "sum %08x\n", crc32.ChecksumIEEE(b.Bytes()))
	return b.Bytes()
}

// decodeManifest reads what encode wrote; path is for errors.
func decodeManifest(path string, b []byte) (*manifest, error) {
	damaged := func(reason string) error { return &DamagedError{File: path, Reason: reason} }
	if n := min(len(b), len(manifestWords)); string(b[:n]) != manifestWords[:n] {
		return nil, foreign(path)
	}
	end := len(b) - sumLine
	if end < len(manifestWords) {
		return nil, damaged("the manifest is cut off")
	}
	if want := fmt.Sprintf("sum %08x\n", crc32.ChecksumIEEE(b[:end])); string(b[end:]) != want {
		return nil, damaged("the checksum of the manifest does not match")
	}
	version, rest, _ := strings.Cut(string(b[len(manifestWords):end]), "\n")
	if v, err := strconv.ParseUint(version, 10, 64); err == nil && v != manifestVersion {
		return nil, &VersionError{File: path, Have: v, Want: manifestVersion}
	}
	m, err := parseManifest(rest)
	if err != nil {
		return nil, damaged(err.Error())
	}
	// What the parser was lenient about shows here.
	if !bytes.Equal(m.encode(), b) {
		return nil, damaged("the manifest is not in its one form")
	}
	return m, nil
}

func parseManifest(rest string) (*manifest, error) {
	m := &manifest{}
	for {
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		word, value, _ := strings.Cut(line, " ")
		switch word {
		case "generation":
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil || n == 0 || n >= maxGeneration {
				return nil, errors.New("the generation makes no sense")
			}
			m.generation = n
		case "file":
			e, err := parseEntry(value)
			if err != nil {
				return nil, err
			}
			if len(m.files) == maxFiles {
				return nil, fmt.Errorf("more than %d files are named", maxFiles)
			}
			m.files = append(m.files, e)
		case "meta":
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil || n > maxMeta || n > uint64(len(rest)) {
				return nil, errors.New("the length of the meta data makes no sense")
			}
			m.meta = []byte(rest[:n])
			return m, m.check()
		default:
			return nil, fmt.Errorf("a line begins with %.20q", word)
		}
	}
}

func parseEntry(value string) (entry, error) {
	fields := strings.Split(value, " ")
	if len(fields) != 3 {
		return entry{}, errors.New("a file line has not three fields")
	}
	length, err1 := strconv.ParseUint(fields[1], 10, 63)
	sum, err2 := strconv.ParseUint(fields[2], 16, 32)
	if _, ok := segmentGeneration(fields[0]); !ok || err1 != nil || err2 != nil {
		return entry{}, fmt.Errorf("a file line makes no sense: %.80q", value)
	}
	return entry{fields[0], int64(length), uint32(sum)}, nil
}

// check is for what a single line does not show.
func (m *manifest) check() error {
	seen := make(map[string]bool, len(m.files))
	for _, e := range m.files {
		if seen[e.name] {
			return fmt.Errorf("file %s is named twice", e.name)
		}
		seen[e.name] = true
	}
	switch {
	case len(m.files) > maxFiles:
		return fmt.Errorf("%d files; at most %d can be named", len(m.files), maxFiles)
	case len(m.meta) > maxMeta:
		return fmt.Errorf("%d bytes of meta data; at most %d fit", len(m.meta), maxMeta)
	}
	return nil
}

// readManifest returns the bytes of the manifest at path. On Windows a manifest that readers do not let go of goes aside
// for a moment before the next one has its name: a reader in between took the store for one that does not exist yet.
func readManifest(path string) (raw []byte, err error) {
	if raw, err = readManifestOnce(path); !isMissing(err) {
		return raw, err
	}
	for wait := time.Millisecond; ; wait *= 2 {
		aside := hasAside(path) // before the manifest is looked for, as it is gone right after the next one is there
		raw, err = readManifestOnce(path)
		if !isMissing(err) || !aside && !hasAside(path) || wait > 300*time.Millisecond {
			return raw, err
		}
		time.Sleep(wait)
	}
}

// hasAside reports whether a folder has a manifest that went aside, see wholefile.Replace.
func hasAside(path string) bool {
	names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".*-old*"+tempSuffix))
	return err == nil && len(names) > 0
}

func readManifestOnce(path string) (raw []byte, err error) {
	err = wholefile.Patiently(func() error {
		h, err := openFile(path)
		if err != nil {
			return err
		}
		defer h.Close()
		if info, err := h.Stat(); err != nil {
			return err
		} else if !info.Mode().IsRegular() {
			return foreign(path)
		}
		raw, err = io.ReadAll(io.LimitReader(h, maxManifest+1))
		return err
	})
	if err == nil && len(raw) > maxManifest {
		err = &DamagedError{File: path, Offset: maxManifest, Reason: "the manifest is too long"}
	}
	return raw, err
}

// segmentName gives the name of a segment file: the commit that wrote it and its
// number in that commit. No name is ever used twice in the life of a folder.
func segmentName(generation uint64, i int) string {
	return fmt.Sprintf("%08d-%d.seg", generation, i)
}

// segmentGeneration reverses segmentName. Only such names are opened or removed,
// so a manifest cannot lead out of its folder, and a stranger's file is safe in it.
func segmentGeneration(name string) (uint64, bool) {
	stem, ok := strings.CutSuffix(name, ".seg")
	first, second, ok2 := strings.Cut(stem, "-")
	gen, err := strconv.ParseUint(first, 10, 64)
	i, err2 := strconv.ParseUint(second, 10, 31)
	if !ok || !ok2 || err != nil || err2 != nil || gen >= maxGeneration {
		return 0, false
	}
	return gen, name == segmentName(gen, int(i))
}
