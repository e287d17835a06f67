package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"time"
)

// Batches are for jobs of thousands of requests: they cost half and end within
// a day, mostly within an hour. A batch is known by its ID, which the caller
// writes down at once: a process that is interrupted picks the results up
// later instead of paying again.

// MaxBatch is how many requests one batch may hold; the API would take more.
const MaxBatch = 10_000

const (
	maxBatchBody   = 200 << 20 // of 256 MB allowed
	maxBatchResult = 512 << 20
)

// A Batch is the state of a batch.
type Batch struct {
	ID    string
	Ended bool
	Done  int // requests that ended, whether well or not
	Total int
}

// Names of batches and of requests in them go into addresses and files.
var (
	batchName   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`) })
	requestName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })
)

// StartBatch hands in requests under names of the caller's, made of letters,
// digits, _ and -, 64 at most. It is not tried again when the connection breaks:
// the batch may have begun, and beginning it twice is paid twice.
func (c *Claude) StartBatch(ctx context.Context, names []string, requests []Request) (Batch, error) {
	const op = "start batch"
	bad := func(format string, args ...any) (Batch, error) {
		return Batch{}, &Error{Op: op, Kind: Unsupported, Message: fmt.Sprintf(format, args...)}
	}
	if len(names) != len(requests) || len(requests) == 0 || len(requests) > MaxBatch {
		return bad("%d requests under %d names, must be 1 to %d", len(requests), len(names), MaxBatch)
	}
	type item struct {
		Name   string      `json:"custom_id"`
		Params wireRequest `json:"params"`
	}
	items := make([]item, len(names))
	seen := map[string]bool{}
	for i, name := range names {
		if !requestName().MatchString(name) || seen[name] {
			return bad("%q cannot name a request, or names two", name)
		}
		seen[name] = true
		items[i] = item{name, c.wire(requests[i])}
	}
	body, err := json.Marshal(map[string]any{"requests": items})
	if err != nil {
		return bad("%v", err)
	}
	if len(body) > maxBatchBody {
		return bad("%d MB of requests, at most %d", len(body)>>20, maxBatchBody>>20)
	}
	raw, err := c.client.do(ctx, call{op: op, method: http.MethodPost, path: "/v1/messages/batches", body: body, limit: maxReply, costly: true})
	if err != nil {
		return Batch{}, err
	}
	return c.readBatch(op, raw)
}

// BatchState asks how far a batch is.
func (c *Claude) BatchState(ctx context.Context, id string) (Batch, error) {
	const op = "ask for batch"
	if !batchName().MatchString(id) {
		return Batch{}, &Error{Op: op, Kind: Unsupported, Message: "not the ID of a batch"}
	}
	raw, err := c.client.do(ctx, call{op: op, method: http.MethodGet, path: "/v1/messages/batches/" + id, limit: maxReply})
	if err != nil {
		return Batch{}, err
	}
	return c.readBatch(op, raw)
}

// WaitBatch asks every so often until the batch has ended or ctx has.
func (c *Claude) WaitBatch(ctx context.Context, id string, every time.Duration, progress func(Batch)) (Batch, error) {
	for {
		b, err := c.BatchState(ctx, id)
		if err != nil {
			return b, err
		}
		if progress != nil {
			progress(b)
		}
		if b.Ended {
			return b, nil
		}
		if err := c.client.Sleep(ctx, every); err != nil {
			return b, &Error{Op: "wait for batch", Kind: Cancelled, Err: err}
		}
	}
}

// BatchResults calls each for every request of a batch that has ended, in the
// order of the server's choosing. err is about the one request.
func (c *Claude) BatchResults(ctx context.Context, id string, each func(name string, reply Reply, err error)) error {
	const op = "read batch"
	if !batchName().MatchString(id) {
		return &Error{Op: op, Kind: Unsupported, Message: "not the ID of a batch"}
	}
	// The address is made here: the results_url of the answer could be anywhere.
	raw, err := c.client.do(ctx, call{op: op, method: http.MethodGet, path: "/v1/messages/batches/" + id + "/results", limit: maxBatchResult})
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, maxReply)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := c.readResult(op, lines.Bytes(), each); err != nil {
			return &Error{Op: op, Kind: Malformed, Err: err, Message: fmt.Sprintf("line %d: %s", n, scrub(err.Error(), c.client.Key))}
		}
	}
	if err := lines.Err(); err != nil {
		return &Error{Op: op, Kind: Malformed, Err: err, Message: err.Error()}
	}
	return nil
}

func (c *Claude) readBatch(op string, raw []byte) (Batch, error) {
	var w struct {
		ID     string         `json:"id"`
		Status string         `json:"processing_status"`
		Counts map[string]int `json:"request_counts"`
	}
	err := json.Unmarshal(raw, &w)
	if err == nil && (!batchName().MatchString(w.ID) || w.Status == "") {
		err = errors.New("not a batch")
	}
	if err != nil {
		return Batch{}, &Error{Op: op, Kind: Malformed, Err: err, Message: scrub(err.Error(), c.client.Key)}
	}
	b := Batch{ID: w.ID, Ended: w.Status == "ended"}
	for state, n := range w.Counts {
		b.Total += n
		if state != "processing" {
			b.Done += n
		}
	}
	return b, nil
}

func (c *Claude) readResult(op string, line []byte, each func(string, Reply, error)) error {
	var w struct {
		Name   string `json:"custom_id"`
		Result struct {
			Type    string          `json:"type"`
			Message json.RawMessage `json:"message"`
			Error   json.RawMessage `json:"error"`
		} `json:"result"`
	}
	if err := json.Unmarshal(line, &w); err != nil {
		return err
	}
	if !requestName().MatchString(w.Name) {
		return errors.New("a result without a name")
	}
	switch w.Result.Type {
	case "succeeded":
		reply, err := c.readMessage(op, w.Result.Message, true)
		each(w.Name, reply, err)
	case "errored":
		each(w.Name, Reply{}, &Error{Op: op, Kind: Rejected, Message: scrub(serverMessage(w.Result.Error), c.client.Key)})
	case "canceled", "expired":
		each(w.Name, Reply{}, &Error{Op: op, Kind: Expired})
	default:
		return fmt.Errorf("a result of type %q", oneLine(w.Result.Type, 40))
	}
	return nil
}
