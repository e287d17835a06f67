package fetch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
	"github.com/google/go-cmp/cmp"
)

// reg is a regular entry of a tarball.
func reg(name, body string) fetchtest.Header {
	return fetchtest.Header{Header: tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, Body: body}
}

// special is an entry that is no regular file.
func special(kind byte, name, link string) fetchtest.Header {
	return fetchtest.Header{Header: tar.Header{Typeflag: kind, Name: name, Linkname: link, Mode: 0o777}}
}

// block is a raw tar header of our own making, for what archive/tar refuses to
// write. The checksum is right, so that a reader comes to what is wrong.
func block(name string, kind byte, size string, magic string) []byte {
	b := make([]byte, 512)
	copy(b, name)
	copy(b[100:], "0000644\x00")
	copy(b[108:], "0000000\x00")
	copy(b[116:], "0000000\x00")
	copy(b[124:], size)
	copy(b[136:], "00000000000\x00")
	b[156] = kind
	copy(b[257:], magic)
	copy(b[148:], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

func octal(n int) string { return fmt.Sprintf("%011o\x00", n) }

func padded(body string) []byte {
	return append([]byte(body), make([]byte, (512-len(body)%512)%512)...)
}

func gz(parts ...[]byte) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	for _, p := range parts {
		_, _ = z.Write(p)
	}
	_ = z.Close()
	return buf.Bytes()
}

func end() []byte { return make([]byte, 1024) }

// pax is an extended header with records as they are given.
func pax(records string) []byte {
	return slices.Concat(block("PaxHeaders/x", 'x', octal(len(records)), "ustar\x0000"), padded(records))
}

func paxRecord(key, value string) string {
	n := len(key) + len(value) + 3
	for len(fmt.Sprint(n))+len(key)+len(value)+3 != n {
		n = len(fmt.Sprint(n)) + len(key) + len(value) + 3
	}
	return fmt.Sprintf("%d %s=%s\n", n, key, value)
}

type zipEntry struct {
	name  string
	body  string
	mode  os.FileMode
	wreck func(*zip.FileHeader)
}

func zipOf(entries ...zipEntry) []byte {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			panic(err)
		}
		if !strings.HasSuffix(e.name, "/") {
			_, _ = w.Write([]byte(e.body))
		}
		if e.wreck != nil {
			e.wreck(h)
		}
	}
	_ = z.Close()
	return buf.Bytes()
}

// rawZip is a zip whose one entry is stored, with what the list says of it to
// be chosen freely.
func rawZip(name, body string, crc uint32, size uint32) []byte {
	var b bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			_ = binary.Write(&b, binary.LittleEndian, v)
		}
	}
	head := func() {
		put(uint16(20), uint16(0), uint16(0), uint32(0), crc, uint32(len(body)), size, uint16(len(name)), uint16(0))
	}
	put(uint32(0x04034b50))
	head()
	b.WriteString(name + body)
	list := b.Len()
	put(uint32(0x02014b50), uint16(20))
	head()
	put(uint16(0), uint16(0), uint16(0), uint32(0), uint32(0))
	b.WriteString(name)
	size32 := uint32(b.Len() - list)
	put(uint32(0x06054b50), uint16(0), uint16(0), uint16(1), uint16(1), size32, uint32(list), uint16(0))
	return b.Bytes()
}

func concat(headers []fetchtest.Header, more ...fetchtest.Header) []fetchtest.Header {
	return append(slices.Clone(headers), more...)
}

var good = reg("good.md", "# Good")

// small are limits that tests can reach.
func small() limits {
	l := limits{}.orDefault()
	l.entries, l.files, l.kept, l.file, l.free, l.stream = 200, 50, 256<<10, 64<<10, 128<<10, 4<<20
	return l
}

type hostileArchive struct {
	name string
	data []byte
	kept []string
	says string
}

