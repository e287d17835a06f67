package llm

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
)

// maxVectors is the largest answer: 300 vectors of 3072 numbers of 20 digits
// are 19 MB.
const maxVectors = 64 << 20

// request asks for the vectors of texts, none of them empty, and makes sure
// that each is there, finite and as long as the others.
func (e *Embedder) request(ctx context.Context, op string, texts []string) ([][]float32, error) {
	ask := map[string]any{"model": e.client.Model, "input": texts, "encoding_format": "float"}
	if e.config.Reduce {
		ask["dimensions"] = e.config.Dimensions
	}
	body, err := json.Marshal(ask)
	if err != nil {
		return nil, &Error{Op: op, Kind: Unsupported, Err: err, Message: err.Error()}
	}
	raw, err := e.client.do(ctx, call{op: op, method: http.MethodPost, path: "/v1/embeddings", body: body, limit: maxVectors})
	if err != nil {
		return nil, err
	}
	var w struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
		Usage struct {
			Prompt int `json:"prompt_tokens"`
		} `json:"usage"`
	}
	malformed := func(format string, args ...any) error {
		return &Error{
			Op: op, Endpoint: e.client.base.Scheme + "://" + e.client.base.Host, Kind: Malformed,
			Message: scrub(fmt.Sprintf(format, args...), e.client.Key),
		}
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, malformed("%v", err)
	}
	e.client.Record(Use{Model: e.client.Model, Usage: Usage{Input: max(0, w.Usage.Prompt)}})
	if len(w.Data) != len(texts) {
		return nil, malformed("%d vectors for %d texts", len(w.Data), len(texts))
	}
	vectors := make([][]float32, len(texts))
	for n, d := range w.Data {
		at := n
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(vectors) || vectors[at] != nil {
			return nil, malformed("a vector for text %d of %d, or two", at, len(texts))
		}
		if len(d.Embedding) == 0 || !useful(d.Embedding) {
			return nil, malformed("a vector that is empty or zero")
		}
		if err := e.expect(op, len(d.Embedding)); err != nil {
			return nil, err
		}
		vectors[at] = d.Embedding
	}
	return vectors, nil
}

// useful reports whether v points anywhere.
func useful(v []float32) bool {
	zero := true
	for _, x := range v {
		if math.IsInf(float64(x), 0) || math.IsNaN(float64(x)) {
			return false
		}
		zero = zero && x == 0
	}
	return !zero
}

// encodeCode rounds v to a byte a dimension, the largest becoming 127. That is
// the rounding of package vector, so that it loses nothing an index would keep.
func encodeCode(v []float32) []byte {
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
	}
	code := make([]byte, len(v))
	for d, x := range v {
		code[d] = byte(int8(math.RoundToEven(float64(x) / top * 127)))
	}
	return code
}

// decodeCode returns the vector of length 1 that a code stands for.
func decodeCode(code []byte) ([]float32, bool) {
	var sum int64
	for _, c := range code {
		sum += int64(int8(c)) * int64(int8(c))
	}
	if sum == 0 {
		return nil, false
	}
	scale := float32(1 / math.Sqrt(float64(sum)))
	v := make([]float32, len(code))
	for d, c := range code {
		v[d] = float32(int8(c)) * scale
	}
	return v, true
}

func encodeFloats(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func decodeFloats(raw []byte) ([]float32, bool) {
	if len(raw) == 0 || len(raw)%4 != 0 {
		return nil, false
	}
	v := make([]float32, len(raw)/4)
	for d := range v {
		v[d] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*d:]))
	}
	return v, useful(v)
}
