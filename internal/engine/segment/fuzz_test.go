package segment

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"
)

// seal makes header and trailer right but for the place of the table and the
// number of parts, so that the fuzzer gets behind them.
func seal(b []byte) {
	if len(b) < align+trailerSize {
		return
	}
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], Version)
	binary.LittleEndian.PutUint32(b[12:], crc32.ChecksumIEEE(b[:12]))
	trailer := b[len(b)-trailerSize:]
	copy(trailer[24:], tailMagic)
	binary.LittleEndian.PutUint64(trailer[8:], uint64(len(b)))
	sealTable(b)
}

// sealTable makes the checksum of the table right.
func sealTable(b []byte) {
	trailer := b[len(b)-trailerSize:]
	table := binary.LittleEndian.Uint64(trailer)
	if table > uint64(len(b)-trailerSize) {
		return
	}
	toc := b[table : len(b)-trailerSize]
	binary.LittleEndian.PutUint32(trailer[20:], crc32.Update(crc32.ChecksumIEEE(toc), crc32.IEEETable, trailer[:20]))
}

// No bytes make the reader panic, and bytes in which Verify finds nothing wrong
// are exactly what Write writes.
func FuzzFile(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte(magic))
	f.Add(encode(f, nil))
	f.Add(encode(f, smallParts()))
	f.Add(encode(f, []Part{{Name: "a", Data: make([]byte, pageSize+1)}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		check := func(b []byte) {
			file, err := FromBytes(b)
			if err != nil {
				if !typed(err) {
					t.Fatal(err)
				}
				return
			}
			parts, err := readAll(file)
			if err != nil {
				if !typed(err) {
					t.Fatal(err)
				}
				return
			}
			if file.Verify() == nil && !bytes.Equal(encode(t, parts), b) {
				t.Fatal("there are two ways to write the same parts")
			}
		}
		check(b)
		sealed := bytes.Clone(b)
		seal(sealed)
		check(sealed)
	})
}

// No text makes the manifest reader panic or lead out of its folder, and text it
// takes is exactly what it writes.
func FuzzManifest(f *testing.F) {
	f.Add([]byte{})
	f.Add((&manifest{generation: 1}).encode())
	f.Add(sampleManifest().encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		check := func(b []byte) {
			m, err := decodeManifest("manifest", b)
			if err != nil {
				if !typed(err) {
					t.Fatal(err)
				}
				return
			}
			if !bytes.Equal(m.encode(), b) {
				t.Fatal("there are two ways to write the same manifest")
			}
			for _, e := range m.files {
				if g, ok := segmentGeneration(e.name); !ok || g >= maxGeneration {
					t.Fatalf("names the file %q", e.name)
				}
			}
		}
		check(b)
		check(reseal(b))
	})
}
