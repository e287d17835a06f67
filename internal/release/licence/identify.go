package licence

import (
	"fmt"
	"slices"
	"strings"
)

// marks are sentences that only one licence has, in the order in which they are looked
// for. The BSD licences are told apart by their third clause.
var marks = []struct{ id, has, lacks string }{
	{"Apache-2.0", "apache license version 2.0", ""},
	{"MPL-2.0", "mozilla public license version 2.0", ""},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy", ""},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose", ""},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from", ""},
	{"BSD-2-Clause", "redistributions in binary form must reproduce the above copyright", "may be used to endorse or promote"},
}

// Identify returns the SPDX identifiers of the licences in a text; none for one it does
// not know.
func Identify(text string) []string {
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	plain := strings.ReplaceAll(words, "apache license, version", "apache license version")
	var out []string
	for _, m := range marks {
		if strings.Contains(plain, m.has) && (m.lacks == "" || !strings.Contains(plain, m.lacks)) {
			out = append(out, m.id)
		}
	}
	return out
}

// allowed are the licences that may be part of the program.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// Refused returns the modules whose licence is not known, or not one of those allowed.
func Refused(modules []Module) []string {
	var out []string
	for _, m := range modules {
		if len(m.Texts) == 0 || m.SPDX == "" {
			out = append(out, m.Path+": no licence that we know")
			continue
		}
		for id := range strings.SplitSeq(m.SPDX, " AND ") {
			if !slices.Contains(allowed, id) {
				out = append(out, m.Path+": "+id)
			}
		}
	}
	return out
}

// Text writes the licences of modules one after another; texts that several have in
// common stand once.
func Text(program string, modules []Module) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s contains code of the following projects, under the licences below.\n\n", program)
	for _, m := range modules {
		fmt.Fprintf(b, "%-45s %-40s %s\n", m.Path, m.Version, m.SPDX)
	}
	users := map[string][]string{}
	var order []string
	for _, m := range modules {
		for _, text := range m.Texts {
			if users[text] == nil {
				order = append(order, text)
			}
			users[text] = append(users[text], m.Path)
		}
	}
	for _, text := range order {
		fmt.Fprintf(b, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(users[text], ", "), text)
	}
	return b.String()
}
