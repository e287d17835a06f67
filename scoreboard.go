package docent

import _ "embed"

// Scoreboard is what "docent eval" printed of this version, on public test sets.
//
//go:embed eval/scoreboard.txt
var Scoreboard string
