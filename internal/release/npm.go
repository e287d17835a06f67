package main

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-md/docent/internal/release/bundle"
)

// npm's package docent-md has a launcher and one optional package for each system, of
// which npm installs the one that fits. Nothing is downloaded by a script, so that it
// works behind a mirror and with --ignore-scripts.

//go:embed launcher.js
var launcher []byte

var npmOS = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}

var npmArch = map[string]string{"amd64": "x64", "arm64": "arm64"}

func npmName(t target) string { return "@docent-md/" + npmOS[t.os] + "-" + npmArch[t.arch] }

// npmFile is the name that npm pack gives to a package's file.
func (r *release) npmFile(name string) string {
	return strings.NewReplacer("@", "", "/", "-").Replace(name) + "-" + r.number() + ".tgz"
}

// A manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Homepage    string            `json:"homepage"`
	Repository  map[string]string `json:"repository"`
	Keywords    []string          `json:"keywords,omitempty"`
	Bin         map[string]string `json:"bin,omitempty"`
	Files       []string          `json:"files"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

func (r *release) manifest(name, about string) manifest {
	return manifest{
		Name: name, Version: r.number(), Description: about, License: spdx, Homepage: homepage,
		Repository: map[string]string{"type": "git", "url": "git+" + homepage + ".git"},
	}
}

func (r *release) npmPackages() error {
	main := r.manifest("docent-md", summary)
	main.Keywords = []string{"markdown", "documentation", "search", "mcp", "agents", "citations"}
	main.Bin = map[string]string{"docent-md": "docent.js", "docent": "docent.js"}
	main.Files = []string{"docent.js", "THIRD_PARTY.txt"}
	main.Engines = map[string]string{"node": ">=18"}
	main.Optional = map[string]string{}
	for _, t := range r.targets {
		name := npmName(t)
		main.Optional[name] = r.number()
		one := r.manifest(name, "The program of docent-md for "+t.os+" on "+t.arch)
		one.OS, one.CPU, one.Files = []string{npmOS[t.os]}, []string{npmArch[t.arch]}, []string{t.program()}
		data, err := r.read(binary(t))
		if err != nil {
			return err
		}
		if err := r.npmPackage(one, bundle.File{Name: t.program(), Data: data, Exec: true}); err != nil {
			return err
		}
	}
	return r.npmPackage(main, bundle.File{Name: "docent.js", Data: launcher, Exec: true})
}

// npmPackage writes the tarball of a package, with the README and licences.
func (r *release) npmPackage(m manifest, files ...bundle.File) error {
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, bundle.File{Name: "package.json", Data: append(raw, '\n')})
	for _, name := range []string{"LICENSE", "THIRD_PARTY.txt", "README.md"} {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return err
		}
		files = append(files, bundle.File{Name: name, Data: data})
	}
	for i := range files {
		files[i].Name = "package/" + files[i].Name
	}
	data, err := bundle.TarGz(files, r.at)
	if err != nil {
		return err
	}
	return r.write(r.npmFile(m.Name), data)
}
