package grep

// What the tests in package grep_test share with those here.
var (
	MadeText     = madeText
	MadePattern  = madePattern
	HandPatterns = handPatterns
)
