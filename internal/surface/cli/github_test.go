package cli

import (
	"io/fs"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/docent-md/docent/internal/source/fetch/fetchtest"
	"github.com/rogpeppe/go-internal/testscript"
)

type gitHubKey struct{}

// gitHub is what a script says to its GitHub:
//
//	github commit owner/repo ref folder   the folder's files are the newest commit of a branch or tag
//	github private owner/repo token       only who sends the token sees it
//	github file /path file                a plain file, at $FILES/path
//	github fault ratelimit|truncate BYTES|lie|none
//	github saw text server...             requests carried text to these servers, and no other
//	github expand from to                 a file with FILES in it, for the address of plain files
func gitHub(ts *testscript.TestScript, neg bool, args []string) {
	server := ts.Value(gitHubKey{}).(*fetchtest.Server)
	if neg || len(args) == 0 {
		ts.Fatalf("github: say what")
	}
	args = append(args, "", "", "")
	switch args[0] {
	case "commit":
		files := map[string]string{}
		dir := ts.MkAbs(args[3])
		ts.Check(filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(name)
			rel, relErr := filepath.Rel(dir, name)
			ts.Check(relErr)
			files[filepath.ToSlash(rel)] = string(data)
			return err
		}))
		server.Repo(args[1]).Commit(args[2], files)
	case "private":
		server.Repo(args[1]).Private(args[2])
	case "file":
		server.File(args[1], mime.TypeByExtension(path.Ext(args[1])), []byte(ts.ReadFile(args[2])))
	case "fault":
		n, _ := strconv.Atoi(args[2])
		switch args[1] {
		case "ratelimit":
			server.Set(fetchtest.Faults{RateLimit: time.Now().Add(time.Hour)})
		case "truncate":
			server.Set(fetchtest.Faults{Truncate: n})
		case "lie":
			server.Set(fetchtest.Faults{WrongHash: true})
		case "none":
			server.Set(fetchtest.Faults{})
		default:
			ts.Fatalf("github: no fault is called %q", args[1])
		}
	case "saw":
		got := strings.Join(fetchtest.Seen(server.Requests(), args[1]), " ")
		if want := strings.TrimSpace(strings.Join(args[2:], " ")); got != want {
			ts.Fatalf("%q was sent to %q, want %q", args[1], got, want)
		}
	case "expand":
		text := strings.ReplaceAll(ts.ReadFile(args[1]), "FILES", server.Files)
		ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o644))
	default:
		ts.Fatalf("github: cannot %s", args[0])
	}
}