// hostileArchives are archives that no honest tool makes, or that an honest one
// makes of something that must not be followed. kept is what a tree then holds;
// nil means that the archive is refused. says is part of the message or of the
// reason that an entry is left out: it names the entry.
func hostileArchives() []hostileArchive {
	return []hostileArchive{
		// Names that lead out.
		{"dot-dot", fetchtest.Tar(good, reg("../evil.md", "x")), nil, `entry "../evil.md": leads out`},
		{"dot-dot in the middle", fetchtest.Tar(good, reg("a/../../evil.md", "x")), nil, `"a/../../evil.md"`},
		{"dot-dot that stays inside", fetchtest.Tar(good, reg("a/b/../evil.md", "x")), nil, `"a/b/../evil.md"`},
		{"many dot-dots", fetchtest.Tar(reg(strings.Repeat("../", 40)+"tmp/evil.md", "x")), nil, "leads out"},
		{"backslashed dot-dot", fetchtest.Tar(good, reg(`..\..\evil.md`, "x")), nil, "leads out"},
		{"absolute", fetchtest.Tar(good, reg("/tmp/docent-evil.md", "x")), nil, `"/tmp/docent-evil.md"`},
		{"absolute with two slashes", fetchtest.Tar(good, reg("//server/share/evil.md", "x")), nil, "leads out"},
		{"a drive", fetchtest.Tar(good, reg("C:/evil.md", "x")), nil, `"C:/evil.md"`},
		{"a drive, backslashed", fetchtest.Tar(good, reg(`c:\evil.md`, "x")), nil, "leads out"},
		{"a UNC path", fetchtest.Tar(good, reg(`\\server\share\evil.md`, "x")), nil, "leads out"},
		{"dot-dot in a PAX path", gz(pax(paxRecord("path", "../evil.md")), block("fine.md", '0', octal(1), "ustar\x0000"), padded("x"), end()), nil, `"../evil.md"`},
		{"dot-dot in a GNU long name", gz(block("././@LongLink", 'L', octal(11), "ustar  \x00"), padded("../evil.md\x00"), block("fine.md", '0', octal(1), "ustar  \x00"), padded("x"), end()), nil, `"../evil.md"`},
		{"dot-dot folder entry", fetchtest.Tar(good, special(tar.TypeDir, "../evil/", "")), nil, "leads out"},

		// Links.
		{"symbolic link to a file outside", fetchtest.Tar(good, special(tar.TypeSymlink, "link.md", "/etc/passwd")), []string{"good.md"}, "link.md: a symbolic link"},
		{"symbolic link, then a file through it", fetchtest.Tar(good, special(tar.TypeSymlink, "dir", "/tmp"), reg("dir/evil.md", "x")), []string{"good.md", "dir/evil.md"}, ""},
		{"symbolic link in place of the licence", fetchtest.Tar(good, special(tar.TypeSymlink, "LICENSE", "../../secret")), []string{"good.md"}, "LICENSE: a symbolic link"},
		{"symbolic link, then the file it would overwrite", fetchtest.Tar(special(tar.TypeSymlink, "a.md", "/tmp/docent-target.md"), reg("a.md", "x"), good), []string{"a.md", "good.md"}, "a.md: a symbolic link"},
		{"hard link outside", fetchtest.Tar(good, special(tar.TypeLink, "hard.md", "/etc/passwd")), []string{"good.md"}, "hard.md: a hard link"},
		{"hard link inside", fetchtest.Tar(good, special(tar.TypeLink, "hard.md", "good.md")), []string{"good.md"}, "hard.md: a hard link"},

		// Not files.
		{"character device", fetchtest.Tar(good, special(tar.TypeChar, "null.md", "")), []string{"good.md"}, "null.md: a device or pipe"},
		{"block device", fetchtest.Tar(good, special(tar.TypeBlock, "disk.md", "")), []string{"good.md"}, "disk.md: a device or pipe"},
		{"pipe", fetchtest.Tar(good, special(tar.TypeFifo, "pipe.md", "")), []string{"good.md"}, "pipe.md: a device or pipe"},
		{"unknown type", gz(block("odd.md", 'Z', octal(0), "ustar\x0000"), block("good.md", '0', octal(6), "ustar\x0000"), padded("# Good"), end()), []string{"good.md"}, "odd.md: of the unknown type"},
		{"sparse file, GNU", gz(sparseGNU("holes.md", 1<<40), end()), nil, "holes.md"},
		{"sparse file, PAX", gz(pax(paxRecord("GNU.sparse.major", "1")+paxRecord("GNU.sparse.minor", "0")+paxRecord("GNU.sparse.realsize", "1099511627776")+paxRecord("GNU.sparse.name", "holes.md")),
			block("holes.md", '0', octal(512), "ustar\x0000"), padded("0\n"), end()), nil, "holes.md"},

		// Too much.
		{"a file over the limit", fetchtest.Tar(good, reg("big.md", random(65<<10))), []string{"good.md"}, "big.md: 66560 bytes, over the limit"},
		{"too many bytes in all", fetchtest.Tar(manyFiles(6, 60<<10)...), nil, "more than 262144 bytes in all"},
		{"too many files", fetchtest.Tar(manyFiles(60, 10)...), nil, "one of more than 50 files"},
		{"too many entries", fetchtest.Tar(concat(manyOthers(300), good)...), nil, "one of more than 200"},
		{"a bomb in a file we do not keep", fetchtest.Tar(good, reg("bomb.bin", strings.Repeat("\x00", 3<<20))), nil, "more than 200 times its size"},
		{"a bomb after the last entry", gz(mustGunzip(fetchtest.Tar(good)), make([]byte, 3<<20)), nil, "more than 200 times its size"},
		{"an endless archive", fetchtest.Tar(good, reg("noise.bin", random(5<<20))), nil, "unpacks to more than 4194304 bytes"},
		{"a size of many exabytes", gz(block("huge.md", '0', "77777777777\x00", "ustar\x0000"), end()), nil, `"huge.md": unexpected EOF`},
		{"a negative size", gz(block("neg.md", '0', "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "ustar\x0000"), end()), nil, "after entry"},

		// Names that do not hold on every system.
		{"case clash", fetchtest.Tar(reg("README.md", "one"), reg("readme.md", "two")), []string{"README.md"}, "readme.md: another entry has that name"},
		{"case clash by accents", fetchtest.Tar(reg("caf\u00e9.md", "one"), reg("cafe\u0301.md", "two")), []string{"caf\u00e9.md"}, "another entry has that name"},
		{"case clash of folder and file", fetchtest.Tar(good, reg("Guide.md/a.md", "one"), reg("guide.md", "two")), []string{"good.md", "Guide.md/a.md"}, "guide.md: a folder has that name"},
		{"a file, then a folder of that name", fetchtest.Tar(reg("guide.md", "one"), reg("guide.md/a.md", "two")), []string{"guide.md"}, "guide.md/a.md: lies below a file"},
		{"the same entry twice", fetchtest.Tar(reg("a.md", "one"), reg("a.md", "two"), reg("./a.md", "three")), []string{"a.md"}, "a.md: another entry has that name"},
		{"the same entry a hundred times", fetchtest.Tar(slices.Repeat([]fetchtest.Header{good}, 150)...), []string{"good.md"}, "good.md: another entry"},
		{"a device of Windows", fetchtest.Tar(good, reg("CON.md", "x"), reg("aux/a.md", "x"), reg("com1.notes.md", "x")), []string{"good.md"}, "CON.md: a name that is a device"},
		{"a trailing dot", fetchtest.Tar(good, reg("dir./a.md", "x")), []string{"good.md"}, "dir./a.md: a name with a dot or space"},
		{"a trailing space", fetchtest.Tar(good, reg("dir /a.md", "x")), []string{"good.md"}, "dir /a.md: a name with a dot or space"},
		{"a stream of NTFS", fetchtest.Tar(good, reg("a.txt:hidden.md", "x")), []string{"good.md"}, "a.txt:hidden.md: a character"},
		{"a newline in the name", fetchtest.Tar(good, reg("a\nb.md", "x")), []string{"good.md"}, "control character"},
		{"an escape sequence in the name", fetchtest.Tar(good, reg("\x1b[31mred.md", "x")), []string{"good.md"}, `"\x1b[31mred.md": a name with a control`},
		{"a name that is not UTF-8", fetchtest.Tar(good, reg("\xff\xfe.md", "x")), []string{"good.md"}, `"\xff\xfe.md": a name that is not UTF-8`},
		{"a long name", fetchtest.Tar(good, reg(strings.Repeat("n", 300)+".md", "x")), []string{"good.md"}, "a name of 303 bytes"},
		{"a long path", fetchtest.Tar(good, reg(strings.Repeat("nine-char/", 150)+"a.md", "x")), []string{"good.md"}, "a name of 1504 bytes"},
		{"a deep path", fetchtest.Tar(good, reg(strings.Repeat("d/", 100)+"a.md", "x")), []string{"good.md"}, "more than 64 folders down"},
		{"a NUL in a PAX path", gz(pax(paxRecord("path", "a.md\x00/../../evil.md")), block("fine.md", '0', octal(1), "ustar\x0000"), padded("x"), end()), nil, "after entry"},
		{"hidden folders, as of git and agents", fetchtest.Tar(good, reg(".git/hooks/a.md", "x"), reg(".claude/commands/x.md", "x"), reg("a/.ssh/b.md", "x"), reg(".hidden.md", "x")), []string{"good.md"}, ""},
		{"our own manifest", fetchtest.Tar(good, reg(ManifestName, "{}")), []string{"good.md"}, ""},

		// Headers and streams that are broken.
		{"a PAX header of 2 MiB", gz(pax(paxRecord("path", random(2<<20)+".md")), block("fine.md", '0', octal(1), "ustar\x0000"), padded("x"), end()), nil, "after entry"},
		{"PAX records that overflow", gz(pax("99999999999999999999 path=evil.md\n"), block("fine.md", '0', octal(1), "ustar\x0000"), padded("x"), end()), nil, "after entry"},
		{"a PAX size that overflows", gz(pax(paxRecord("size", "99999999999999999999")), block("fine.md", '0', octal(1), "ustar\x0000"), padded("x"), end()), nil, "after entry"},
		{"a PAX size that is negative", gz(pax(paxRecord("size", "-1")), block("fine.md", '0', octal(1), "ustar\x0000"), padded("x"), end()), nil, "after entry"},
		{"a chain of PAX headers", gz(append(bytes.Repeat(pax(paxRecord("comment", "x")), 500), mustGunzip(fetchtest.Tar(good))...)), []string{"good.md"}, ""},
		{"a GNU long name without end", gz(block("././@LongLink", 'L', octal(1<<30), "ustar  \x00"), end()), nil, "after entry"},
		{"a wrong header checksum", gz(corrupt(block("a.md", '0', octal(1), "ustar\x0000"), 3), padded("x"), end()), nil, "after entry"},
		{"truncated gzip", fetchtest.Tar(good, reg("b.md", random(9000)))[:4000], nil, "damaged"},
		{"truncated in the gzip header", fetchtest.Tar(good)[:5], nil, "not a .tar.gz"},
		{"a wrong CRC", corrupt(fetchtest.Tar(good), -8), nil, "damaged: gzip: invalid checksum"},
		{"not gzip", []byte("<!doctype html>"), nil, "not a .tar.gz"},
		{"nothing", nil, nil, "not a .tar.gz"},
		{"gzip in gzip", gz(fetchtest.Tar(good)), nil, "after entry"},
		{"no Markdown", fetchtest.Tar(reg("a.txt", "x")), nil, "no Markdown files there"},
		{"only links", fetchtest.Tar(special(tar.TypeSymlink, "a.md", "/etc/passwd")), nil, "that could be taken (a.md: a symbolic link)"},
		{"two folders on top", fetchtest.Tar(reg("a/x.md", "x"), reg("b/y.md", "y")), []string{"a/x.md", "b/y.md"}, ""},
		{"one folder on top", fetchtest.Tar(reg("a/x.md", "x"), reg("a/a/y.md", "y")), []string{"x.md", "a/y.md"}, ""},

		// Zips.
		{"zip: dot-dot", zipOf(zipEntry{name: "good.md"}, zipEntry{name: "../evil.md"}), nil, `entry "../evil.md": leads out`},
		{"zip: absolute", zipOf(zipEntry{name: "/tmp/evil.md"}), nil, "leads out"},
		{"zip: backslashes", zipOf(zipEntry{name: "good.md", body: "x"}, zipEntry{name: `dir\a.md`, body: "x"}), []string{"good.md"}, `dir\a.md: a character`},
		{"zip: backslashed dot-dot", zipOf(zipEntry{name: `dir\..\..\evil.md`}), nil, "leads out"},
		{"zip: a NUL in the name", zipOf(zipEntry{name: "a.md\x00.txt/../b.md"}), nil, "leads out"},
		{"zip: NUL", zipOf(zipEntry{name: "a\x00b.md"}), nil, "NUL byte"},
		{"zip: symbolic link", zipOf(zipEntry{name: "good.md", body: "x"}, zipEntry{name: "link.md", body: "/etc/passwd", mode: os.ModeSymlink | 0o777}), []string{"good.md"}, "link.md: a symbolic link"},
		{"zip: pipe", zipOf(zipEntry{name: "good.md", body: "x"}, zipEntry{name: "pipe.md", mode: os.ModeNamedPipe | 0o644}), []string{"good.md"}, "pipe.md: a device or pipe"},
		{"zip: a file over the limit", zipOf(zipEntry{name: "good.md", body: "x"}, zipEntry{name: "big.md", body: random(70 << 10)}), []string{"good.md"}, "big.md: 71680 bytes, over"},
		{"zip: a bomb", zipOf(zipEntry{name: "bomb.md", body: strings.Repeat("\x00", 3<<20)}), nil, "bomb.md"},
		{"zip: too many entries", zipOf(manyZip(300)...), nil, "more than 200 entries"},
		{"zip: too many files", zipOf(manyZip(60)...), nil, "one of more than 50 files"},
		{"zip: case clash", zipOf(zipEntry{name: "A.md", body: "x"}, zipEntry{name: "a.md", body: "y"}), []string{"A.md"}, "a.md: another entry"},
		{"zip: twice", zipOf(zipEntry{name: "a.md", body: "x"}, zipEntry{name: "a.md", body: "y"}), []string{"a.md"}, "a.md: another entry"},
		{"zip: a wrong CRC", rawZip("a.md", "text", 1, 4), nil, `entry "a.md": zip: checksum error`},
		{"zip: a size that lies", rawZip("a.md", "text", crc32.ChecksumIEEE([]byte("text")), 2), nil, `entry "a.md"`},
		{"zip: truncated", zipOf(zipEntry{name: "a.md", body: "x"})[:40], nil, "not a .zip"},
		{"zip: a folder with content", zipOf(zipEntry{name: "dir.md/"}, zipEntry{name: "good.md", body: "x"}), []string{"good.md"}, ""},
		{"zip: nested", zipOf(zipEntry{name: "a/b/x.md", body: "x"}), []string{"b/x.md"}, ""},
	}
}

// sparseGNU is the header of an old GNU sparse file that claims a size.
func sparseGNU(name string, size int64) []byte {
	b := block(name, 'S', octal(0), "ustar  \x00")
	copy(b[386:], "00000000000\x0000000000000\x00")
	b[482] = 0
	b[483] = 0x80
	binary.BigEndian.PutUint64(b[487:], uint64(size))
	copy(b[148:], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

func corrupt(b []byte, at int) []byte {
	b = slices.Clone(b)
	if at < 0 {
		at += len(b)
	}
	b[at] ^= 0x55
	return b
}

func mustGunzip(b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		panic(err)
	}
	out, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return out
}

// random is text that does not pack well.
func random(n int) string {
	b := make([]byte, n)
	x := uint32(2463534242)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[x%64]
	}
	return string(b)
}

func manyFiles(n, size int) []fetchtest.Header {
	var out []fetchtest.Header
	for i := range n {
		out = append(out, reg(fmt.Sprintf("f%03d.md", i), random(size)))
	}
	return out
}

func manyOthers(n int) []fetchtest.Header {
	var out []fetchtest.Header
	for i := range n {
		out = append(out, reg(fmt.Sprintf("f%03d.txt", i), "x"))
	}
	return out
}

func manyZip(n int) []zipEntry {
	var out []zipEntry
	for i := range n {
		out = append(out, zipEntry{name: fmt.Sprintf("f%03d.md", i), body: "x"})
	}
	return out
}

// Nothing is written outside, limits are kept, and who is at fault is named.
func TestHostileArchives(t *testing.T) {
	archives := hostileArchives()
	if len(archives) < 40 {
		t.Errorf("only %d archives", len(archives))
	}
	for _, tt := range archives {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.opt.limits = small()
			outer := filepath.Dir(w.root)
			write(t, filepath.Join(w.root, "mine.txt"), "mine")
			before := treeOf(t, outer)
			ending := ".tar.gz"
			if strings.HasPrefix(tt.name, "zip:") {
				ending = ".zip"
			}
			w.server.File("/docs"+ending, "application/octet-stream", tt.data)
			r, err := w.fetch(w.server.Files + "/docs" + ending)

			said := fmt.Sprint(r.Skipped)
			want := maps.Clone(before)
			if tt.kept == nil {
				w.wantError(err)
				said = fmt.Sprint(err)
			} else if err != nil {
				t.Fatal(err)
			} else {
				want[within(t, outer, w.root, "ref-docs/lib", ManifestName)] = ""
			}
			if !strings.Contains(said, tt.says) {
				t.Errorf("said %.300q; want %q", said, tt.says)
			}
			got := treeOf(t, outer)
			for _, name := range tt.kept {
				name = within(t, outer, w.root, "ref-docs/lib", name)
				want[name] = got[name]
				if got[name] == "" {
					t.Errorf("%s is missing or empty", name)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("what lies in and around the project (-want +got):\n%s", d)
			}
			checkModes(t, w.root)
		})
	}
	for _, path := range []string{"/tmp/evil.md", "/tmp/docent-evil.md", "/tmp/docent-target.md"} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s was written", path)
		}
	}
}

