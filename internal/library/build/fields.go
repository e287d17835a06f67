package build

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docent-md/docent/doc"
	"github.com/docent-md/docent/internal/engine/doctable"
	"github.com/docent-md/docent/internal/engine/fields"
	"github.com/docent-md/docent/internal/text/markdown"
)

// Bounds on what one document may put into the table of fields: front matter is for
// people to write, and a value is for them to choose by.
const (
	maxFields     = 256
	maxFieldName  = 64
	maxFieldValue = 200
)

// tagsField is the field that tags in the text belong to.
const tagsField = "tags"

// FieldsPage makes the page of a document that is chosen by what it says of itself: it has
// its fields, and neither sections nor chunks.
func FieldsPage(path string, data []byte) Page {
	d := markdown.Parse(path, data)
	return Page{File: doctable.File{Path: path, Title: d.Title}, fields: fieldsOf(&d)}
}

// fieldsOf returns the front matter of a document as names with values, and the tags in
// its text. A list gives a pair for each element, a map names with dots in them.
func fieldsOf(d *doc.Document) []fields.Pair {
	var out []fields.Pair
	for _, name := range slices.Sorted(maps.Keys(d.Meta)) {
		out = appendField(out, name, d.Meta[name])
	}
	for _, tag := range markdown.InlineTags(d) {
		out = appendPair(out, tagsField, tag)
	}
	slices.SortStableFunc(out, func(a, b fields.Pair) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func appendField(out []fields.Pair, name string, value any) []fields.Pair {
	switch v := value.(type) {
	case nil:
		return out
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out = appendField(out, name+"."+key, v[key])
		}
		return out
	case []any:
		for _, e := range v {
			out = appendField(out, name, e)
		}
		return out
	case []map[string]any:
		for _, e := range v {
			out = appendField(out, name, e)
		}
		return out
	case string:
		if strings.EqualFold(name, tagsField) || strings.EqualFold(name, "tag") { // "a, b" and "#a" are tags too
			for tag := range strings.SplitSeq(v, ",") {
				out = appendPair(out, name, strings.TrimPrefix(strings.TrimSpace(tag), "#"))
			}
			return out
		}
		return appendPair(out, name, v)
	case float64:
		return appendPair(out, name, strconv.FormatFloat(v, 'f', -1, 64))
	case time.Time:
		if v.Equal(time.Date(v.Year(), v.Month(), v.Day(), 0, 0, 0, 0, v.Location())) {
			return appendPair(out, name, v.Format(time.DateOnly))
		}
		return appendPair(out, name, v.Format("2006-01-02T15:04:05"))
	}
	return appendPair(out, name, fmt.Sprint(value))
}

// appendPair appends a value that is not there yet.
func appendPair(out []fields.Pair, name, value string) []fields.Pair {
	value = cut(strings.Join(strings.Fields(value), " "), maxFieldValue)
	if name = strings.Join(strings.Fields(name), " "); name == "" || value == "" || len(name) > maxFieldName || len(out) == maxFields {
		return out
	}
	p := fields.Pair{Name: name, Value: value}
	if slices.Contains(out, p) {
		return out
	}
	return append(out, p)
}

// cut returns at most n bytes of s, whole letters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
