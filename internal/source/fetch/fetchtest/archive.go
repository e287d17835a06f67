package fetchtest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"maps"
	"slices"
)

// Tarball packs files as GitHub does: a global header with the commit's hash,
// and a folder around it all.
func Tarball(top, commit string, files map[string]string) []byte {
	var headers []Header
	if commit != "" {
		headers = append(headers, Header{Header: tar.Header{
			Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": commit},
		}})
	}
	headers = append(headers, Header{Header: tar.Header{Typeflag: tar.TypeDir, Name: top + "/", Mode: 0o775}})
	for _, name := range slices.Sorted(maps.Keys(files)) {
		headers = append(headers, Header{Header: tar.Header{Typeflag: tar.TypeReg, Name: top + "/" + name, Mode: 0o664}, Body: files[name]})
	}
	return Tar(headers...)
}

// A Header is an entry of a tarball with its content.
type Header struct {
	tar.Header
	Body string
}

// Tar packs entries, honest or not, as a .tar.gz.
func Tar(headers ...Header) []byte {
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	t := tar.NewWriter(z)
	for _, h := range headers {
		if h.Typeflag == tar.TypeReg || h.Typeflag == 0 {
			h.Size = int64(len(h.Body))
		}
		must(t.WriteHeader(&h.Header))
		if h.Size > 0 {
			_, err := t.Write([]byte(h.Body))
			must(err)
		}
	}
	must(t.Close())
	must(z.Close())
	return buf.Bytes()
}

// Zip packs files as a .zip.
func Zip(files map[string]string) []byte {
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		must(err)
		_, err = w.Write([]byte(files[name]))
		must(err)
	}
	must(z.Close())
	return buf.Bytes()
}

// must is for what cannot fail in memory.
func must(err error) {
	if err != nil {
		panic("fetchtest: " + err.Error())
	}
}
