//go:build unix

package sqlite

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/docent-md/docent/internal/gates/cases"
)

// TestMain lets the test program be the one that is killed.
func TestMain(m *testing.M) {
	if file := os.Getenv("DOCENT_TEST_WRITE_TO"); file != "" {
		writeForever(file)
	}
	os.Exit(m.Run())
}

// writeForever replaces documents by versions of themselves, all chunks of which
// name the version.
func writeForever(file string) {
	db, err := Create(context.Background(), file)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for v := 0; ; v++ {
		tx, err := db.Begin(context.Background())
		if err == nil {
			for d := range 3 {
				word := fmt.Sprint("v", v)
				if err = tx.Put(document(fmt.Sprintf("d%d.md", (v+d)%7), word+" a", word+" b", word+" c")); err != nil {
					break
				}
			}
		}
		if err == nil {
			err = tx.Commit()
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

// A writer that is killed at any moment leaves a sound file, in which every document
// is of one version.
func TestKilledWriter(t *testing.T) {
	kills := 6
	if testing.Short() {
		kills = 2
	}
	if os.Getenv("DOCENT_TORTURE") != "" {
		kills = 100
	}
	file := filepath.Join(t.TempDir(), "a.db")
	r := rand.New(rand.NewPCG(5, 6))
	for i := range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), "DOCENT_TEST_WRITE_TO="+file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(30+r.IntN(300)) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatalf("kill %d: the writer had ended by itself: %v", i, err)
		}
		_ = cmd.Wait()
		db, err := Create(context.Background(), file)
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		if err := db.Check(context.Background()); err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		files, err := db.Files(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			whole, err := db.File(context.Background(), f.Path)
			if err != nil || len(whole.Chunks) != 3 {
				t.Fatalf("kill %d: %s has %d chunks: %v", i, f.Path, len(whole.Chunks), err)
			}
			for _, c := range whole.Chunks {
				if c.Title != whole.Chunks[0].Title || len(c.Vector) != 3 {
					t.Fatalf("kill %d: %s is of two versions", i, f.Path)
				}
			}
		}
		_ = db.Close()
	}
	cases.Tried(t, "R1", kills)
}

// A writer that is killed before there is a table leaves a file that the next one
// makes whole.
func TestKilledBeforeTheFirstTable(t *testing.T) {
	ctx, file := context.Background(), filepath.Join(t.TempDir(), "a.db")
	blank, err := open(file, "rwc")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blank.sql.ExecContext(ctx, "PRAGMA user_version = 0"); err != nil {
		t.Fatal(err)
	}
	_ = blank.Close()
	db, err := Create(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Check(ctx); err != nil {
		t.Error(err)
	}
	_ = db.Close()
}
