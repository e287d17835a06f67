package retrieve

import (
	"context"
	"math"

	"github.com/docent-md/docent/internal/engine/vector"
	"github.com/docent-md/docent/internal/library/embedding"
	"github.com/docent-md/docent/internal/library/snapshot"
)

// The vector of a file.
//
// It is made of those of its chunks, which hold their titles: that of the first, which
// has the file's title and opening text, and the mean of all, which has its headings,
// weigh the same. So it costs nothing to keep, and is there for whatever gave the index
// its vectors.

// FileVector returns the vector of a file, of length 1; nil if it has none.
func FileVector(v *snapshot.View, f snapshot.File) ([]float32, error) {
	m, err := v.Segments[f.Seg].Vectors()
	if err != nil || m == nil || f.Info.Chunks == 0 {
		return nil, err
	}
	return fileVector(m.Rows, f.Info.FirstChunk, f.Info.Chunks)
}

func fileVector(rows *vector.Reader, first, n int) ([]float32, error) {
	sum := make([]float32, rows.Dim())
	for i := first; i < min(first+n, rows.Len()); i++ {
		row, err := rows.Row(i)
		if err != nil {
			return nil, err
		}
		weight := 1 / float32(n)
		if i == first {
			weight++
		}
		for k, x := range row {
			sum[k] += float32(weight * x)
		}
	}
	length := 0.
	for _, x := range sum {
		length += float64(float64(x) * float64(x))
	}
	if length == 0 {
		return nil, nil
	}
	for k := range sum {
		sum[k] /= float32(math.Sqrt(length))
	}
	return sum, nil
}

// FileSimilarities returns how near the files of a view are to a text, in the order of
// View.Files: cosines. Without vectors, note says why there are none.
func FileSimilarities(ctx context.Context, v *snapshot.View, files []snapshot.File, text string) (out []float64, note string, err error) {
	missing, err := withoutVectors(v)
	if err != nil || missing != "" {
		return nil, missing, err
	}
	questions := map[*snapshot.View][]float32{}
	out = make([]float64, len(files))
	for i, f := range files {
		if err := snapshot.Canceled(ctx, i); err != nil {
			return nil, "", err
		}
		home := v.Segments[f.Seg].Home
		if questions[home] == nil {
			by, err := home.Embedder()
			if err == nil {
				questions[home], err = by.Question(ctx, text)
			}
			if embedding.IsUnavailable(err) && ctx.Err() == nil {
				return nil, err.Error(), nil
			}
			if err != nil {
				return nil, "", err
			}
		}
		row, err := FileVector(v, f)
		if err != nil {
			return nil, "", err
		}
		out[i] = cosine(questions[home], row)
	}
	return out, "", nil
}

// cosine compares a vector with one of length 1.
func cosine(a, unit []float32) float64 {
	if len(a) != len(unit) {
		return 0
	}
	dot, length := 0., 0.
	for i, x := range a {
		dot += float64(float64(x) * float64(unit[i]))
		length += float64(float64(x) * float64(x))
	}
	if length == 0 {
		return 0
	}
	return dot / math.Sqrt(length)
}
