package docent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/docent-md/docent/internal/engine/embed"
	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/wholefile"
)

// GenerateOptions tune Generate. The zero value is a good default.
type GenerateOptions struct {
	PerChunk  int                     // questions a chunk; 0 means 1
	Limit     int                     // most chunks, evenly from all; 0 means all
	Negatives int                     // chunks of the same parent that come with each; 0 means 3
	Batch     int                     // from how many chunks on the cheaper Batches API is used; 0 means 1,000
	Poll      time.Duration           // how often a batch is asked for; 0 means every 30 s
	Agree     func(GeneratePlan) bool // told what it will cost before anything is asked
	Progress  func(done, total int)   // may be nil
	Note      func(string, ...any)    // may be nil
}

// A GeneratePlan is what generating would take.
type GeneratePlan struct {
	Chunks int     `json:"chunks"`
	Done   int     `json:"done"` // of those, in the file already
	Tokens int     `json:"tokens"`
	USD    float64 `json:"usd"`
	Priced bool    `json:"priced"`
	Batch  bool    `json:"batch"`
	Model  string  `json:"model"`
}

// A GenerateReport says what was written.
type GenerateReport struct {
	GeneratePlan
	Written int    `json:"written"` // triplets
	Failed  int    `json:"failed"`  // chunks
	Error   string `json:"error,omitempty"`
}

// An asked is a chunk that a question is to be found for.
type asked struct {
	id        string
	text      string
	negatives []string
}

// Generate has the assistant say which questions each chunk answers, and appends
// them to a file as triplets. Chunks that are in the file already are passed over,
// so that an interrupted run goes on where it was.
func (l *Library) Generate(ctx context.Context, file string, o GenerateOptions) (*GenerateReport, error) {
	a := l.corpus.assistant()
	if a == nil {
		return nil, ErrNoAssistant
	}
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
	done, err := generated(file)
	if err != nil {
		return nil, err
	}
	all, err := l.toAsk(ctx, o)
	if err != nil {
		return nil, err
	}
	r := &GenerateReport{GeneratePlan: GeneratePlan{Chunks: len(all), Model: a.Model()}}
	todo := all[:0]
	for _, x := range all {
		if done[x.text] {
			r.Done++
			continue
		}
		r.Tokens += l.policy.Count([]byte(x.text))
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
	g := &generating{a: a, o: o, out: out, report: r}
	if r.Batch {
		err = g.batch(ctx, file+".batch", todo)
	} else {
		err = g.each(ctx, todo)
	}
	return r, errors.Join(err, out.Close())
}

// generated reads the chunks that a file has questions for.
func generated(file string) (map[string]bool, error) {
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

// toAsk lists the chunks of the library, with others under the same heading.
func (l *Library) toAsk(ctx context.Context, o GenerateOptions) ([]asked, error) {
	files, err := l.live()
	if err != nil {
		return nil, err
	}
	var all []asked
	for _, k := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := l.text(k)
		if err != nil {
			return nil, err
		}
		cat := l.segs[k.seg].cat
		texts := make([]string, k.file.Chunks)
		parents := make([]int, k.file.Chunks)
		for i := range texts {
			c, err := cat.Chunk(k.file.FirstChunk + i)
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
			x := asked{id: fmt.Sprintf("c%016x", hashOf([]byte(text))), text: text}
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
		some := make([]asked, o.Limit)
		for i := range some {
			some[i] = all[i*len(all)/o.Limit]
		}
		all = some
	}
	return all, nil
}

// generating writes triplets as the answers come.
type generating struct {
	a      *Assistant
	o      GenerateOptions
	report *GenerateReport

	mu   sync.Mutex
	out  io.Writer
	done int
}

// put writes what came of one chunk.
func (g *generating) put(x asked, questions []string, err error, total int) error {
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
func (g *generating) each(ctx context.Context, todo []asked) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan asked)
	var wait sync.WaitGroup
	for range summaryWorkers {
		wait.Go(func() {
			for x := range next {
				questions, err := g.a.plain.Questions(ctx, x.text, g.o.PerChunk)
				if ctx.Err() != nil {
					return
				}
				if kind := llm.KindOf(err); kind == llm.Denied || kind == llm.Unreachable {
					cancel(err)
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

// batch hands all chunks in at once and waits. The file beside the triplets names
// the batch that is under way, so that nothing is paid for twice.
func (g *generating) batch(ctx context.Context, state string, todo []asked) error {
	byID := map[string]asked{}
	for _, x := range todo {
		byID[x.id] = x
	}
	id, err := lastBatch(state)
	if err != nil {
		return err
	}
	if id == "" {
		var ids []string
		for name := range byID {
			ids = append(ids, name)
		}
		sort.Strings(ids)
		ids = ids[:min(len(ids), maxBatch)]
		requests := make([]llm.Request, len(ids))
		for i, name := range ids {
			requests[i] = llm.QuestionsRequest(byID[name].text, g.o.PerChunk)
		}
		b, err := g.a.plain.StartBatch(ctx, ids, requests)
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
	if _, err := g.a.plain.WaitBatch(ctx, id, g.o.Poll, nil); err != nil {
		return err
	}
	var failed error
	err = g.a.plain.BatchResults(ctx, id, func(name string, reply llm.Reply, err error) {
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
