package segment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/docent-md/docent/internal/gates/cases"
)

// typed reports whether err is one of those a caller can act on.
func typed(err error) bool {
	return errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion) || errors.Is(err, ErrForeign)
}

// judge reads a changed file whole. Either something is found to be wrong, or
// what is read is what was written.
func judge(t testing.TB, what string, f *File, err error, want []Part) {
	t.Helper()
	if err == nil {
		var got []Part
		if got, err = readAll(f); err == nil {
			same(t, got, want)
			err = f.Verify()
		}
	}
	if err == nil {
		t.Fatalf("%s: not even Verify finds it", what)
	}
	if !typed(err) {
		t.Fatalf("%s: %v", what, err)
	}
}

func smallParts() []Part {
	return []Part{{Name: "terms", Data: noise(1, 150)}, {Name: "none"}, {Name: "posts", Data: noise(2, 70)}}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	parts := smallParts()
	b := encode(t, parts)
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			f, err := FromBytes(b)
			judge(t, fmt.Sprintf("bit %d of byte %d of %d", bit, i, len(b)), f, err, parts)
			b[i] ^= 1 << bit
		}
	}
	cases.Tried(t, "R6", 8*len(b))
}

func TestEveryTruncationIsRefused(t *testing.T) {
	inner := encode(t, smallParts())
	b := encode(t, []Part{{Name: "a", Data: noise(1, 40)}, {Name: "inner", Data: inner}, {Name: "b", Data: noise(2, 90)}})
	for n := range b {
		f, err := FromBytes(b[:n:n])
		if err == nil || f != nil || !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: %v", n, len(b), err)
		}
	}
	for _, tail := range []string{"\x00", "x", string(b)} {
		if _, err := FromBytes([]byte(string(b) + tail)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes too many: %v", len(tail), err)
		}
	}
	for _, way := range ways[1:] {
		for _, n := range []int{0, 1, 16, 64, len(b) / 2, len(b) - 1} {
			if _, err := way.open(t, b[:n]); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %d of %d bytes: %v", way.name, n, len(b), err)
			}
		}
	}
	cases.Tried(t, "R6", len(b))
}

func TestOtherFilesAreRefused(t *testing.T) {
	for _, c := range []struct{ name, content string }{
		{"a text", "# Keys\n\nRotate them.\n"},
		{"a short text", "x"},
		{"zeros", strings.Repeat("\x00", 4096)},
		{"a picture", "\x89PNG\r\n\x1a\n" + strings.Repeat("x", 300)},
		{"a database", "SQLite format 3\x00" + strings.Repeat("x", 300)},
		{"ours after a transfer as text", "\x89docent\r\n" + strings.Repeat("x", 300)},
	} {
		for _, way := range ways {
			if _, err := way.open(t, []byte(c.content)); !errors.Is(err, ErrForeign) {
				t.Errorf("%s %s: %v", c.name, way.name, err)
			}
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
}

// The header of a version to come is understood; what follows it need not be.
func TestOtherVersionsSayWhatToDo(t *testing.T) {
	for version, say := range map[uint32]string{
		0:       "older docent (format 0, this one reads 1): build it again",
		2:       "newer docent (format 2, this one reads 1): upgrade docent, or build it again",
		1 << 31: "newer docent",
	} {
		header := binary.LittleEndian.AppendUint32([]byte(magic), version)
		header = binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
		for _, rest := range []string{"", "anything", strings.Repeat("y", 500)} {
			_, err := FromBytes(append(header[:16:16], rest...))
			if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), say) {
				t.Errorf("version %d: %v", version, err)
			}
		}
	}
}

// The checksums are right in all of these: someone made the file so.
func TestTablesThatMakeNoSense(t *testing.T) {
	parts := []Part{{Name: "one", Data: noise(1, 150)}, {Name: "two", Data: noise(2, 70)}}
	// 64 header, 192 the first part, 128 the second, then the table
	const table = 64 + 192 + 128
	le := binary.LittleEndian
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
	}{
		{"a part longer than the file", func(b []byte) []byte { le.PutUint64(b[table:], 1<<40); return b }},
		{"a part longer than all numbers", func(b []byte) []byte { le.PutUint64(b[table:], 1<<64-1); return b }},
		{"a part that ends in the table", func(b []byte) []byte { le.PutUint64(b[table+12:], 130); return b }},
		{"parts that end before the table", func(b []byte) []byte { le.PutUint64(b[table+12:], 60); return b }},
		{"a part with more pages than checksums", func(b []byte) []byte {
			b = append(append(bytes.Clone(b[:table]), make([]byte, pageSize)...), b[table:]...)
			le.PutUint64(b[table+pageSize+12:], 70+pageSize)
			le.PutUint64(b[len(b)-trailerSize:], table+pageSize)
			le.PutUint64(b[len(b)-trailerSize+8:], uint64(len(b)))
			return b
		}},
		{"a part of negative length before one that makes up for it", func([]byte) []byte {
			b := encode(t, []Part{{Name: "one"}, {Name: "two", Data: noise(2, 70)}})
			le.PutUint64(b[192:], 1<<64-64)
			le.PutUint64(b[192+12:], 192)
			return b
		}},
		{"a part without a name", func([]byte) []byte {
			b := encode(t, []Part{{Name: "a", Data: noise(1, 10)}})
			b[128+8] = 0
			b = append(b[:128+9], b[128+10:]...)
			le.PutUint64(b[len(b)-trailerSize+8:], uint64(len(b)))
			return b
		}},
		{"a name longer than the table", func(b []byte) []byte { b[table+8] = 255; return b }},
		{"two parts of a name", func(b []byte) []byte { copy(b[table+9:], "two"); return b }},
		{"a part less", func(b []byte) []byte { b[len(b)-trailerSize+16]--; return b }},
		{"a part more", func(b []byte) []byte { b[len(b)-trailerSize+16]++; return b }},
		{"parts without end", func(b []byte) []byte { le.PutUint32(b[len(b)-trailerSize+16:], 1<<32-1); return b }},
		{"another length", func(b []byte) []byte { b[len(b)-trailerSize+8]++; return b }},
		{"a table in the header", func(b []byte) []byte { le.PutUint64(b[len(b)-trailerSize:], 0); return b }},
		{"a table out of line", func(b []byte) []byte { le.PutUint64(b[len(b)-trailerSize:], table+1); return b }},
		{"a table past the end", func(b []byte) []byte { le.PutUint64(b[len(b)-trailerSize:], 1<<20); return b }},
		{"a table past all numbers", func(b []byte) []byte { le.PutUint64(b[len(b)-trailerSize:], 1<<64-64); return b }},
	} {
		b := c.change(encode(t, parts))
		sealTable(b)
		for _, way := range ways {
			if f, err := way.open(t, b); !errors.Is(err, ErrDamaged) || f != nil {
				t.Errorf("%s, %s: %v", c.name, way.name, err)
			}
		}
	}
}