func within(t *testing.T, outer string, parts ...string) string {
	t.Helper()
	rel, err := filepath.Rel(outer, filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// checkModes finds what is no regular file or folder, or may be executed.
func checkModes(t *testing.T, root string) {
	t.Helper()
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() && (!info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 && os.PathSeparator == '/') {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A bomb is given up long before it is unpacked.
func TestBombIsGivenUpEarly(t *testing.T) {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	zeros := make([]byte, 1<<20)
	head := block("bomb.bin", '0', octal(1<<30), "ustar\x0000")
	_, _ = z.Write(head)
	for range 24 {
		_, _ = z.Write(zeros)
	}
	_ = z.Close()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	k := newSink(root, limits{}.orDefault())
	in := &counted{r: &buf}
	err = k.untar(in, everything, nil)
	if err == nil || !strings.Contains(err.Error(), "200 times") {
		t.Errorf("error = %v", err)
	}
	if in.n > 200<<10 {
		t.Errorf("read %d bytes of the bomb", in.n)
	}
}

// Whatever an archive holds, unpacking it ends without writing outside.
func FuzzUntar(f *testing.F) {
	for _, a := range hostileArchives() {
		if len(a.data) < 100_000 {
			f.Add(a.data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		outer := t.TempDir()
		for _, zipped := range []bool{false, true} {
			dir := filepath.Join(outer, fmt.Sprint(zipped))
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			root, err := os.OpenRoot(dir)
			if err != nil {
				t.Fatal(err)
			}
			k := newSink(root, small())
			if zipped {
				name := filepath.Join(t.TempDir(), "zip")
				write(t, name, string(data))
				file, err := os.Open(name)
				if err != nil {
					t.Fatal(err)
				}
				_ = k.unzip(file, int64(len(data)), everything)
				_ = file.Close()
			} else {
				_ = k.untar(bytes.NewReader(data), everything, nil)
			}
			_ = root.Close()
			if k.bytes > k.lim.kept+k.lim.file+1 || len(k.files) > k.lim.files {
				t.Errorf("%d bytes in %d files", k.bytes, len(k.files))
			}
		}
		if entries, _ := os.ReadDir(outer); len(entries) != 2 {
			t.Errorf("written outside: %v", entries)
		}
	})
}
