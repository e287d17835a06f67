package snapshot

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/graph"
)

// A File is a document of the index that was neither replaced nor deleted since.
type File struct {
	Path     string
	Seg, Row int
	Info     doctable.File
}

// ID is the name of a file in the graph.
func (k File) ID() graph.ID { return graph.ID{Segment: k.Seg, Row: k.Row} }

// Describe is the file as answers list it.
func (k File) Describe() answer.FileInfo {
	f := k.Info
	info := answer.FileInfo{
		File: f.Path, Title: f.Title, Sections: f.Sections, Chunks: f.Chunks, Lines: f.Lines, Tokens: f.Tokens, Bytes: f.Size,
		Hash: string(f.Hash[:]),
	}
	if f.ModTime > 0 {
		info.Modified = time.Unix(0, f.ModTime)
	}
	return info
}

// ContentHash identifies the text of a document.
func ContentHash(data []byte) doctable.Hash {
	sum := sha256.Sum256(data)
	return doctable.Hash(sum[:16])
}

// Canceled returns the error of ctx in every 64th turn of a loop whose turns are short.
func Canceled(ctx context.Context, i int) error {
	if i%64 != 0 {
		return nil
	}
	return ctx.Err()
}
