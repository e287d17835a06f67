// Package clients knows the MCP clients: where each keeps its configuration, in which
// form, and how to add docent to it without touching anything else. It turns texts into
// texts and looks for files; it writes none.
package clients

import (
	"bytes"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-md/docent/internal/text/human"
)

// A Client is an MCP client. Its form is that of its own documentation, of which
// testdata has an example for each.
type Client struct {
	Name string // for --client

	format format
	keys   []string                               // of the object that holds the servers, from the top
	local  func(words []string) object            // of the command that starts docent
	remote func(url, authorization string) object // nil if its file cannot name an HTTP server

	// token is how its file reads DOCENT_TOKEN from the environment; "" if it cannot.
	token string

	// shared is set if the file is in the project, and so shared with everyone who
	// clones it: it has paths relative to the project's folder. A file of the user has
	// full paths.
	shared bool
	folder string // the variable for the project's folder; "" if servers are started in it

	file  func(Env) string // its path, of a shared one below the project
	label string           // the file in words, where the path depends on the system
	add   string           // its own command, to which "docent serve ..." is added; "" if it has none
	signs signs            // that it is on a machine
}

// A format is the syntax of a configuration.
type format int

const (
	jsonFormat format = iota // with comments
	tomlFormat
	yamlFormat
)

// Name is what docent is called in the clients' files.
const Name = "docent"

// TokenVariable is the environment variable of the token for HTTP servers.
const TokenVariable = "DOCENT_TOKEN"

// A Server is what a client is to use: a program, or an address.
type Server struct {
	Place     Place
	Program   []string // what starts docent; nil means docent by its name
	URL       string   // of an HTTP server; "" means that the client starts docent itself
	WithToken bool     // the server wants a token, which is in DOCENT_TOKEN
}

// A Place is the folder of the documents, in the forms that clients need.
type Place struct {
	Full     string // the full path
	Relative string // from the project's folder, with forward slashes; "" for that folder itself
	Outside  bool   // it is not in the project's folder, and Relative is not set
}

// Find returns the client of that name.
func Find(name string) (Client, error) {
	for _, c := range All() {
		if c.Name == name {
			return c, nil
		}
	}
	return Client{}, fmt.Errorf("no client is called %q: there are %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all clients.
func Names() []string {
	var names []string
	for _, c := range All() {
		names = append(names, c.Name)
	}
	return names
}

// File names the client's configuration in words.
func (c Client) File() string {
	switch {
	case c.label != "":
		return c.label
	case c.shared:
		return c.file(Env{}) + " in the project's folder"
	}
	return c.file(Env{Home: "~"})
}

// IsShared reports whether the configuration is in the project.
func (c Client) IsShared() bool { return c.shared }

// Path is the client's configuration on this machine; "" if it has no place that is known.
func (c Client) Path(e Env) string {
	if c.file == nil {
		return ""
	}
	return c.file(e)
}

// words is the command with which the client starts docent.
func (c Client) words(s Server) []string {
	root := s.Place.Full
	if c.shared && !s.Place.Outside {
		root = path.Join(c.folder, s.Place.Relative)
	}
	program := s.Program
	if program == nil {
		program = []string{Name}
	}
	if root == "" {
		return slices.Concat(program, []string{"serve"})
	}
	return slices.Concat(program, []string{"serve", "--root", root})
}

// entry is what the client's file says of a server.
func (c Client) entry(s Server) (object, error) {
	if s.URL == "" {
		return c.local(c.words(s)), nil
	}
	if c.remote == nil {
		return nil, fmt.Errorf("the file of %s cannot name an HTTP server: add its address in the client's settings", c.Name)
	}
	authorization := ""
	if s.WithToken {
		authorization = c.token
		if c.token == "" {
			authorization = "Bearer YOUR_TOKEN"
		}
	}
	return c.remote(s.URL, authorization), nil
}

// NeedsToken reports whether the token has to be put into the file by hand.
func (c Client) NeedsToken(s Server) bool { return s.URL != "" && s.WithToken && c.token == "" }

// Config returns the text to paste into the file.
func (c Client) Config(s Server) (string, error) {
	text, err := c.Add(nil, s)
	return string(text), err
}

// Add returns the text of a file with docent in it. Everything else stays as it is.
func (c Client) Add(old []byte, s Server) ([]byte, error) {
	entry, err := c.entry(s)
	if err != nil {
		return nil, err
	}
	switch c.format {
	case tomlFormat:
		return putTOML(old, strings.Join(append(c.keys, Name), "."), entry)
	case yamlFormat:
		return putYAML(old, c.keys[0], Name, entry)
	default:
		return putJSON(old, c.keys, Name, entry)
	}
}

// Remove returns the text of a file without docent. A file without it stays as it is.
func (c Client) Remove(old []byte) ([]byte, error) {
	switch c.format {
	case tomlFormat:
		return cutTOML(old, strings.Join(append(c.keys, Name), ".")), nil
	case yamlFormat:
		return cutYAML(old, c.keys[0], Name), nil
	default:
		return cutJSON(old, c.keys, Name)
	}
}

// WasBefore reports whether a file that Remove left is what before was, docent aside: then
// before, which has no docent in it, can be put back to the byte. Adding docent may have
// made objects that are empty without it.
func (c Client) WasBefore(left, before []byte) bool {
	if without, err := c.Remove(before); err != nil || !bytes.Equal(without, before) {
		return false
	}
	with, err := c.Add(before, Server{})
	if err != nil {
		return false
	}
	without, err := c.Remove(with)
	return err == nil && bytes.Equal(without, left)
}

// Command returns the client's own command that does the same; "" if it has none.
func (c Client) Command(s Server) string {
	if c.add == "" || s.URL != "" {
		return ""
	}
	words := []string{c.add}
	for _, a := range c.words(s) {
		words = append(words, human.CommandWord(a, runtime.GOOS))
	}
	return strings.Join(words, " ")
}
