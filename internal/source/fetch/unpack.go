package fetch

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// A pick maps an entry's name to the name its file is kept under; empty to leave
// it out. A file that belongs to something larger than what was asked for, such as the
// licence of the repository, is inherited.
type pick func(name string) (target string, inherited bool)

type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}

// inflated reads what gzip unpacks and holds it to the limits.
type inflated struct {
	r      io.Reader
	packed *counted
	lim    limits
	n      int64
	err    error // what went wrong first, also where tar gives another reason
}

func (b *inflated) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.r.Read(p)
	b.n += int64(n)
	switch {
	case err != nil && err != io.EOF:
		b.err = fmt.Errorf("the archive is damaged: %w", err)
	case b.n > b.lim.stream:
		b.err = fmt.Errorf("unpacks to more than %d bytes", b.lim.stream)
	case b.n > b.lim.free && b.n/b.lim.ratio > b.packed.n:
		b.err = fmt.Errorf("unpacks to more than %d times its size", b.lim.ratio)
	default:
		return n, err
	}
	return 0, b.err
}

// untar takes in a .tar.gz. check is shown the headers that speak for the whole
// archive; it may be nil.
func (k *sink) untar(r io.Reader, to pick, check func(*tar.Header) error) error {
	packed := &counted{r: r}
	z, err := gzip.NewReader(bufio.NewReaderSize(packed, 64<<10))
	if err != nil {
		return fmt.Errorf("not a .tar.gz: %w", err)
	}
	in := &inflated{r: z, packed: packed, lim: k.lim}
	t := tar.NewReader(in)
	last := "(the first)"
	for {
		h, err := t.Next()
		if err == io.EOF {
			break
		}
		if in.err != nil {
			err = in.err
		}
		if err != nil {
			return fmt.Errorf("after entry %s: %w", quoted(last), err)
		}
		last = h.Name
		if h.Typeflag == tar.TypeXGlobalHeader {
			if check != nil {
				if err := check(h); err != nil {
					return err
				}
			}
			continue
		}
		if err := k.tarEntry(h, t, to); err != nil {
			if in.err != nil {
				err = &EntryError{h.Name, in.err}
			}
			return err
		}
	}
	// What follows the last entry is padding, but the checksum of it all comes
	// after it.
	if _, err := io.Copy(io.Discard, in); err != nil {
		return fmt.Errorf("after entry %s: %w", quoted(last), err)
	}
	return nil
}

func (k *sink) tarEntry(h *tar.Header, r io.Reader, to pick) error {
	name, err := k.entry(h.Name)
	if err != nil {
		return err
	}
	target, inherited := to(name)
	if h.Typeflag == tar.TypeDir || target == "" || !wanted(target) {
		return nil
	}
	reason := ""
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeSymlink:
		reason = "a symbolic link"
	case tar.TypeLink:
		reason = "a hard link"
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		reason = "a device or pipe"
	case tar.TypeGNUSparse:
		reason = "a file with holes"
	default:
		reason = fmt.Sprintf("of the unknown type %q", h.Typeflag)
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			reason = "a file with holes"
		}
	}
	if reason != "" {
		k.skip(target, reason)
		return nil
	}
	return k.put(target, inherited, h.Size, r)
}

func (k *sink) unzip(f *os.File, size int64, to pick) error {
	// The list is read as a whole, at some hundred bytes an entry, and how many
	// there are is not for the archive to say.
	n, err := countEntries(io.NewSectionReader(f, 0, size))
	if err != nil {
		return err
	}
	if n > k.lim.entries {
		return fmt.Errorf("holds more than %d entries", k.lim.entries)
	}
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("not a .zip: %w", err)
	}
	for _, h := range z.File {
		name, err := k.entry(h.Name)
		if err != nil {
			return err
		}
		target, inherited := to(name)
		if target == "" || strings.HasSuffix(h.Name, "/") || !wanted(target) {
			continue
		}
		if err := k.zipEntry(h, target, inherited); err != nil {
			return err
		}
	}
	return nil
}

