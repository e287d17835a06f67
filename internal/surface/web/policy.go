package web

import "strings"

// policy is the Content-Security-Policy. Trusted types leave one way for text to
// become markup, which the script uses for hits rendered by the server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types docent"

// diagramPolicy is that of a page with diagrams, which are drawn in a frame and shown as
// pictures that the page makes itself.
var diagramPolicy = strings.Replace(policy, "img-src 'self'", "img-src 'self' blob:", 1) + "; frame-src 'self'"
