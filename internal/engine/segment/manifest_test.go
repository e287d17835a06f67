package segment

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sampleManifest() *manifest {
	return &manifest{
		generation: 7,
		files:      []entry{{"00000003-0.seg", 15234987, 0x9f3a2b11}, {"00000007-0.seg", 10424, 0x0c33f1e8}},
		meta:       []byte("{\"config\":\"x\ny\"}"),
	}
}

// reseal gives b a right last line, in place of the one it has.
func reseal(b []byte) []byte {
	b = bytes.Clone(b[:max(0, len(b)-sumLine)])
	return fmt.Appendf(b, "sum %08x\n", crc32.ChecksumIEEE(b))
}

func TestManifestIsText(t *testing.T) {
	const want = `docent manifest 1
generation 7
file 00000003-0.seg 15234987 9f3a2b11
file 00000007-0.seg 10424 0c33f1e8
meta 16
{"config":"x
y"}
sum 508fc44e
`
	if diff := cmp.Diff(want, string(sampleManifest().encode())); diff != "" {
		t.Error(diff)
	}
}

func TestManifestRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := &manifest{
			generation: rapid.Uint64Range(1, maxGeneration-1).Draw(rt, "generation"),
			meta:       rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(rt, "meta"),
		}
		for i := range rapid.IntRange(0, 5).Draw(rt, "files") {
			m.files = append(m.files, entry{
				segmentName(rapid.Uint64Range(0, maxGeneration-1).Draw(rt, "g"), i),
				rapid.Int64Range(0, 1<<62).Draw(rt, "length"), rapid.Uint32().Draw(rt, "sum"),
			})
		}
		got, err := decodeManifest("manifest", m.encode())
		if err != nil {
			rt.Fatal(err)
		}
		if !bytes.Equal(got.encode(), m.encode()) {
			rt.Fatalf("%+v came back as %+v", m, got)
		}
	})
}

func TestEveryChangeToAManifestIsFound(t *testing.T) {
	b := sampleManifest().encode()
	for i := range b {
		for bit := range 8 {
			b[i] ^= 1 << bit
			if _, err := decodeManifest("manifest", b); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
				t.Fatalf("bit %d of byte %d: %v", bit, i, err)
			}
			b[i] ^= 1 << bit
		}
		if _, err := decodeManifest("manifest", b[:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

// The checksum is right in all of these.
func TestManifestsThatMakeNoSense(t *testing.T) {
	good := string(sampleManifest().encode())
	for _, c := range []struct {
		name, old, new string
		want           error
	}{
		{"nothing is changed", "", "", nil},
		{"a newer version", "manifest 1", "manifest 2", ErrVersion},
		{"an older version", "manifest 1", "manifest 0", ErrVersion},
		{"no version", "manifest 1", "manifest x", ErrDamaged},
		{"generation 0", "generation 7", "generation 0", ErrDamaged},
		{"a generation without end", "generation 7", "generation 18446744073709551615", ErrDamaged},
		{"no generation", "generation 7\n", "", ErrDamaged},
		{"a number written oddly", "generation 7", "generation 07", ErrDamaged},
		{"a way out of the folder", "00000003-0.seg", "../../3-0.seg", ErrDamaged},
		{"a name that is not ours", "00000003-0.seg", "lock", ErrDamaged},
		{"a file twice", "00000007-0.seg", "00000003-0.seg", ErrDamaged},
		{"a negative length", "10424", "-1", ErrDamaged},
		{"a huge length", "10424", "99999999999999999999", ErrDamaged},
		{"meta longer than the file", "meta 16", "meta 1600", ErrDamaged},
		{"meta shorter than it is", "meta 16", "meta 15", ErrDamaged},
		{"an unknown line", "generation 7\n", "generation 7\ncolour red\n", ErrDamaged},
	} {
		b := reseal([]byte(strings.Replace(good, c.old, c.new, 1)))
		_, err := decodeManifest("manifest", b)
		if !errors.Is(err, c.want) || (err != nil) != (c.want != nil) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := decodeManifest("manifest", []byte("name: a manifest of someone else's\n")); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
}

func TestManifest1IsRead(t *testing.T) {
	const path = "testdata/v1.manifest"
	want := sampleManifest().encode()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := readManifest(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(raw, want) {
		t.Error("the format has changed: it needs a new version")
	}
	if _, err := decodeManifest(path, raw); err != nil {
		t.Error(err)
	}
}

func TestSegmentNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"00000001-0.seg": true, "123456789012-31.seg": true, "00000000-0.seg": true,
		"1-0.seg": false, "00000001-00.seg": false, "00000001-0.seg.tmp": false, "+0000001-0.seg": false,
		"00000001.seg": false, "../00000001-0.seg": false, "00000001-0": false, "": false, "-.seg": false,
		"4611686018427387904-0.seg": false, "000000001-0.seg": false,
	} {
		if _, got := segmentGeneration(name); got != ok {
			t.Errorf("%q: %v", name, got)
		}
	}
}
