package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Kind says what went wrong, for a caller to act on.
type Kind string

// The kinds of errors.
const (
	Unreachable Kind = "unreachable"            // no connection, or it broke
	TimedOut    Kind = "timed out"              // no whole answer in time
	Cancelled   Kind = "cancelled"              // the caller gave up
	Denied      Kind = "access denied"          // 401, 402, 403: key, account or permission
	Limited     Kind = "rate limited"           // 429
	Overloaded  Kind = "overloaded"             // 503, 529
	Failed      Kind = "server error"           // other 5xx
	TooLarge    Kind = "request too large"      // 413, or a text longer than the model takes
	Rejected    Kind = "request rejected"       // 400, 404 and the rest: asking again will not help
	Redirected  Kind = "redirected elsewhere"   // to another origin; not followed
	Malformed   Kind = "malformed answer"       // not what the protocol or the schema says
	Cut         Kind = "answer cut short"       // the model ran into its limit
	Declined    Kind = "declined by the model"  // stop_reason refusal
	Empty       Kind = "empty answer"           // well-formed, but of no use
	Dimension   Kind = "unexpected dimensions"  // vectors of another length than expected
	Oversized   Kind = "answer too large"       // more bytes than an answer may have
	Expired     Kind = "expired before it ran"  // a request of a batch
	Unpaid      Kind = "not paid for"           // more texts than the caller lets us ask for
	Unsupported Kind = "unsupported by request" // asked wrongly by the caller
)

// An Error is what every method of this package returns. Its text never holds
// the key, whatever the server answered.
type Error struct {
	Op        string // what was tried: "rerank", "embed"
	Endpoint  string // scheme and host
	Kind      Kind
	Status    int    // of the last answer; 0 when there was none
	Message   string // what the server said, one line
	RequestID string // as the provider's support asks for
	Attempts  int
	Err       error // the cause, where there is one
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Endpoint != "" {
		b.WriteString(": " + e.Endpoint)
	}
	b.WriteString(": " + string(e.Kind))
	if e.Status != 0 && e.Status != http.StatusOK {
		fmt.Fprintf(&b, " (%d)", e.Status)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (%d attempts)", e.Attempts)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of err, or "" when it is not from this package.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// kindOfStatus says what a status other than 2xx means.
func kindOfStatus(status int) Kind {
	switch status {
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden:
		return Denied
	case http.StatusTooManyRequests:
		return Limited
	case http.StatusRequestEntityTooLarge:
		return TooLarge
	case http.StatusServiceUnavailable, 529:
		return Overloaded
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return TimedOut
	}
	switch {
	case status >= 500:
		return Failed
	case status >= 300 && status < 400:
		return Redirected
	}
	return Rejected
}

// serverMessage finds what the body of an error says. Anthropic and OpenAI
// answer {"error":{"type":...,"message":...}}, Ollama and TEI {"error":"..."},
// and whatever is in between answers in HTML.
func serverMessage(body []byte) string {
	var shape struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &shape) != nil {
		return ""
	}
	var inner struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	var text string
	switch {
	case json.Unmarshal(shape.Error, &inner) == nil && inner.Message != "":
		text = inner.Message
		if inner.Type != "" {
			text = inner.Type + ": " + text
		}
	case json.Unmarshal(shape.Error, &text) == nil && text != "":
	default:
		text = shape.Message
	}
	return text
}

// tooLong reports whether a refusal means that a text, or all together, are
// longer than the model takes. Only some servers say so by 413.
func tooLong(e *Error) bool {
	if e.Kind != Rejected && e.Kind != Failed {
		return false
	}
	text := strings.ToLower(e.Message)
	return slices.ContainsFunc([]string{
		"maximum context length",   // OpenAI, vLLM
		"max_tokens_per_request",   // OpenAI
		"tokens per request",       // OpenAI
		"input length exceeds",     // Ollama
		"exceeds the context size", // llama.cpp
		"input is too large",       // llama.cpp
		"must have less than",      // TEI
	}, func(sign string) bool { return strings.Contains(text, sign) })
}

// maxMessage is how much of what a server says is repeated.
const maxMessage = 300

// scrub makes text from elsewhere fit for an error: one line, not long, no
// control characters, and without the key.
func scrub(text, key string) string {
	if len(key) >= 6 {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	return oneLine(text, maxMessage)
}

// oneLine joins the words of text by single spaces, drops what does not print
// (control, bidirectional and tag characters among it) and cuts at most runes.
func oneLine(text string, most int) string {
	var b strings.Builder
	space, n := false, 0
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			continue
		}
		if n++; space {
			n++
		}
		if n > most {
			b.WriteString("…")
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
