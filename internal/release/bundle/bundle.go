// Package bundle writes archives whose bytes depend on their content alone: the order
// of files, their owners, modes and times are fixed.
package bundle

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"io"
	"slices"
	"time"
)

// A File is one file of an archive.
type File struct {
	Name string // with slashes
	Data []byte
	Exec bool
}

func (f File) mode() int64 {
	if f.Exec {
		return 0o755
	}
	return 0o644
}

func sorted(files []File) []File {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// TarGz returns a gzipped tar archive of files, all of them from that time.
func TarGz(files []File, at time.Time) ([]byte, error) {
	b := &bytes.Buffer{}
	w := tar.NewWriter(b)
	for _, f := range sorted(files) {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(f.Data)), Mode: f.mode(), ModTime: at.UTC(), Format: tar.FormatUSTAR,
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return Gz(b.Bytes())
}

// Gz returns data compressed, without a name or a time.
func Gz(data []byte) ([]byte, error) {
	b := &bytes.Buffer{}
	z, err := gzip.NewWriterLevel(b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Zip returns a zip archive of files, all of them from that time.
func Zip(files []File, at time.Time) ([]byte, error) {
	b := &bytes.Buffer{}
	w := zip.NewWriter(b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, f := range sorted(files) {
		h := &zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(0o644)
		if f.Exec {
			h.SetMode(0o755)
		}
		part, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(f.Data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
