package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"slices"
	"strings"
)

func (s *Server) embeddings(w http.ResponseWriter, r *http.Request, body []byte, f Fault) {
	var in struct {
		Model      string   `json:"model"`
		Input      []string `json:"input"`
		Dimensions int      `json:"dimensions"`
		Format     string   `json:"encoding_format"`
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(&in)
	long := slices.ContainsFunc(in.Input, func(t string) bool { return len(t) > s.MaxInput })
	switch {
	case r.Method != http.MethodPost:
		fail(w, true, http.StatusMethodNotAllowed, "method not allowed")
	case r.Header.Get("Authorization") != "Bearer "+Key:
		// OpenAI, too, repeats the key.
		fail(w, true, http.StatusUnauthorized, "Incorrect API key provided: "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	case err != nil:
		fail(w, true, http.StatusBadRequest, err.Error())
	case in.Model == "" || len(in.Input) == 0 || slices.Contains(in.Input, ""):
		fail(w, true, http.StatusBadRequest, "'$.input' is invalid")
	case len(in.Input) > s.MaxInputs || long:
		fail(w, true, http.StatusRequestEntityTooLarge, "too large")
	default:
		dim := cmp.Or(f.Dim, in.Dimensions, s.Dim)
		data := []any{}
		tokens := 0
		for i, text := range in.Input {
			tokens += len(text)/4 + 1
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": Vector(text, dim)})
		}
		slices.Reverse(data) // the index counts, not the order
		if f.Fewer {
			data = data[1:]
		}
		reply(w, map[string]any{
			"object": "list", "data": data, "model": in.Model,
			"usage": map[string]int{"prompt_tokens": tokens, "total_tokens": tokens},
		})
	}
}

// Vector is how a Server embeds text: its words, hashed to dimensions, so that
// texts with words in common are near each other.
func Vector(text string, dim int) []float32 {
	v := make([]float64, dim)
	v[0] = .01 // also without a word it points somewhere
	for _, w := range firstWords(strings.ToLower(text), 1<<20) {
		h := fnv.New32a()
		fmt.Fprint(h, w)
		v[h.Sum32()%uint32(dim)]++
	}
	length := 0.0
	for _, x := range v {
		length += x * x
	}
	out := make([]float32, dim)
	for d, x := range v {
		out[d] = float32(x / math.Sqrt(length))
	}
	return out
}
