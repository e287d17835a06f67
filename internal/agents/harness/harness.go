// Package harness lets a model answer questions about documents with a set of tools, and
// judges what it answers: by the section that it cites and, where the right answer is
// known in words, by those. Two sets of tools are here: docent's MCP server, started as
// clients start it, and plain list, grep and read.
package harness

import (
	"context"
	"fmt"
	"time"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/docent-md/docent/internal/text/token"
)

// A Toolset is what a model is given to find answers with. It may be used by many
// goroutines at once.
type Toolset interface {
	Tools() []llm.Tool
	Instructions() string // what the tools' own server says of them; may be ""

	// Call runs a tool. A mistake of the model is a text for the model, with failed set; an
	// error means that the tools are of no more use.
	Call(ctx context.Context, name, args string) (text string, failed bool, err error)
}

// Limits bound what one question may cost. The zero value of a field means the default.
type Limits struct {
	Calls  int           // of tools; 12
	Tokens int           // that tools return; 60,000
	Time   time.Duration // for everything; five minutes
}

func (l Limits) withDefaults() Limits {
	if l.Calls <= 0 {
		l.Calls = 12
	}
	if l.Tokens <= 0 {
		l.Tokens = 60_000
	}
	if l.Time <= 0 {
		l.Time = 5 * time.Minute
	}
	return l
}

// An Attempt is what a model did with one question.
type Attempt struct {
	Reply   string    // the last thing it said
	Calls   int       // of tools
	Misused int       // calls that were answered with what was wrong with them
	Read    int       // tokens that tools returned, by docent's estimate of o200k
	Used    llm.Usage // as the endpoint counts
	Turns   []llm.Turn
	Err     error // why there is no reply: the endpoint, the time, or calls without end
}

// Rules are what a model is told of its task, whatever its tools are.
const Rules = `Answer the question from the documentation that your tools reach, and from nothing else.
When you have found the answer, stop and reply in exactly this form:

ANSWER: the answer, in at most three sentences
SOURCE: path/of/file.md:FROM-TO

FROM and TO are line numbers. A Ref that a tool gave you, such as file.md#anchor:10-20@hash, may stand there as well.
Cite the narrowest place that has the whole answer; a second SOURCE line is for an answer that stands in two places.
If the documentation does not have the answer, reply with one line:

NOT IN THE DOCS`

const lastCall = "You have used up your tool calls. Reply now, in the form that you were told."

// Converse has a model answer a question.
func Converse(ctx context.Context, chat *llm.Chat, tools Toolset, question string, l Limits) Attempt {
	l = l.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	r := llm.ChatRequest{System: Rules, Tools: tools.Tools(), Turns: []llm.Turn{{Text: question}}}
	if s := tools.Instructions(); s != "" {
		r.System += "\n\n" + s
	}
	var a Attempt
	for spent := false; ; {
		turn, used, err := chat.Ask(ctx, "agents", r)
		a.Used = a.Used.Add(used)
		a.Turns = r.Turns
		if err != nil {
			a.Err = err
			return a
		}
		r.Turns = append(r.Turns, turn)
		a.Turns = r.Turns
		if len(turn.Calls) == 0 {
			a.Reply = turn.Text
			return a
		}
		if spent {
			a.Err = fmt.Errorf("agents: it went on calling tools after %d calls and %d tokens", a.Calls, a.Read)
			return a
		}
		var answers llm.Turn
		for _, c := range turn.Calls {
			text, failed := lastCall, true
			if spent = spent || a.Calls >= l.Calls || a.Read >= l.Tokens; !spent {
				if text, failed, err = tools.Call(ctx, c.Name, c.Args); err != nil {
					a.Err = err
					return a
				}
				a.Calls++
				a.Read += token.O200k().CountString(text)
				if failed {
					a.Misused++
				}
			}
			answers.Results = append(answers.Results, llm.ToolResult{ID: c.ID, Text: text, Failed: failed})
		}
		if a.Calls >= l.Calls || a.Read >= l.Tokens {
			spent, answers.Text = true, lastCall
		}
		r.Turns = append(r.Turns, answers)
	}
}
