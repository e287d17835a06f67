package tool

import (
	"bytes"
	"encoding/json"
)

// Operations that take several places in one call have a parameter for one, which is
// required, and a list of further ones. A call that has only the list means its first by
// the one.

func refsToRef(given map[string]json.RawMessage) bool { return firstOf(given, "refs", "ref") }

func symbolsToSymbol(given map[string]json.RawMessage) bool {
	return firstOf(given, "symbols", "symbol")
}

func citationsToCitation(given map[string]json.RawMessage) bool {
	return firstOf(given, "citations", "citation")
}

// firstOf makes the first of a list the value of a parameter that is not given, and
// reports whether it did. The list may also stand where the one belongs: agents are shown
// the one alone.
func firstOf(given map[string]json.RawMessage, list, one string) bool {
	var all Strings
	isList := bytes.HasPrefix(bytes.TrimSpace(given[one]), []byte("["))
	if isList && given[list] == nil && json.Unmarshal(given[one], &all) == nil && len(all) > 0 {
		given[list] = given[one]
		delete(given, one)
	}
	if given[one] != nil || json.Unmarshal(given[list], &all) != nil || len(all) == 0 {
		return false
	}
	given[one], _ = json.Marshal(all[0])
	if len(all) == 1 {
		delete(given, list)
	} else {
		given[list], _ = json.Marshal(all[1:])
	}
	return true
}
