package config

import (
	"fmt"
	"slices"
)

// An UnknownKey is a key of the file that docent does not know. It is kept, and
// has no effect: often it is a known one misspelt.
type UnknownKey struct {
	In    string   // where it stands: "" for the top, "boostFields", "sources[0]"
	Key   string   // as it is written
	Known []string // the keys that have a meaning there, sorted
}

// String gives the key with the place it stands in.
func (u UnknownKey) String() string {
	if u.In == "" {
		return u.Key
	}
	return u.In + "." + u.Key
}

// Unknown lists the keys of the file that docent does not know, in their order.
// "$schema" and "//" are for editors and for people.
func (c *Config) Unknown() []UnknownKey {
	var known []string
	for key := range c.fields() {
		known = append(known, key)
	}
	out := unknown("", c.members, known)
	for _, m := range c.members {
		if m.key != "boostFields" {
			continue
		}
		if members, err := parseObject(m.value); err == nil {
			out = append(out, unknown(m.key, members, []string{"title", "headings", "body"})...)
		}
	}
	for i := range c.Sources {
		var known []string
		for _, f := range c.Sources[i].fields() {
			known = append(known, f.key)
		}
		out = append(out, unknown(fmt.Sprintf("sources[%d]", i), c.Sources[i].members, known)...)
	}
	return out
}

func unknown(in string, members []member, known []string) []UnknownKey {
	var out []UnknownKey
	slices.Sort(known)
	for _, m := range members {
		if m.key != "$schema" && m.key != "//" && !slices.Contains(known, m.key) {
			out = append(out, UnknownKey{In: in, Key: m.key, Known: known})
		}
	}
	return out
}
