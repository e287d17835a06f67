//go:build unix

package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// complaints runs a command line and returns its exit code and what it complains of.
func complaints(args ...string) (int, string) {
	var out, said bytes.Buffer
	code := Main(args, strings.NewReader(""), &out, &said)
	return code, said.String()
}

// Whoever names the wrong thing as a cluster is told what it is and what to do: in two
// lines, the second the way out.
func TestWrongClusters(t *testing.T) {
	says := func(code int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		}
	}
	version := `{"version": "1.39.3"}`
	keeps := func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/meta":
			_, _ = w.Write([]byte(version))
		case strings.HasSuffix(r.URL.Path, "/tenants"):
			_, _ = w.Write([]byte(`[{"name": "handbook"}, {"name": "api"}]`))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}
	for _, c := range []struct {
		name   string
		server http.HandlerFunc
		token  string
		want   []string
	}{
		{"a web page", says(200, "<html>\n<p>hello"), "", []string{"not a Weaviate server", "name the REST port of a Weaviate node"}},
		{"another program", says(404, "no such\npage"), "", []string{"not a Weaviate server: no such page", "name the REST port of a Weaviate node"}},
		{"other JSON", says(200, `{"status": "ok"}`), "", []string{"not a Weaviate server", "name the REST port of a Weaviate node"}},
		{"TLS is wanted", says(400, "Client sent an HTTP request to an HTTPS server."), "", []string{"HTTPS server", "name the node with https://"}},
		{"an old server", says(200, `{"version": "1.35.2"}`), "", []string{"Weaviate 1.35.2 is too old", "update the cluster"}},
		{"no token", says(401, `{"code": 401, "message": "anonymous access not enabled"}`), "", []string{"does not let us in: status 401: anonymous access not enabled", "put an API key of the cluster into DOCENT_CLUSTER_TOKEN"}},
		{"a wrong token", says(401, `{"code": 401, "message": "invalid api key"}`), "x", []string{"invalid api key", "is DOCENT_CLUSTER_TOKEN an API key of this cluster"}},
		{"a weak token", says(403, `{"error": [{"message": "forbidden"}]}`), "x", []string{"status 403: forbidden", "may it read and write?"}},
		{"no such index", keeps, "", []string{"the cluster has no index nope, but api, handbook", "docent index <folder> --cluster"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("DOCENT_CLUSTER_TOKEN", c.token)
			s := httptest.NewServer(c.server)
			defer s.Close()
			code, text := complaints("search", "keys", "--cluster", s.URL, "--tenant", "nope")
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if code != 2 || len(lines) != 2 || !strings.Contains(lines[0], c.want[0]) || !strings.Contains(lines[1], c.want[1]) {
				t.Errorf("exit %d:\n%s", code, text)
			}
		})
	}
}

// Ctrl-C during an import says that it can be gone on with.
func TestInterruptedImport(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n\nText.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/meta":
			_, _ = w.Write([]byte(`{"version": "1.39.3"}`))
		case r.URL.Path == "/v1/graphql":
			_, _ = w.Write([]byte(`{"data": {"Aggregate": {"chunks": [{}], "files": [{}]}}}`))
		case strings.HasPrefix(r.URL.Path, "/v1/batch"):
			_, _ = io.Copy(io.Discard, r.Body) // else nobody notices that the client has gone
			_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
			<-r.Context().Done()
		case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, "/v1/objects"):
			w.WriteHeader(http.StatusNotFound)
		case r.Method == http.MethodGet && !strings.HasSuffix(r.URL.Path, "/tenants"):
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer s.Close()
	code, text := complaints("index", "--root", dir, "--embed", "none", "--cluster", s.URL, "--tenant", "x")
	if code != 2 || text != "docent: interrupted: what was sent stays, and the same command continues from there\n" {
		t.Errorf("exit %d: %s", code, text)
	}
}
