package markdown

import (
	"testing"

	gmtext "github.com/yuin/goldmark/text"

	"github.com/docent-md/docent/doc"
)

// sample returns files of a corpus up to about 4 MB.
func sample(b testing.TB, name string) (files []file, size int64) {
	for _, f := range corpus(b, name) {
		files = append(files, f)
		if size += int64(len(f.text)); size > 4<<20 {
			break
		}
	}
	return files, size
}

func BenchmarkParse(b *testing.B) {
	for _, name := range corpusNames {
		b.Run(name, func(b *testing.B) {
			files, size := sample(b, name)
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range files {
					Parse(f.path, f.text)
				}
			}
		})
	}
}

func BenchmarkAppendText(b *testing.B) {
	for _, name := range corpusNames {
		b.Run(name, func(b *testing.B) {
			files, size := sample(b, name)
			docs := make([]doc.Document, len(files))
			for i, f := range files {
				docs[i] = Parse(f.path, f.text)
			}
			b.SetBytes(size)
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				for i := range docs {
					buf = AppendText(buf[:0], &docs[i], doc.Span{End: len(docs[i].Source)})
				}
			}
		})
	}
}

func BenchmarkGoldmark(b *testing.B) {
	for _, name := range corpusNames {
		b.Run(name, func(b *testing.B) {
			files, size := sample(b, name)
			p := oracle()
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, f := range files {
					p.Parse(gmtext.NewReader(f.text))
				}
			}
		})
	}
}
