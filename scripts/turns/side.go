package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A side is one program with a person's home, whose store it made.
type side struct {
	program, home, path string

	grounded []string // beliefs over many episodes
	revised  []string // the last of many revisions
}

// What the stores have beside the talk.
const (
	groundedBeliefs = 6
	episodesOfOne   = 50
	revisedBeliefs  = 2
	revisions       = 500
)

// newSide returns a side, whose store is made if it is not there.
func newSide(program, home, path, talk string) (*side, error) {
	s := &side{program: program, home: home, path: path}
	made := filepath.Join(home, "made.json")
	if text, err := os.ReadFile(made); err == nil {
		return s, json.Unmarshal(text, &[]*[]string{&s.grounded, &s.revised})
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	if err := s.reviseOften(); err != nil { // before the talk, so that no list is of them
		return nil, err
	}
	file, err := s.input(talk)
	if err != nil {
		return nil, err
	}
	if _, _, err := s.run("import", "jsonl", file); err != nil {
		return nil, err
	}
	list, _, err := s.run("list", "belief", "--limit", "-1", "--json")
	if err != nil {
		return nil, err
	}
	var all struct {
		Memories []struct{ Ref, Headline string }
	}
	if err := json.Unmarshal(list, &all); err != nil {
		return nil, err
	}
	for _, m := range all.Memories {
		if strings.HasPrefix(m.Headline, concluded) {
			s.grounded = append(s.grounded, m.Ref)
		}
	}
	if len(s.grounded) == 0 {
		return nil, fmt.Errorf("%s is too short: it needs %d episodes", talk, episodesOfOne)
	}
	if err := os.Remove(file); err != nil {
		return nil, err
	}
	text, err := json.Marshal([][]string{s.grounded, s.revised})
	if err != nil {
		return nil, err
	}
	return s, os.WriteFile(made, text, 0o600)
}

// reviseOften adds beliefs of many revisions.
func (s *side) reviseOften() error {
	p, err := s.serve()
	if err != nil {
		return err
	}
	for i := range revisedBeliefs {
		reply, _, err := s.run("belief", "add", fmt.Sprint("The limit of ", i, " is 0"), "--json")
		if err != nil {
			return err
		}
		ref, err := first(reply)
		for n := 1; n <= revisions && err == nil; n++ {
			if reply, err = p.call("revise", map[string]any{
				"ref": ref, "text": fmt.Sprint("The limit of ", i, " is ", n),
			}); err == nil {
				ref, err = newest(reply)
			}
		}
		if err != nil {
			return err
		}
		s.revised = append(s.revised, ref)
	}
	return p.end()
}

// input writes the talk, and after its first episodes beliefs over many of them: the newest are as they were said.
func (s *side) input(talk string) (string, error) {
	said, err := os.ReadFile(talk)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	var from []string
	for line := range bytes.Lines(said) {
		var l struct{ ID, Kind string }
		if err := json.Unmarshal(line, &l); err != nil {
			return "", err
		}
		out.Write(line)
		if l.Kind != "episode" {
			continue
		}
		if from = append(from, l.ID); len(from)%episodesOfOne > 0 || len(from) > groundedBeliefs*episodesOfOne {
			continue
		}
		err := json.NewEncoder(&out).Encode(map[string]any{
			"id": "concluded from " + l.ID, "kind": "belief", "type": "fact", "via": "consolidate",
			"text": concluded + l.ID, "from": from[len(from)-episodesOfOne:],
		})
		if err != nil {
			return "", err
		}
	}
	file := filepath.Join(s.home, "input.jsonl")
	return file, os.WriteFile(file, out.Bytes(), 0o600)
}

// concluded is what those beliefs begin with.
const concluded = "What stands after "

// newest returns the ref of what a revision made.
func newest(reply []byte) (string, error) {
	var r struct {
		StructuredContent struct {
			Ref    string
			Memory struct{ Ref string }
		}
	}
	err := json.Unmarshal(reply, &r)
	if ref := r.StructuredContent.Ref + r.StructuredContent.Memory.Ref; err == nil && ref != "" {
		return ref, nil
	}
	return "", errors.Join(err, fmt.Errorf("no ref in %.300s", reply))
}

func (s *side) command(args ...string) *exec.Cmd {
	c := exec.Command(s.program, append([]string{"--user"}, args...)...)
	c.Dir, c.Env = s.home, []string{"HOME=" + s.home, "PATH=" + s.path}
	return c
}

// run runs the program from start to end, and returns the processor time it took.
func (s *side) run(args ...string) ([]byte, time.Duration, error) {
	return timed(s.command(args...))
}

func timed(c *exec.Cmd) ([]byte, time.Duration, error) {
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return nil, 0, fmt.Errorf("%s: %w: %.400s", strings.Join(c.Args, " "), err, errs.Bytes())
	}
	return out.Bytes(), c.ProcessState.UserTime() + c.ProcessState.SystemTime(), nil
}

// A process answers calls of MCP.
type process struct {
	cmd  *exec.Cmd
	to   io.WriteCloser
	from *bufio.Reader
	id   int
	refs map[string]string // what each tool calls the ref
}

// serve starts the program for one who asks much.
func (s *side) serve() (*process, error) {
	p := &process{cmd: s.command("mcp", "--tools", "full"), refs: make(map[string]string)}
	var err error
	if p.to, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.from = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	_, err = p.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "turns", "version": "1"},
	})
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(p.to, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		return nil, err
	}
	return p, p.learn()
}

// learn asks for the tools: versions call a ref differently.
func (p *process) learn() error {
	reply, err := p.ask("tools/list", map[string]any{})
	if err != nil {
		return err
	}
	var list struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(reply, &list); err != nil {
		return err
	}
	for _, t := range list.Tools {
		p.refs[t.Name] = "ref"
		if _, other := t.InputSchema.Properties["memory_ref"]; other {
			p.refs[t.Name] = "memory_ref"
		}
	}
	return nil
}

// ask sends one message and returns the result.
func (p *process) ask(method string, params any) (json.RawMessage, error) {
	p.id++
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := p.to.Write(append(text, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := p.from.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var reply struct {
			ID            int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			return nil, err
		}
		if reply.ID != p.id {
			continue // something that it tells
		}
		if reply.Result == nil {
			return nil, fmt.Errorf("%s: %s", method, reply.Error)
		}
		return reply.Result, nil
	}
}

// call calls a tool.
func (p *process) call(tool string, args map[string]any) ([]byte, error) {
	if ref, has := args["ref"]; has && p.refs[tool] != "ref" {
		delete(args, "ref")
		args[p.refs[tool]] = ref
	}
	reply, err := p.ask("tools/call", map[string]any{"name": tool, "arguments": args})
	if err == nil && bytes.Contains(reply, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("%s: %.400s", tool, reply)
	}
	return reply, err
}

// took returns the processor time of the process so far, of all its threads.
func (p *process) took() (time.Duration, error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	var all time.Duration
	for _, file := range tasks {
		text, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		ran, _, _ := strings.Cut(string(text), " ")
		n, err := strconv.ParseInt(ran, 10, 64)
		if err != nil {
			return 0, err
		}
		all += time.Duration(n)
	}
	return all, err
}

func (p *process) end() error {
	return errors.Join(p.to.Close(), p.cmd.Wait())
}
