package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"text/template"
)

// The files that package managers read are templates over the same data as the archives.
//
//go:embed recipes
var recipeFiles embed.FS

// A download is an archive as a recipe names it.
type download struct {
	URL, SHA256, SRI, Folder string
}

// recipes writes the Homebrew formula, the Scoop manifest, the Nix flake and the
// Dockerfile. Without all targets they would name archives that are not there.
func (r *release) recipes() error {
	if len(r.targets) < len(targets) {
		return nil
	}
	data := map[string]any{
		"Version": r.number(), "Tag": r.version, "Commit": r.commit, "Summary": summary, "Homepage": homepage, "License": spdx,
	}
	for _, t := range r.targets {
		raw, err := r.read(r.archive(t))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(raw)
		data[t.os+t.arch] = download{
			URL: r.url(r.archive(t)), Folder: r.folder(t),
			SHA256: hex.EncodeToString(sum[:]), SRI: "sha256-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
	}
	for from, to := range map[string]string{
		"homebrew.rb": "docent.rb", "scoop.json": "docent.json", "flake.nix": "flake.nix", "Dockerfile": "Dockerfile",
	} {
		t, err := template.New(from).Delims("<<", ">>").Option("missingkey=error").ParseFS(recipeFiles, "recipes/"+from)
		if err != nil {
			return err
		}
		b := &bytes.Buffer{}
		if err := t.Execute(b, data); err != nil {
			return err
		}
		if err := r.write(to, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
