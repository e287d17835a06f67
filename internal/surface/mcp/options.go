package mcp

import (
	"context"
	"net/http"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/answer"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options tune a Server. Library or Several must be set; the zero value of the rest is a
// good default.
type Options struct {
	// Library is served, and closed with the server. It is opened in the background
	// (docent.Options.Background), so that the server listens at once.
	Library *docent.Library

	// Several are indexes that are served alike, in the place of Library, if there are two
	// or more; Indexes has them by their names. A search that names none asks all of them,
	// and the other tools need a name or a Ref that begins with one.
	Several []Corpus

	// Indexes are the named indexes that are served in addition, and closed with the
	// server; nil means none.
	Indexes *docent.IndexSet

	Name       string       // of the corpus; characters unfit for a URI are replaced
	Title      string       // what clients are told it is called; "" means after the documents, or Name
	About      string       // what clients are told it is about; "" means what the documents say
	Described  string       // what an index's entry says it is about, which a clone may have brought
	Guess      answer.About // what to say of the documents until they can be asked
	Prefix     string       // before the name of each tool: letters, digits, _ and -
	Version    string       // of the program
	Tools      string       // "" means the default tools; "all", or names separated by commas
	Structured bool         // answers have structured content in addition to their text
	RerankMS   int          // most milliseconds for the model in the program in a search; 0 means 1,000
	Rerank     bool         // the assistant of the library and the indexes reranks searches
	Remember   bool         // a connection on standard input is not sent the same text twice in a while
	AllowIndex []string     // folders that agents may index
	Note       func(string) // receives warnings, in lines for standard error; may be nil

	NoPaths  bool          // answers leave out where documents and index are on this machine
	CallTime time.Duration // the most that a call may take; 0 means no limit
	Shared   *Shared       // with other servers of the process; nil means with none

	Token string   // that HTTP clients must send; "" means none
	Hosts []string // that HTTP clients may name in addition to the server's own address

	// Extend changes the SDK's options before they are used. The protocol's
	// conformance suites need it, for features that docent has no use for.
	Extend func(*mcp.ServerOptions, *mcp.StreamableHTTPOptions)

	drain    time.Duration // how long the end of input waits for answers; 0 means 30 s
	patience patience      // with slow HTTP clients; the zero value means defaultPatience
}

// A Server answers MCP clients from one library, or several. It may serve many at once.
type Server struct {
	opts   Options
	pages  http.Handler // for people; nil for none
	docs   aboutDocs
	files  resources
	told   toldAbout
	ctx    context.Context // ends with the server
	stop   context.CancelFunc
	mcp    *mcp.Server
	http   mcp.StreamableHTTPOptions
	lib    *docent.Library
	tools  []toolView
	shared *Shared
	known  Sessions // that calls on standard input have named
}
