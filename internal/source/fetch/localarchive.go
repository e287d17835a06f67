package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// localArchive takes in an archive of this machine. Its hash stands for the ETag of a
// server: an archive that did not change is not unpacked again. Nothing else is different,
// the limits least of all: who made it is as unknown as with one from an address.
func (f *fetcher) localArchive(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return cause(err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return cause(err)
	case !info.Mode().IsRegular():
		return errors.New("not a regular file")
	case info.Size() > f.opt.limits.packed:
		return fmt.Errorf("larger than %d bytes", f.opt.limits.packed)
	}
	h := sha256.New()
	if _, err := io.Copy(h, f.metered(file, f.opt.limits.packed)); err != nil {
		return cause(err)
	}
	f.report.ETag = "sha256:" + hex.EncodeToString(h.Sum(nil))
	if f.before.ETag == f.report.ETag {
		f.report.Unchanged = true
		return nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return cause(err)
	}
	if err := f.open(); err != nil {
		return err
	}
	f.total, f.report.Bytes = info.Size(), 0
	return f.unpack(name, file)
}
