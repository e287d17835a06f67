package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// ErrInUse means that other programs read or write a file that is to be replaced.
var ErrInUse = errors.New("another program uses it: try again when that is done")

// FoldLog moves what is only in the log of a file, if it has one, into the file: then it
// is whole without it.
func FoldLog(ctx context.Context, file string) error {
	if log, err := os.Stat(file + "-wal"); err != nil || log.Size() == 0 {
		return nil
	}
	db, err := open(file, "rw")
	if err != nil {
		return err
	}
	defer db.Close()
	var busy, frames, moved int
	if err := db.sql.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &moved); err != nil {
		return db.wrap(err)
	}
	if busy != 0 {
		return fmt.Errorf("replace %s: %w", file, ErrInUse)
	}
	return nil
}
