package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"testing"
	"time"
)

var (
	at    = time.Date(2025, 1, 2, 3, 4, 6, 0, time.UTC)
	files = []File{{Name: "d/b", Data: []byte("text")}, {Name: "a", Data: []byte("program"), Exec: true}}
)

func TestOrderAndZoneDoNotMatter(t *testing.T) {
	turned := []File{files[1], files[0]}
	for name, write := range map[string]func([]File, time.Time) ([]byte, error){"tar": TarGz, "zip": Zip} {
		one, err := write(files, at)
		if err != nil {
			t.Fatal(err)
		}
		two, err := write(turned, at.In(time.FixedZone("east", 3600)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) {
			t.Errorf("%s: the same files give other bytes", name)
		}
	}
}

func TestTarHoldsTheFiles(t *testing.T) {
	raw, err := TarGz(files, at)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(z)
	for _, want := range []File{files[1], files[0]} {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil || h.Name != want.Name || h.Mode != want.mode() || !bytes.Equal(data, want.Data) || !h.ModTime.Equal(at) {
			t.Errorf("%s %o %v %q %v, want %s", h.Name, h.Mode, h.ModTime, data, err, want.Name)
		}
	}
}

func TestZipHoldsTheFiles(t *testing.T) {
	raw, err := Zip(files, at)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.File) != 2 || r.File[0].Name != "a" || r.File[0].Mode() != 0o755 || !r.File[0].Modified.Equal(at) {
		t.Errorf("%+v", r.File)
	}
}
