package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/client"
	"github.com/stemma-memory/stemma/internal/engine"
	"github.com/stemma-memory/stemma/internal/store/sqlstore"
)

// aRef is the ref of a record in full.
var aRef = regexp.MustCompile(`raw:[0-9a-f]{64}`)

// A server, an agent over MCP, a host's hooks and the command line write into one store
// at once, each a process of its own: nothing is lost and no one fails. With STEMMA_LONG for a
// minute.
func TestThreeProcessesWrite(t *testing.T) {
	lasts := 2 * time.Second
	if os.Getenv("STEMMA_LONG") != "" {
		lasts = time.Minute
	}
	dir := t.TempDir()
	env := append(
		os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "STEMMA_STORE="+filepath.Join(dir, "memory.db"),
		"GORACE=atexit_sleep_ms=0",
	)
	command := func(args ...string) *exec.Cmd {
		c := exec.Command("stemma", args...)
		c.Dir, c.Env = dir, env
		return c
	}
	url, token, stop := serveProcess(t, command("serve", "--addr", "127.0.0.1:0"), dir)
	defer stop()
	mcp := speak(t, command("mcp"))

	var mu sync.Mutex
	wrote := map[string]string{}
	keep := func(who, ref string) {
		mu.Lock()
		defer mu.Unlock()
		wrote[ref] = who
	}
	until := time.Now().Add(lasts)
	c := client.New(url, token)
	writers := map[string]func(n int) (string, error){
		"the command line": func(n int) (string, error) {
			out, err := command("raw", fmt.Sprintf("said at a terminal, %d", n)).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			return string(out), err
		},
		"the server": func(n int) (string, error) {
			w, err := c.Capture(t.Context(), api.CaptureRequest{Text: fmt.Sprintf("said over HTTP, %d", n)})
			return w.Ref, err
		},
		"mcp": func(n int) (string, error) {
			return mcp.call(
				"tools/call",
				map[string]any{"name": "capture", "arguments": map[string]any{"text": fmt.Sprintf("said over MCP, %d", n)}},
			)
		},
	}
	var wg sync.WaitGroup
	hooks := 0
	wg.Go(func() { // a hook says nothing, and what it saw may wait for the next one
		for ; time.Now().Before(until); hooks++ {
			if err := hook(command, hooks); err != nil {
				t.Errorf("hook %d: %v", hooks, err)
				return
			}
		}
	})
	for who, write := range writers {
		wg.Go(func() {
			for n := 0; time.Now().Before(until); n++ {
				said, err := write(n)
				ref := aRef.FindString(said)
				if err != nil || ref == "" {
					t.Errorf("%s, write %d: %v %s", who, n, err, said)
					return
				}
				keep(who, ref)
			}
		})
	}
	wg.Wait()
	mcp.end(t)
	stop()
	if err := hook(command, hooks); err != nil { // takes in what waits
		t.Error(err)
	}
	hooks++

	e, err := engine.Open(t.Context(), filepath.Join(dir, "memory.db"), engine.Config{Databases: sqlstore.Databases{}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	counts := map[string]int{}
	for ref, who := range wrote {
		if _, err := e.Show(t.Context(), api.RefRequest{Ref: ref}); err != nil {
			t.Errorf("what %s wrote is lost: %v", who, err)
		}
		counts[who]++
	}
	s, err := e.Stats(t.Context(), api.Nothing{})
	if err != nil || s.Raws.Processed+s.Raws.Unprocessed != len(wrote)+hooks {
		t.Errorf("the store has %+v, %v; want %d, and %d of hooks", s.Raws, err, len(wrote), hooks)
	}
	if d, err := e.Doctor(t.Context(), api.DoctorRequest{}); err != nil || len(d.Problems) > 0 {
		t.Errorf("the store after it: %v %+v", err, d.Problems)
	}
	for who := range writers {
		if counts[who] == 0 {
			t.Errorf("%s wrote nothing", who)
		}
	}
	t.Logf("written in %v: %v, and %d by hooks", lasts, counts, hooks)
}

// serveProcess starts a server, and gives its address, the agents' token and what
// ends it.
func serveProcess(t *testing.T, c *exec.Cmd, dir string) (url, token string, stop func()) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if url, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "stemma", "server", "token"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url), strings.TrimSpace(string(text)), sync.OnceFunc(func() {
		_ = c.Process.Signal(os.Interrupt) // Wait says how it went
		if err := c.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
}

// speaking is a conversation over MCP in a pipe.
type speaking struct {
	c   *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

func speak(t *testing.T, c *exec.Cmd) *speaking {
	t.Helper()
	s := &speaking{c: c}
	var err error
	if s.in, err = c.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	hello := map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"},
	}
	if _, err := s.call("initialize", hello); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	return s
}

// call asks, and gives the line that answers.
func (s *speaking) call(method string, params any) (string, error) {
	s.id++
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err == nil {
		_, err = s.in.Write(append(text, '\n'))
	}
	if err != nil {
		return "", err
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			return "", err
		}
		var reply struct {
			ID    int
			Error any
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil {
			return line, err
		}
		if reply.ID != s.id {
			continue // a notification
		}
		if reply.Error != nil {
			return line, fmt.Errorf("%v", reply.Error)
		}
		return line, nil
	}
}

func (s *speaking) end(t *testing.T) {
	t.Helper()
	s.in.Close()
	if err := s.c.Wait(); err != nil {
		t.Errorf("mcp ended with %v", err)
	}
}

// hook lets a host's hook see a prompt.
func hook(command func(...string) *exec.Cmd, n int) error {
	c := command("hook", "run", "claude-code", "UserPromptSubmit")
	c.Stdin = strings.NewReader(
		fmt.Sprintf(`{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"typed, %d"}`, n),
	)
	out, err := c.CombinedOutput()
	if err == nil && len(out) > 0 {
		err = fmt.Errorf("it says %s", out)
	}
	return err
}
