package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent"
	"github.com/docent-md/docent/internal/indexset"
	"github.com/docent-md/docent/internal/surface/host"
	"github.com/spf13/pflag"
)

// hostFlags are the flags of a server for several users or indexes.
type hostFlags struct {
	corpora    []string // name=folder
	tokenFile  string
	rate       int
	concurrent int
	body       string
	time       time.Duration
	grace      time.Duration
	log        string
	questions  bool
	proxy      bool

	roots []docent.NamedRoot // what corpora say
	bytes int64              // what body says
}

func (h *hostFlags) add(f *pflag.FlagSet) {
	f.StringArrayVar(&h.corpora, "corpus", nil, "serve a folder, index or pack under a name, as docs=/srv/docs; may be repeated")
	f.StringVar(&h.tokenFile, "token-file", "", "file of users, their tokens, and the indexes that each may see")
	f.IntVar(&h.rate, "rate", 0, "requests a second that one user may make (default: no limit)")
	f.IntVar(&h.concurrent, "max-concurrent", 0, "requests of one user that may run at once (default: no limit)")
	f.StringVar(&h.body, "max-body", "", "largest request, in bytes or as 512k (default 4M)")
	f.DurationVar(&h.time, "time-limit", 0, "longest time that an answer may take, such as 30s (default: no limit)")
	f.DurationVar(&h.grace, "grace", 10*time.Second, "time that running requests have to finish when the server ends")
	f.StringVar(&h.log, "access-log", "", "file to append a JSON line to for each HTTP request, or - for standard output")
	f.BoolVar(&h.proxy, "behind-proxy", false, "believe X-Forwarded-For and -Proto, which the proxy in front sets")
	f.BoolVar(&h.questions, "log-questions", false, "with --access-log: log what was asked, too")
}

// several reports whether indexes are served by name.
func (h *hostFlags) several() bool { return len(h.corpora) > 0 || h.tokenFile != "" }

// check refuses flags that have no effect or contradict each other, and reads those that
// have a form.
func (h *hostFlags) check(f *pflag.FlagSet, addr string) error {
	overHTTP, oneIndex := addr != "", !h.several()
	var rules []flagRule
	for _, flag := range []string{"token-file", "rate", "max-concurrent", "max-body", "time-limit", "grace", "access-log", "behind-proxy"} {
		rules = append(rules, flagRule{flag, overHTTP, "goes with --http"})
	}
	rules = append(rules, []flagRule{
		{"token", h.tokenFile == "", "and --token-file contradict each other: the file has the tokens"},
		{"root", len(h.corpora) == 0, "and --corpus contradict each other: give the folder a name, as in --corpus docs=FOLDER"},
		{"index", oneIndex, "is for one index: the token file says who sees which, and --corpus serves all"},
		{"db", oneIndex, "cannot be served with --corpus or --token-file: they are for folders, packs and named indexes"},
		{"cluster", oneIndex, "cannot be served with --corpus or --token-file: they are for folders, packs and named indexes"},
		{"tenant", oneIndex, "cannot be served with --corpus or --token-file: they are for folders, packs and named indexes"},
		{"name", oneIndex, "is for one index: with --corpus or --token-file each has its own name"},
		{"description", oneIndex, "is for one index: docent index --description describes each, and so does .docent.json"},
		{"allow-index", oneIndex, "cannot be had with --corpus or --token-file: what users see is fixed"},
		{"log-questions", h.log != "", "goes with --access-log"},
	}...)
	if err := refuseUnless(f, rules); err != nil {
		return err
	}
	for flag, negative := range map[string]bool{"rate": h.rate < 0, "max-concurrent": h.concurrent < 0, "time-limit": h.time < 0, "grace": h.grace <= 0} {
		if negative {
			return fmt.Errorf("--%s: must be positive", flag)
		}
	}
	var err error
	if h.bytes, err = parseBody(h.body); err != nil {
		return err
	}
	if h.roots, err = parseCorpora(h.corpora); err != nil {
		return err
	}
	for _, r := range h.roots {
		if f.Changed("watch") && isFile(r.Root) {
			return fmt.Errorf("--watch is for files: the pack %s is served as it is", r.Root)
		}
	}
	return nil
}

// Limits on what --max-body may say. A question is short; the most is the protocol
// library's own limit.
const (
	minBody = 1 << 10
	maxBody = 4 << 20
)

// parseBody reads a number of bytes, or of kilobytes or megabytes with k or M after it.
func parseBody(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	number, unit := s, int64(1)
	switch last := s[len(s)-1]; last {
	case 'k', 'K':
		number, unit = s[:len(s)-1], 1<<10
	case 'm', 'M':
		number, unit = s[:len(s)-1], 1<<20
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if n *= unit; err != nil || n < minBody || n > maxBody {
		return 0, fmt.Errorf("--max-body %s: must be between 1k and 4M", s)
	}
	return n, nil
}

// parseCorpora reads names with folders.
func parseCorpora(all []string) ([]docent.NamedRoot, error) {
	var out []docent.NamedRoot
	seen := map[string]bool{}
	for _, s := range all {
		name, root, ok := strings.Cut(s, "=")
		if !ok || root == "" {
			return nil, withHint(fmt.Errorf("--corpus %s: no name and folder", s), "write --corpus docs=/srv/docs")
		}
		if err := indexset.CheckName(name); err != nil {
			return nil, fmt.Errorf("--corpus %s: %w", s, err)
		}
		if seen[name] {
			return nil, fmt.Errorf("--corpus %s: there is another %s: names differ", s, name)
		}
		seen[name] = true
		if _, err := os.Stat(root); err != nil {
			return nil, fmt.Errorf("--corpus %s: %w: %s", s, docent.ErrNoPath, root)
		}
		out = append(out, docent.NamedRoot{Name: name, Root: root})
	}
	return out, nil
}

// limits are those of each user.
func (h *hostFlags) limits() host.Limits {
	return host.Limits{Rate: h.rate, Concurrent: h.concurrent, Body: h.bytes, Time: h.time}
}

// openLog opens the access log; nil for none.
func (h *hostFlags) openLog(c *console) (*host.Log, error) {
	var l *host.Log
	var err error
	switch h.log {
	case "":
		return nil, nil
	case "-":
		l = host.NewLog(lineFlusher{c.out}, c.noteText)
	default:
		l, err = host.OpenLog(h.log, c.noteText)
	}
	if err != nil {
		return nil, err
	}
	l.Questions = h.questions
	return l, nil
}

var errNothingToServe = errors.New("there is no index that this user may see")
