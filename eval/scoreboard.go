// Package eval holds the scoreboard of search quality that "make scoreboard" wrote.
package eval

import _ "embed"

// Scoreboard is what "docent eval" printed.
//
//go:embed scoreboard.txt
var Scoreboard string