// countEntries counts the marks that begin an entry in a zip's list. A zip
// within the zip adds its own, which only makes the bound stricter.
func countEntries(r io.Reader) (int, error) {
	mark := []byte("PK\x01\x02")
	buf := make([]byte, 256<<10)
	n, have := 0, 0
	for {
		m, err := io.ReadFull(r, buf[have:])
		n += bytes.Count(buf[:have+m], mark)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
		have = copy(buf, buf[have+m-len(mark)+1:have+m])
	}
}

func (k *sink) zipEntry(h *zip.File, target string, inherited bool) error {
	switch mode := h.Mode(); {
	case mode&os.ModeSymlink != 0:
		k.skip(target, "a symbolic link")
		return nil
	case !mode.IsRegular():
		k.skip(target, "a device or pipe")
		return nil
	case h.Flags&1 != 0:
		k.skip(target, "encrypted")
		return nil
	case h.UncompressedSize64 > uint64(k.lim.file):
		k.skip(target, fmt.Sprintf("%d bytes, over the limit of %d", h.UncompressedSize64, k.lim.file))
		return nil
	case int64(h.UncompressedSize64) > 1<<20 && h.UncompressedSize64/uint64(k.lim.ratio) > h.CompressedSize64:
		return &EntryError{h.Name, fmt.Errorf("unpacks to more than %d times its size", k.lim.ratio)}
	}
	r, err := h.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		k.skip(target, "packed in a way docent does not know")
		return nil
	}
	if err != nil {
		return &EntryError{h.Name, err}
	}
	defer r.Close()
	return k.put(target, inherited, int64(h.UncompressedSize64), r)
}

// subTree picks what is in the folder sub (all where it is empty), or is the
// file sub, and the licences of the repository above it. strip says to drop the
// folder that GitHub puts around a repository.
func subTree(sub string, strip bool) pick {
	return func(name string) (string, bool) {
		if strip {
			_, rest, ok := strings.Cut(name, "/")
			if !ok {
				return "", false
			}
			name = rest
		}
		if sub == "" {
			return name, false
		}
		if name == sub {
			return path.Base(name), false
		}
		if rest, ok := strings.CutPrefix(name, sub+"/"); ok {
			return rest, false
		}
		if isLicence(name) {
			return name, true
		}
		return "", false
	}
}

func everything(name string) (string, bool) { return name, false }

// archive takes in a .tar.gz or .zip, at an address or of this machine. Where all of it
// is in one folder, that folder is what is stored.
func (f *fetcher) archive(s Source) error {
	if s.Local() {
		return f.localArchive(s.URL)
	}
	var header []string
	if f.before.ETag != "" {
		header = []string{"If-None-Match", f.before.ETag}
	}
	resp, err := f.client.get(f.ctx, s.URL, header...)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified {
		f.report.Unchanged, f.report.ETag = true, f.before.ETag
		return nil
	}
	if etag := resp.Header.Get("ETag"); printable(etag) && len(etag) < 500 {
		f.report.ETag = etag
	}
	if err := f.open(); err != nil {
		return err
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return err
	}
	f.total = max(resp.ContentLength, 0)
	return f.unpack(u.Path, resp.Body)
}

// unpack takes in what r gives of the archive of that name.
func (f *fetcher) unpack(name string, r io.Reader) error {
	if !strings.HasSuffix(strings.ToLower(name), ".zip") {
		return f.sink.untar(f.metered(r, f.opt.limits.packed), everything, nil)
	}
	// A zip is read from its end, so all of it must be here.
	file, err := f.stage.fresh.OpenFile("archive.zip", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return cause(err)
	}
	defer file.Close()
	size, err := io.Copy(file, f.metered(r, f.opt.limits.zip))
	if err != nil {
		return fmt.Errorf("the archive did not come whole: %w", cause(err))
	}
	return f.sink.unzip(file, size, everything)
}
