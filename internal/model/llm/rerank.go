package llm

import (
	"context"
	"encoding/json"
	"fmt"
)

// A Candidate is something that may answer a query.
type Candidate struct {
	ID      string // the caller's own; not shown to the model
	Title   string
	Preview string
}

// A Ranking is the order that the model put candidates in.
type Ranking struct {
	IDs    []string // those that answer the query, best first; never empty
	Usage  Usage
	Cached bool // answered before, nothing was spent
}

// Limits of one reranking, in characters. A preview is cut by the caller, who
// knows its budget; these keep one odd text from filling the prompt.
const (
	MaxCandidates = 200
	maxQuery      = 2000
	maxTitle      = 200
	maxPreview    = 4000
)

const (
	rerankSystem = "You judge search results over a documentation. " + dataRule

	rerankTask = "Query: %s\n\n" +
		"Select chunks that directly answer the query. Return IDs in relevance order."

	rerankSchema = `{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"}}},` +
		`"required":["ids"],"additionalProperties":false}`
)

// Rerank asks which candidates answer the query, and in which order. What it
// asks is
//
//	Candidates:
//	[1] title - preview
//	[2] ...
//
//	Query: ...
//
//	Select chunks that directly answer the query. Return IDs in relevance order.
//
// with the candidates first, because a prompt is cached from its beginning: a
// second question over the same candidates then costs a fraction.
//
// Numbers that were not offered, and those named twice, are ignored. When none
// is left the error is Empty. It takes no longer than Config.Within, all
// attempts together; on any error the caller keeps the order it has.
func (c *Claude) Rerank(ctx context.Context, query string, cands []Candidate) (Ranking, error) {
	const op = "rerank"
	if len(cands) == 0 || len(cands) > MaxCandidates {
		return Ranking{}, &Error{Op: op, Kind: Unsupported, Message: fmt.Sprintf("%d candidates, must be 1 to %d", len(cands), MaxCandidates)}
	}
	ctx, cancel := context.WithTimeout(ctx, c.client.Within)
	defer cancel()

	r := Request{
		System: rerankSystem,
		Blocks: []Block{
			{Text: "Candidates:\n" + fence(list(cands)), Cache: true},
			{Text: fmt.Sprintf(rerankTask, oneLine(query, maxQuery))},
		},
		Schema: rerankSchema,
	}
	ids, used, hit, err := cached(ctx, c, op, r, func(text string) ([]string, error) { return parseRanking(text, cands) })
	return Ranking{IDs: ids, Usage: used, Cached: hit}, err
}

func parseRanking(text string, cands []Candidate) ([]string, error) {
	var answer struct {
		IDs []json.Number `json:"ids"`
	}
	if err := strict("rerank", text, &answer); err != nil {
		return nil, err
	}
	var ids []string
	seen := make([]bool, len(cands))
	for _, number := range answer.IDs {
		n, err := number.Int64()
		if err != nil || n < 1 || n > int64(len(cands)) || seen[n-1] {
			continue
		}
		seen[n-1] = true
		ids = append(ids, cands[n-1].ID)
	}
	if len(ids) == 0 {
		return nil, &Error{Op: "rerank", Kind: Empty, Message: "no candidate was selected"}
	}
	return ids, nil
}
