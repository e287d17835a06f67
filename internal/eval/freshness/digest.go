package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"hash"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// digests returns a digest of the code in each of some folders that exist.
func digests(fsys fs.FS, dirs []string) (map[string]string, error) {
	out := map[string]string{}
	for _, dir := range dirs {
		sum, err := digest(fsys, dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[dir] = sum
	}
	return out, nil
}

// digest covers the files of a folder, not those of folders in it: the tokens of
// Go files without comments, so that neither these nor a new layout count, and the
// bytes of others, which may be embedded. Tests and Markdown are left out, and so is
// what is imported: code that only moves ranks as before.
func digest(fsys fs.FS, dir string) (string, error) {
	list, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, e := range list {
		name := e.Name()
		if !e.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || path.Ext(name) == ".md" {
			continue
		}
		data, err := fs.ReadFile(fsys, path.Join(dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s\n", name)
		if path.Ext(name) == ".go" {
			addTokens(h, data)
		} else {
			fmt.Fprintf(h, "%d\n%s", len(data), data)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// addTokens adds the tokens of a Go file after its imports.
func addTokens(h hash.Hash, src []byte) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, func(token.Position, string) {}, 0)
	imports, group := false, false
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok == token.IMPORT:
			imports = true
		case imports && tok == token.LPAREN:
			group = true
		case imports && tok == token.RPAREN:
			group = false
		case imports && tok == token.SEMICOLON && !group:
			imports = false
		case !imports && tok == token.SEMICOLON: // written or not
			fmt.Fprintln(h, ";")
		case !imports:
			fmt.Fprintln(h, tok, lit)
		}
	}
}

// format and parse write and read digests, a folder a line.
func format(sums map[string]string) string {
	var b strings.Builder
	for _, dir := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[dir], dir)
	}
	return b.String()
}

func parse(text string) map[string]string {
	sums := map[string]string{}
	for line := range strings.Lines(text) {
		if sum, dir, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			sums[dir] = sum
		}
	}
	return sums
}

// differ names the folders that were changed, added or removed.
func differ(a, b map[string]string) []string {
	var out []string
	for dir := range a {
		if a[dir] != b[dir] {
			out = append(out, dir)
		}
	}
	for dir := range b {
		if _, ok := a[dir]; !ok {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return out
}