// A file of no content but its size must not make us read or reserve much.
func TestHugeHollowFile(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("such files cannot be opened on this machine")
	}
	path := filepath.Join(t.TempDir(), "a.seg")
	if err := os.WriteFile(path, encode(t, smallParts())[:align], 0o644); err != nil {
		t.Fatal(err)
	}
	const size = 1 << 38
	if err := os.Truncate(path, size); err != nil {
		t.Skip(err)
	}
	h, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	trailer := binary.LittleEndian.AppendUint64(nil, align)
	trailer = binary.LittleEndian.AppendUint64(trailer, size)
	trailer = binary.LittleEndian.AppendUint64(trailer, 1)
	if _, err := h.WriteAt([]byte(string(trailer)+tailMagic), size-trailerSize); err != nil {
		t.Skip(err)
	}
	for _, mapping := range []func(*os.File, int) ([]byte, func() error, error){mapFile, noMapping} {
		if _, err := open(path, mapping); !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	}
}

func TestDamageIsNamed(t *testing.T) {
	parts := []Part{{Name: "terms", Data: noise(1, 100)}, {Name: "posts", Data: noise(2, 3*pageSize)}}
	for _, way := range ways {
		b := encode(t, parts)
		// 64 header, 128 terms, posts; hurt its pages 1 and 2
		b[192+pageSize+5] ^= 1
		b[192+2*pageSize+5] ^= 1
		f, err := way.open(t, b)
		if err != nil {
			t.Fatal(err)
		}
		posts, _ := f.Part("posts")
		if _, err := posts.Bytes(0, pageSize); err != nil {
			t.Errorf("%s: the page before the damage: %v", way.name, err)
		}
		for range 2 {
			_, err = posts.Bytes(pageSize-1, 2)
			var damaged *DamagedError
			if !errors.As(err, &damaged) || damaged.Part != "posts" || damaged.Offset != 192+pageSize {
				t.Errorf("%s: %v", way.name, err)
			}
		}
		err = f.Verify()
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "(and 1 more of its 3 pages)") {
			t.Errorf("%s: %v", way.name, err)
		}
	}
}

// Bit flips, zeroed, copied and exchanged blocks, cuts and additions, thousands of
// them: no crash, and nothing read that was not written.
func TestRandomDamage(t *testing.T) {
	parts := []Part{
		{Name: "terms", Data: noise(1, 3*pageSize+100)},
		{Name: "posts", Data: noise(2, 9*pageSize)},
		{Name: "zeros", Data: make([]byte, 2*pageSize)},
		{Name: "names", Data: bytes.Repeat([]byte("guide/auth.md\x00"), 3000)},
	}
	whole := encode(t, parts)
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 5000 {
		b := bytes.Clone(whole)
		what := damage(r, &b)
		if bytes.Equal(b, whole) {
			continue
		}
		way := ways[0]
		if round%20 == 0 {
			way = ways[1+round/20%2]
		}
		f, err := way.open(t, b)
		judge(t, fmt.Sprintf("round %d, %s: %s", round, way.name, what), f, err, parts)
		if f != nil {
			f.Close()
		}
	}
	cases.Tried(t, "R6", 5000)
}

func damage(r *rand.Rand, b *[]byte) string {
	s := *b
	block := func() []byte {
		size := 1 << r.IntN(14)
		off := r.IntN(len(s))
		return s[off:min(off+size, len(s))]
	}
	switch r.IntN(7) {
	case 0:
		for range 1 + r.IntN(4) {
			s[r.IntN(len(s))] ^= 1 << r.IntN(8)
		}
		return "flipped bits"
	case 1:
		clear(block())
		return "zeroed block"
	case 2: // zeroed as disks do it
		off := r.IntN(len(s)) &^ 4095
		clear(s[off:min(off+4096, len(s))])
		return "zeroed disk block"
	case 3:
		copy(block(), block())
		return "copied block"
	case 4:
		for i := range block() {
			s[i] = byte(r.Uint32())
		}
		return "random beginning"
	case 5:
		*b = s[:r.IntN(len(s))]
		return "cut"
	default:
		off := r.IntN(len(s))
		*b = append(s[:off:off], s[off+r.IntN(len(s)-off):]...)
		return "hole"
	}
}
