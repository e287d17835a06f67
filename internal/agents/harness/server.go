package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/docent-md/docent/internal/model/llm"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Server is docent's MCP server on standard input and output, as a client starts it.
type Server struct {
	session *mcp.ClientSession
	tools   []llm.Tool
}

// Start indexes a folder and starts docent's MCP server on it. Index and settings are
// below home: those of the user have no effect, and the server sees no key of a model.
func Start(ctx context.Context, docent, folder, home string) (*Server, error) {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
		"USERPROFILE=" + home, "LOCALAPPDATA=" + home, "APPDATA=" + home,
	}
	index := exec.CommandContext(ctx, docent, "index", "--root", folder)
	index.Env = env
	if out, err := index.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s index: %w: %s", docent, err, out)
	}
	cmd := exec.Command(docent, "serve", "--root", folder)
	cmd.Stderr, cmd.Env = os.Stderr, env
	client := mcp.NewClient(&mcp.Implementation{Name: "docent-agents", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", docent, err)
	}
	s := &Server{session: session}
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			_ = s.Close()
			return nil, err
		}
		schema, err := json.Marshal(t.InputSchema)
		if err != nil {
			_ = s.Close()
			return nil, err
		}
		s.tools = append(s.tools, llm.Tool{Name: t.Name, Description: t.Description, Schema: schema})
	}
	// At first an answer may say that files are still being compared, and a measurement
	// should not depend on that.
	for {
		text, _, err := s.Call(ctx, "search", `{"query":"index"}`)
		if err != nil || !strings.Contains(text, "index is being refreshed") {
			return s, err
		}
	}
}

// Close ends the server.
func (s *Server) Close() error { return s.session.Close() }

// Tools implements Toolset.
func (s *Server) Tools() []llm.Tool { return s.tools }

// Instructions implements Toolset.
func (s *Server) Instructions() string { return s.session.InitializeResult().Instructions }

// Call implements Toolset.
func (s *Server) Call(ctx context.Context, name, args string) (string, bool, error) {
	var in map[string]any
	if err := decodeStrictly(args, &in); err != nil {
		return err.Error(), true, nil
	}
	res, err := s.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: in})
	if err != nil {
		if s.session.Ping(ctx, nil) != nil { // the server is gone, or the time is up
			return "", true, fmt.Errorf("%s: %w", name, err)
		}
		return err.Error(), true, nil // such as a tool that does not exist
	}
	b := &strings.Builder{}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String(), res.IsError, nil
}
