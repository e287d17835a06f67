// Package generated replaces the part of a document that a command makes, and leaves the
// rest to its writers. The part lies between two lines, here those of "make agents":
//
//	<!-- agents: made by make agents -->
//	<!-- end of agents -->
package generated

import (
	"fmt"
	"os"
	"strings"

	"github.com/docent-md/docent/internal/wholefile"
)

// Begin is the line before the part that "make target" makes.
func Begin(target string) string {
	return fmt.Sprintf("<!-- %[1]s: made by make %[1]s -->\n", target)
}

// End is the line after it.
func End(target string) string { return fmt.Sprintf("<!-- end of %s -->\n", target) }

// Replace puts what make returns, given the part as it was, in place of that part. The
// file is replaced as a whole: nobody finds half of it, and after an error it is as it was.
func Replace(file, target string, make func(old string) string) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, err := cut(string(text), Begin(target))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	old, after, err := cut(rest, End(target))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fresh := "\n" + strings.Trim(make(old), "\n") + "\n\n"
	return wholefile.WriteBytes(file, info.Mode().Perm(), []byte(before+Begin(target)+fresh+End(target)+after))
}

// cut splits a text at a line, which must stand there just once: between two it would be
// guessed which part is meant, and what lies between them be lost.
func cut(text, line string) (before, after string, err error) {
	found, at := 0, 0
	for this := range strings.Lines(text) {
		if this == line {
			found++
			before, after = text[:at], text[at+len(line):]
		}
		at += len(this)
	}
	if found != 1 {
		return "", "", fmt.Errorf("the line %q stands there %d times: write it once, around the table", strings.TrimSpace(line), found)
	}
	return before, after, nil
}
