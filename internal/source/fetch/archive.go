package fetch

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
)

// archive takes in a .tar.gz or .zip at an address. Where all of it is in one
// folder, that folder is what is stored.
func (f *fetcher) archive(s Source) error {
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
	if !strings.HasSuffix(strings.ToLower(u.Path), ".zip") {
		return f.sink.untar(f.body(resp, f.opt.limits.packed), everything, nil)
	}
	// A zip is read from its end, so all of it must be here.
	file, err := f.stage.fresh.OpenFile("archive.zip", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return cause(err)
	}
	defer file.Close()
	size, err := io.Copy(file, f.body(resp, f.opt.limits.zip))
	if err != nil {
		return fmt.Errorf("the archive did not come whole: %w", cause(err))
	}
	return f.sink.unzip(file, size, everything)
}
