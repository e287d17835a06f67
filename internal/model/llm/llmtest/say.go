package llmtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// say answers a prompt by what its schema asks for: ids, a summary or
// questions.
func (s *Server) say(p params) (string, error) {
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal(p.OutputConfig.Format.Schema, &schema); err != nil {
		return "", err
	}
	prompt := p.prompt()
	var answer any
	switch {
	case schema.Properties["ids"] != nil:
		query, cands, err := ReadRerank(prompt)
		if err != nil {
			return "", err
		}
		rank := s.Rank
		if rank == nil {
			rank = byWords
		}
		ids := rank(query, cands)
		if ids == nil {
			ids = []int{}
		}
		answer = map[string]any{"ids": ids}
	case schema.Properties["summary"] != nil:
		answer = map[string]any{"summary": "It is about " + strings.Join(firstWords(data(prompt), 8), " ") + "."}
	case schema.Properties["questions"] != nil:
		n := 1
		if m := regexp.MustCompile(`Write (\d+)`).FindStringSubmatch(prompt); m != nil {
			n, _ = strconv.Atoi(m[1])
		}
		questions := []string{}
		for i := range n {
			questions = append(questions, fmt.Sprintf("What about %s, part %d?", strings.Join(firstWords(data(prompt), 5), " "), i+1))
		}
		answer = map[string]any{"questions": questions}
	default:
		return "", errors.New("llmtest: a schema that it knows no answer to")
	}
	text, err := json.Marshal(answer)
	return string(text), err
}

var (
	tagged    = regexp.MustCompile(`(?s)<(data-[0-9a-f]+)>\n(.*?)\n</(data-[0-9a-f]+)>`)
	candidate = regexp.MustCompile(`^\[(\d+)\] (.*)$`)
	asked     = regexp.MustCompile(`(?m)^Query: (.*)$`)
)

// data returns what is between the tags of a prompt.
func data(prompt string) string {
	m := tagged.FindStringSubmatch(prompt)
	if m == nil || m[1] != m[3] {
		return ""
	}
	return m[2]
}

// ReadRerank reads the prompt of a reranking as a careful model would: what
// is between the tags is candidates, a line each, and nothing else is.
func ReadRerank(prompt string) (query string, cands []Candidate, err error) {
	list := data(prompt)
	if list == "" {
		return "", nil, errors.New("llmtest: no candidates between tags")
	}
	for line := range strings.SplitSeq(list, "\n") {
		m := candidate.FindStringSubmatch(line)
		if m == nil {
			return "", nil, fmt.Errorf("llmtest: not a candidate: %q", line)
		}
		n, _ := strconv.Atoi(m[1])
		if n != len(cands)+1 {
			return "", nil, fmt.Errorf("llmtest: candidate %d where %d is due", n, len(cands)+1)
		}
		title, preview, _ := strings.Cut(m[2], " - ")
		cands = append(cands, Candidate{n, title, preview})
	}
	rest := prompt[strings.Index(prompt, list)+len(list):]
	m := asked.FindStringSubmatch(rest)
	if m == nil {
		return "", nil, errors.New("llmtest: no query")
	}
	return m[1], cands, nil
}

// byWords ranks by how many words of the query a candidate has.
func byWords(query string, cands []Candidate) []int {
	score := func(c Candidate) (n int) {
		have := firstWords(strings.ToLower(c.Title+" "+c.Preview), 1<<20)
		for _, w := range firstWords(strings.ToLower(query), 100) {
			if slices.Contains(have, w) {
				n++
			}
		}
		return n
	}
	cands = slices.DeleteFunc(slices.Clone(cands), func(c Candidate) bool { return score(c) == 0 })
	slices.SortStableFunc(cands, func(a, b Candidate) int { return cmp.Compare(score(b), score(a)) })
	var ids []int
	for _, c := range cands {
		ids = append(ids, c.Number)
	}
	return ids
}

func firstWords(text string, n int) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r < 0x80
	})
	return words[:min(n, len(words))]
}
