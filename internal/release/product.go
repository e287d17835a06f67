package main

import (
	"fmt"
	"strings"
	"time"
)

// What every package says of docent.
const (
	module   = "github.com/docent-md/docent"
	homepage = "https://github.com/docent-md/docent"
	summary  = "Answers from any folder of Markdown, for coding agents and people" // Homebrew and Debian allow 80 characters
	details  = "The right section, within a token budget, with a citation that can be\nchecked. One static program, offline."
	spdx     = "Apache-2.0"
	contact  = "docent maintainers <docent@users.noreply.github.com>"
)

// A target is a system that the program is built for.
type target struct{ os, arch string }

var targets = []target{
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

func (t target) String() string { return t.os + "/" + t.arch }

// program is the name of the program's file.
func (t target) program() string {
	if t.os == "windows" {
		return "docent.exe"
	}
	return "docent"
}

// A release is one version on its way to the archives.
type release struct {
	version string // v0.1.0
	commit  string
	at      time.Time // of the commit: the time of every file
	source  string    // the folder of go.mod
	out     string
	targets []target

	build   func(r *release, t target, file string) error
	say     func(step string) // what is being made, which takes minutes
	written []string          // files in out that are published, without folders: a release page has none
}

// number is the version as package managers write it.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

// folder is the name of the folder in a target's archive.
func (r *release) folder(t target) string {
	return fmt.Sprintf("docent_%s_%s_%s", r.number(), t.os, t.arch)
}

// archive is the name of a target's archive.
func (r *release) archive(t target) string {
	ending := "tar.gz"
	if t.os == "windows" {
		ending = "zip"
	}
	return r.folder(t) + "." + ending
}

// url is where a published file is downloaded from.
func (r *release) url(file string) string {
	return homepage + "/releases/download/" + r.version + "/" + file
}
