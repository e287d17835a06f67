package weaviate

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// The terms of an index are stored in lists, so that misspelt ones can be corrected: by
// the letter they begin with, and in parts, so that an import adds to the last and
// does not write all of them again. Each run has parts of its own: two that write at the
// same time lose nothing.

// maxPart is the length of a list from which on another is begun.
const maxPart = 32 << 10

// letterOf is the list that a term belongs to: letters that an alphabet has thousands of
// share one.
func letterOf(term string) string {
	r, n := utf8.DecodeRuneInString(term)
	if r < utf8.RuneSelf {
		return term[:n]
	}
	return fmt.Sprintf("u%x", r>>8)
}

// A list is the terms of a letter.
type list struct {
	known map[string]bool
	part  []string // the list this run adds to
	size  int
	parts int // that are full
}

// learn writes the terms that are new.
func (t *Tx) learn() error {
	var objects []map[string]any
	for _, letter := range slices.Sorted(maps.Keys(t.terms)) {
		l := t.x.lists[letter]
		if l == nil {
			l = &list{known: map[string]bool{}}
			if !t.x.fresh {
				have, err := t.x.list(t.ctx, `{path: ["kind"], operator: Equal, valueText: `+str("words:"+letter)+`}`, "")
				if err != nil {
					return err
				}
				for _, w := range have {
					l.known[w] = true
				}
			}
			t.x.lists[letter] = l
		}
		before := len(l.known)
		for _, w := range slices.Sorted(maps.Keys(t.terms[letter])) {
			if l.known[w] {
				continue
			}
			l.known[w] = true
			l.part = append(l.part, w)
			if l.size += len(w) + 1; l.size > maxPart {
				objects = append(objects, t.list(letter, l))
				l.part, l.size = nil, 0
				l.parts++
			}
		}
		if len(l.known) > before && len(l.part) > 0 {
			objects = append(objects, t.list(letter, l))
		}
	}
	clear(t.terms)
	return t.land(objects)
}

func (t *Tx) list(letter string, l *list) map[string]any {
	key := fmt.Sprintf("words:%s:%s:%d", letter, t.x.run, l.parts)
	return t.object(metaClass, key, map[string]any{
		"kind": "words:" + letter, "key": key, "value": base64.StdEncoding.EncodeToString([]byte(strings.Join(l.part, " "))),
	})
}

// Vocabulary returns the terms that begin with a prefix.
func (x *Index) Vocabulary(ctx context.Context, prefix string) ([]string, error) {
	if prefix == "" {
		return x.list(ctx, `{path: ["kind"], operator: Like, valueText: "words:*"}`, "")
	}
	return x.list(ctx, `{path: ["kind"], operator: Equal, valueText: `+str("words:"+letterOf(prefix))+`}`, prefix)
}

// list reads the terms with a prefix from the lists that a filter matches.
func (x *Index) list(ctx context.Context, filter, prefix string) (out []string, err error) {
	for from := 0; from+perPage <= maxChunks; from += perPage {
		args := fmt.Sprintf(`limit: %d, offset: %d, where: %s`, perPage, from, filter)
		lists, err := getOf[struct{ Value string }](ctx, x, metaClass, args, "value")
		if err != nil {
			return nil, err
		}
		for _, o := range lists {
			raw, err := base64.StdEncoding.DecodeString(o.Value)
			if err != nil {
				return nil, fmt.Errorf("cluster: the words of %s: %w", x.name, err)
			}
			for w := range strings.FieldsSeq(string(raw)) {
				if strings.HasPrefix(w, prefix) {
					out = append(out, w)
				}
			}
		}
		if len(lists) < perPage {
			break
		}
	}
	return out, nil
}
