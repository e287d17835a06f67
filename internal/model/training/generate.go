// Package training makes triplets from documents, and teaches the base table from them.
package training

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/answer"
	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/library/snapshot"
	"github.com/docent-md/docent/internal/model/assist"
	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/wholefile"
)

// A chunkText is a chunk that questions are generated for.
type chunkText struct {
	id        string
	text      string
	negatives []string
}

// Generate has the assistant say which questions each chunk answers, and appends
// them to a file as triplets. Chunks that are in the file already are passed over,
// so that an interrupted run goes on where it was.
func Generate(ctx context.Context, a *assist.Assistant, v *snapshot.View, file string, o answer.GenerateOptions) (*answer.GenerateReport, error) {
	if o.PerChunk == 0 {
		o.PerChunk = 1
	}
	if o.Negatives == 0 {
		o.Negatives = 3
	}
	if o.Batch == 0 {
		o.Batch = 1000
	}
	if o.Poll == 0 {
		o.Poll = 30 * time.Second
	}
	done, err := readGenerated(file)
	if err != nil {
		return nil, err
	}
	all, err := chunkTexts(ctx, v, o)
	if err != nil {
		return nil, err
	}
	r := &answer.GenerateReport{GeneratePlan: answer.GeneratePlan{Chunks: len(all), Model: a.Model()}}
	todo := all[:0]
	for _, x := range all {
		if done[x.text] {
			r.Done++
			continue
		}
		r.Tokens += v.Policy.Count([]byte(x.text))
		todo = append(todo, x)
	}
	r.Batch = len(todo) >= o.Batch
	r.USD, r.Priced = llm.Estimate(a.Model(), len(todo), r.Tokens, llm.QuestionTokens, r.Batch)
	if len(todo) == 0 || o.Agree != nil && !o.Agree(r.GeneratePlan) {
		return r, nil
	}
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	g := &generator{a: a, o: o, out: out, report: r}
	if r.Batch {
		err = g.batch(ctx, file+".batch", todo)
	} else {
		err = g.each(ctx, todo)
	}
	return r, errors.Join(err, out.Close())
}

// readGenerated reads the chunks that a file has questions for.
func readGenerated(file string) (map[string]bool, error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	triplets, _, err := embed.ReadTriplets(strings.NewReader(string(raw)), false)
	done := map[string]bool{}
	for _, t := range triplets {
		done[t.Positive] = true
	}
	return done, err
}

// chunkTexts lists the chunks of the library, with others under the same heading.
func chunkTexts(ctx context.Context, l *snapshot.View, o answer.GenerateOptions) ([]chunkText, error) {
	files, err := l.Files()
	if err != nil {
		return nil, err
	}
	var all []chunkText
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := l.Text(k)
		if err != nil {
			return nil, err
		}
		cat := l.Segments[k.Seg].Table
		texts := make([]string, k.Info.Chunks)
		parents := make([]int, k.Info.Chunks)
		for i := range texts {
			c, err := cat.Chunk(k.Info.FirstChunk + i)
			if err != nil {
				return nil, err
			}
			s, err := cat.Section(c.Section)
			if err != nil {
				return nil, err
			}
			texts[i], parents[i] = strings.TrimSpace(string(c.Span.Of(data))), s.Parent
		}
		for i, text := range texts {
			if text == "" {
				continue
			}
			x := chunkText{id: fmt.Sprintf("c%016x", answer.HashOf([]byte(text))), text: text}
			for step := 1; step < len(texts) && len(x.negatives) < o.Negatives; step++ {
				for _, j := range []int{i - step, i + step} {
					if j >= 0 && j < len(texts) && parents[j] == parents[i] && texts[j] != text && texts[j] != "" && len(x.negatives) < o.Negatives {
						x.negatives = append(x.negatives, texts[j])
					}
				}
			}
			all = append(all, x)
		}
	}
	if o.Limit > 0 && o.Limit < len(all) {
		some := make([]chunkText, o.Limit)
		for i := range some {
			some[i] = all[i*len(all)/o.Limit]
		}
		all = some
	}
	return all, nil
}

