package docent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/docent-md/docent/internal/eval"
	"github.com/docent-md/docent/internal/index"
	"github.com/docent-md/docent/internal/rank"
)

type labSet struct {
	set *eval.Set
	lib *Library
}

func labSets(t *testing.T) []labSet {
	var out []labSet
	for _, n := range []string{"k8s", "rust", "vue", "faq-a", "anthropic-docs", "cranfield", "cacm"} {
		s, err := eval.Load("../shared/eval/" + n)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join("/tmp/lab", n)
		os.MkdirAll(dir, 0o755)
		if err := s.WriteFiles(filepath.Join(dir, "files")); err != nil {
			t.Fatal(err)
		}
		os.RemoveAll(filepath.Join(dir, "index"))
		lib, err := OpenDir(context.Background(), filepath.Join(dir, "files"), filepath.Join(dir, "index"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, labSet{s, lib})
	}
	return out
}

type cachedHits struct {
	hits []found
	res  index.Result
}

func TestLab(t *testing.T) {
	if os.Getenv("LAB") == "" {
		t.Skip()
	}
	sets := labSets(t)
	cache := map[string]cachedHits{}
	run := func(p rank.Params) {
		line := fmt.Sprintf("%+v:", p)
		sum, n := 0., 0
		for _, s := range sets {
			r, err := eval.Score(s.set, func(q string) ([]eval.Hit, error) {
				key := s.set.Name + "\x00" + q
				c, ok := cache[key]
				if !ok {
					iq := index.Parse(q)
					res, err := s.lib.search.Top(iq, 1000, index.Options{Params: s.lib.params()})
					if err != nil {
						return nil, err
					}
					c.res = res
					for _, m := range res.Matches {
						f, err := s.lib.place(m)
						if err != nil {
							return nil, err
						}
						c.hits = append(c.hits, f)
					}
					cache[key] = c
				}
				hits, err := reorder(c.hits, q, c.res, p)
				if err != nil {
					return nil, err
				}
				out := make([]eval.Hit, len(hits))
				for i, h := range hits {
					out[i] = eval.Hit{File: h.file.Path, Start: h.chunk.Lines.Start, End: h.chunk.Lines.End}
				}
				return out, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if os.Getenv("BREAK") != "" {
				by := map[string][]float64{}
				qs := map[string]eval.Query{}
				for _, q := range s.set.Queries {
					qs[q.ID] = q
				}
				for _, x := range r {
					if x.Kind == "link-typo" {
						continue
					}
					for _, q := range x.Queries {
						k := x.Kind + "/" + qs[q.ID].Type + "/" + qs[q.ID].Match
						by[k] = append(by[k], q.Values[eval.NDCG10])
						if os.Getenv("BREAK") == k && s.set.Name == os.Getenv("SET") && q.Values[eval.NDCG10] < 0.45 {
							qq := qs[q.ID]
							fmt.Printf("Q %q -> %s:%d-%d  (%.2f)\n", qq.Text, qq.Judged[0].ID, qq.Judged[0].Start, qq.Judged[0].End, q.Values[eval.NDCG10])
							c := cache[s.set.Name+"\x00"+qq.Text]
							hh, _ := reorder(c.hits, qq.Text, c.res, p)
							for i, h := range hh {
								if i < 3 || h.file.Path == qq.Judged[0].File && h.chunk.Lines.Start <= qq.Judged[0].End && h.chunk.Lines.End >= qq.Judged[0].Start && i < 100 {
									fmt.Printf("     %d %s#%s:%d-%d [%s] s=%.2f m=%.2f f=%.2f\n", i+1, h.file.Path, h.section.Anchor, h.chunk.Lines.Start, h.chunk.Lines.End, h.section.Title, h.Score, h.Match, h.Final)
								}
							}
						}
					}
				}
				for k, v := range by {
					m := 0.
					for _, y := range v {
						m += y
					}
					fmt.Printf("   %s %s n=%d %.4f\n", s.set.Name, k, len(v), m/float64(len(v)))
				}
			}
			for _, x := range r {
				v := x.Mean()[eval.NDCG10]
				if x.Kind == "link-typo" {
					continue
				}
				line += fmt.Sprintf(" %s/%s %.4f", s.set.Name[:3], x.Kind[:min(2, len(x.Kind))], v)
				sum += v
				n++
			}
		}
		fmt.Printf("%s mean %.4f\n", line, sum/float64(n))
	}
	for _, ti := range []float64{0.4, 0.6, 0.8, 1} {
		for _, pg := range []float64{0.1} {
			run(rank.Params{Title: ti, Page: pg})
		}
	}
}
