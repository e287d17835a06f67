package embed

import (
	"crypto/sha256"
	"fmt"
)

// Verify reads the whole table and reports whether it is as it was written.
func (t *Table) Verify() error {
	if digest(t.data) != [sha256.Size]byte(t.data[digestAt:]) {
		return fmt.Errorf("verify table: %w: its checksum differs", ErrFormat)
	}
	return nil
}

// With returns a new table in which the rows of a delta have taken the place of
// the table's own.
func (t *Table) With(d *Delta) (*Table, error) {
	if err := d.fits(t); err != nil {
		return nil, err
	}
	out, err := Open(append([]byte(nil), t.data...))
	if err != nil {
		return nil, err
	}
	for n := range t.Rows() {
		if row := d.row(n); row != nil {
			copy(out.row(n), row)
		}
	}
	out.seal()
	return out, nil
}
