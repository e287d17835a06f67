package training

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/text/markdown"
	"github.com/docent-md/docent/internal/wholefile"
)

// TrainOptions tune training. The zero value is a good default.
type TrainOptions struct {
	Epochs   int                 // rounds over all triplets; 0 means 3
	Seed     uint64              // of their order
	Strict   bool                // a malformed line is an error
	Progress func(TrainProgress) // may be nil
}

// TrainProgress says how far training is.
type TrainProgress struct {
	Epoch, Epochs int
	Step, Steps   int
	Loss          float64
}

// A TrainReport says what was learnt.
type TrainReport struct {
	Output      string   `json:"output"`
	Triplets    int      `json:"triplets"` // trained on
	HeldOut     int      `json:"held_out"` // and left for an evaluation
	Skipped     []string `json:"skipped"`  // malformed lines, and why
	Rows        int      `json:"rows"`     // of the table that changed
	Epochs      int      `json:"epochs"`
	Loss        float64  `json:"loss"` // over the last batches
	Seconds     float64  `json:"seconds"`
	Fingerprint string   `json:"fingerprint"`
}

// Train teaches the built-in table from triplets, JSON Lines of query, positive and
// negatives, and writes what it learnt to a folder that Options.Model takes. One in five
// is held out for an evaluation. The same triplets, options and program give the same bytes.
func Train(ctx context.Context, triplets io.Reader, dir string, o TrainOptions) (*TrainReport, error) {
	start := time.Now()
	read, bad, err := embed.ReadTriplets(triplets, o.Strict)
	if err != nil {
		return nil, fmt.Errorf("triplets: %w", err)
	}
	read, held := holdOut(read)
	report := &TrainReport{Output: dir, Triplets: len(read), HeldOut: len(held), Skipped: []string{}}
	for _, b := range bad {
		report.Skipped = append(report.Skipped, b.Error())
	}
	delta, err := embed.Train(ctx, embed.Base(), read, embed.TrainOptions{
		Epochs: o.Epochs, Seed: o.Seed,
		Progress: func(p embed.Progress) {
			report.Epochs, report.Loss = p.Epochs, p.Loss
			if o.Progress != nil {
				o.Progress(TrainProgress(p))
			}
		},
	})
	if err != nil {
		return nil, err
	}
	report.Rows, report.Fingerprint, report.Seconds = delta.Rows(), delta.Fingerprint(), time.Since(start).Seconds()
	card := *report
	card.Seconds, card.Output = 0, "" // the same training gives the same bytes
	text, err := json.MarshalIndent(card, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("train: %w", err)
	}
	if err := wholefile.WriteBytes(filepath.Join(dir, "model.json"), 0o644, append(text, '\n')); err != nil {
		return nil, err
	}
	if err := wholefile.WriteBytes(filepath.Join(dir, TrainedFile), 0o644, trainedOn(read)); err != nil {
		return nil, err
	}
	return report, wholefile.WriteBytes(filepath.Join(dir, embedding.DeltaFile), 0o644, delta.Bytes())
}

// TrainBase makes the table that ships from the Markdown files of a folder, and
// writes it to a file. It reports the table's fingerprint.
func TrainBase(ctx context.Context, dir, file string, progress func(TrainProgress)) (string, error) {
	o := embed.BaseOptions{}
	o.Progress = func(p embed.Progress) {
		if progress != nil {
			progress(TrainProgress(p))
		}
	}
	t, err := embed.TrainBase(ctx, embed.Pages(os.DirFS(dir), markdown.Parse, markdown.AppendText), o)
	if err != nil {
		return "", err
	}
	return t.Fingerprint(), wholefile.WriteBytes(file, 0o644, t.Bytes())
}

// Mine writes triplets from the library's own documents, without any model: a
// heading and its text, a sentence and the rest of its section, with neighbouring
// sections as negatives. It reports how many.
func Mine(ctx context.Context, l *snapshot.View, w io.Writer, negatives int) (int, error) {
	files, err := l.Files()
	if err != nil {
		return 0, err
	}
	n := 0
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		data, err := l.Text(k)
		if err != nil {
			return n, err
		}
		d := markdown.Parse(k.Path, data)
		page := embed.NewPage("", &d, markdown.AppendText)
		triplets := embed.Mine(&page, negatives)
		if err := embed.WriteTriplets(w, triplets); err != nil {
			return n, err
		}
		n += len(triplets)
	}
	return n, nil
}