// A generator writes triplets as the answers come.
type generator struct {
	a      *assist.Assistant
	o      answer.GenerateOptions
	report *answer.GenerateReport

	mu   sync.Mutex
	out  io.Writer
	done int
}

func (g *generator) put(x chunkText, questions []string, err error, total int) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done++
	if err != nil {
		g.report.Failed++
		if g.report.Error == "" {
			g.report.Error = err.Error()
		}
	} else {
		var triplets []embed.Triplet
		for _, q := range questions {
			triplets = append(triplets, embed.Triplet{Query: q, Positive: x.text, Negatives: x.negatives})
		}
		var line strings.Builder
		if err := embed.WriteTriplets(&line, triplets); err != nil {
			return err
		}
		if _, err := io.WriteString(g.out, line.String()); err != nil {
			return err
		}
		g.report.Written += len(triplets)
	}
	if g.o.Progress != nil {
		g.o.Progress(g.done, total)
	}
	return nil
}

// each asks for one chunk after another, several at a time.
func (g *generator) each(ctx context.Context, todo []chunkText) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan chunkText)
	var streak llm.Streak
	var wait sync.WaitGroup
	for range assist.SummaryWorkers {
		wait.Go(func() {
			for x := range next {
				questions, err := g.a.Plain.Questions(ctx, x.text, g.o.PerChunk)
				if ctx.Err() != nil {
					return
				}
				if streak.Ends(err) {
					cancel(fmt.Errorf("stopped, because request after request failed: %w: run it again to go on; what was written stays", err))
					return
				}
				if err := g.put(x, questions, err, len(todo)); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	for _, x := range todo {
		select {
		case next <- x:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(next)
	wait.Wait()
	return context.Cause(ctx)
}

// maxBatch is the most requests that are handed in together.
const maxBatch = 10_000

// batch submits all chunks at once and waits. A file next to the triplets names the
// batch under way, so that nothing is paid for twice.
func (g *generator) batch(ctx context.Context, state string, todo []chunkText) error {
	byID := map[string]chunkText{}
	for _, x := range todo {
		byID[x.id] = x
	}
	id, err := lastBatch(state)
	if err != nil {
		return err
	}
	if id == "" {
		ids := slices.Sorted(maps.Keys(byID))
		ids = ids[:min(len(ids), maxBatch)]
		requests := make([]llm.Request, len(ids))
		for i, name := range ids {
			requests[i] = llm.QuestionsRequest(byID[name].text, g.o.PerChunk)
		}
		b, err := g.a.Plain.StartBatch(ctx, ids, requests)
		if err != nil {
			return err
		}
		id = b.ID
		raw, err := json.Marshal(map[string]string{"id": id})
		if err != nil {
			return err
		}
		if err := wholefile.WriteBytes(state, 0o644, append(raw, '\n')); err != nil {
			return err
		}
	} else if g.o.Note != nil {
		g.o.Note("going on with the batch %s", id)
	}
	if _, err := g.a.Plain.WaitBatch(ctx, id, g.o.Poll, nil); err != nil {
		return err
	}
	var failed error
	err = g.a.Plain.BatchResults(ctx, id, func(name string, reply llm.Reply, err error) {
		x, ours := byID[name]
		if !ours {
			return
		}
		var questions []string
		if err == nil {
			questions, err = llm.ParseQuestions(reply.Text, g.o.PerChunk)
		}
		if err := g.put(x, questions, err, len(todo)); err != nil && failed == nil {
			failed = err
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	if err := os.Remove(state); err != nil {
		return err
	}
	if len(byID) > maxBatch && g.o.Note != nil {
		g.o.Note("%d chunks are left: run it again", len(byID)-maxBatch)
	}
	return nil
}

// lastBatch reads the batch that an interrupted run left behind.
func lastBatch(state string) (string, error) {
	f, err := os.Open(state)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b struct {
		ID string `json:"id"`
	}
	if err := json.NewDecoder(bufio.NewReader(f)).Decode(&b); err != nil {
		return "", fmt.Errorf("%s: %w: remove it to start over", state, err)
	}
	return b.ID, nil
}
