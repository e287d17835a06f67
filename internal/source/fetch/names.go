package fetch

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unusable says what keeps a name from being a file on every system; empty if
// nothing does.
func unusable(name string, lim limits) string {
	switch {
	case len(name) > lim.name:
		return fmt.Sprintf("a name of %d bytes, over the limit of %d", len(name), lim.name)
	case strings.Count(name, "/") >= lim.depth:
		return fmt.Sprintf("more than %d folders down", lim.depth)
	case !utf8.ValidString(name):
		return "a name that is not UTF-8"
	case !printable(name):
		return "a name with a control character"
	}
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case len(part) > lim.level:
			return fmt.Sprintf("a name of %d bytes, over the limit of %d", len(part), lim.level)
		case strings.ContainsAny(part, `<>:"|?*\`):
			return "a character in its name that Windows does not allow"
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || strings.HasPrefix(part, " "):
			return "a name with a dot or space at its edge"
		case reserved(part):
			return "a name that is a device on Windows"
		}
	}
	return ""
}

// reserved reports whether Windows takes a name for a device, with whatever
// ending.
func reserved(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	if !strings.HasPrefix(stem, "COM") && !strings.HasPrefix(stem, "LPT") {
		return false
	}
	number := stem[len("COM"):]
	return len(number) == 1 && number >= "0" && number <= "9" || number == "¹" || number == "²" || number == "³"
}

// safeName turns any text into the name of one file or folder that holds on
// every system.
func safeName(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError || strings.ContainsRune(`<>:"|?*\/ `, r) {
			return '-'
		}
		return r
	}, text)
	if len(text) > 100 {
		ext := path.Ext(text)
		if len(ext) > 10 {
			ext = ""
		}
		text = strings.ToValidUTF8(text[:100-len(ext)], "") + ext
	}
	text = strings.TrimRight(text, ". ")
	if reserved(text) {
		text = "_" + text
	}
	return text
}

// printable reports whether s can be shown on a line.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
