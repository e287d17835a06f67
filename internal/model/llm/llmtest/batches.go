package llmtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// batch is a batch that was handed in. Its requests are answered at once; it
// only looks as if it took time.
type batch struct {
	id      string
	total   int
	results []map[string]any
	polls   int // still to come before it has ended
}

func (s *Server) serveBatch(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	rest := strings.TrimPrefix(path, "/v1/messages/batches")
	if rest == "" {
		if s.admit(w, r, http.MethodPost) {
			s.startBatch(w, body)
		}
		return
	}
	if !s.admit(w, r, http.MethodGet) {
		return
	}
	id, results := strings.CutSuffix(strings.TrimPrefix(rest, "/"), "/results")
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.batches[id]
	switch {
	case b == nil:
		fail(w, false, http.StatusNotFound, "no such batch")
	case !results:
		if b.polls > 0 {
			b.polls--
		}
		reply(w, s.state(b))
	case b.polls > 0:
		fail(w, false, http.StatusNotFound, "results are not there yet")
	default:
		w.Header().Set("Content-Type", "application/x-jsonl")
		// Results come in any order.
		for _, result := range slices.Backward(b.results) {
			_ = json.NewEncoder(w).Encode(result)
		}
	}
}

func (s *Server) startBatch(w http.ResponseWriter, body []byte) {
	var in struct {
		Requests []struct {
			Name   string          `json:"custom_id"`
			Params json.RawMessage `json:"params"`
		} `json:"requests"`
	}
	if err := json.Unmarshal(body, &in); err != nil || len(in.Requests) == 0 {
		fail(w, false, http.StatusBadRequest, "requests: field required")
		return
	}
	b := &batch{total: len(in.Requests)}
	for _, r := range in.Requests {
		result := map[string]any{"type": s.Refuse[r.Name]}
		switch result["type"] {
		case "errored":
			result["error"] = map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": "refused by the test"}}
		case "":
			p, err := parse(r.Params)
			var message any
			if err == nil {
				message, err = s.message(p, Fault{})
			}
			if err != nil {
				fail(w, false, http.StatusBadRequest, fmt.Sprintf("requests.%s: %v", r.Name, err))
				return
			}
			result = map[string]any{"type": "succeeded", "message": message}
		}
		b.results = append(b.results, map[string]any{"custom_id": r.Name, "result": result})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b.id = fmt.Sprintf("msgbatch_%d", len(s.batches)+1)
	b.polls = s.Polls + 1
	s.batches[b.id] = b
	reply(w, s.state(b))
}

func (s *Server) state(b *batch) map[string]any {
	status, processing := "in_progress", b.total
	if b.polls == 0 {
		status, processing = "ended", 0
	}
	return map[string]any{
		"id": b.id, "type": "message_batch", "processing_status": status,
		"request_counts": map[string]int{"processing": processing, "succeeded": b.total - processing, "errored": 0, "canceled": 0, "expired": 0},
		"results_url":    s.Elsewhere + "/results", // a client must not follow it with its key
	}
}
