package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/loop"
)

// home is the home of one person, who has one store.
type home struct {
	program string
	dir     string // where the person works
	data    string // where the program keeps what it keeps
	env     []string
	server  string // where the store is; "" is the person's own file
	serving int    // the server's first process; 0 where its time is not measured
}

func newHome(o Options, dir string) (*home, error) {
	h := &home{program: o.Program, dir: filepath.Join(dir, "home"), data: filepath.Join(dir, "data", "stemma"),
		env: loop.Environment(dir, o.Getenv), serving: o.Serving}
	for _, d := range []string{h.dir, h.data} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, fmt.Errorf("bench: %w", err)
		}
	}
	return h, nil
}

func (h *home) store() string { return filepath.Join(h.data, "memory.db") }

// run runs the program with the person's own store; what it prints is not kept.
func (h *home) run(ctx context.Context, args ...string) error {
	_, err := h.used(ctx, io.Discard, args...)
	return err
}

// A cost is what one run of the program took.
type cost struct {
	processor, clock time.Duration
	server           time.Duration // processor time of a PostgreSQL server
	peak             int64         // bytes of memory; 0 where the system does not say
	printed          int64         // bytes
	exit             int
}

// used runs the program and returns what it took. Where it ends with an error, so does this, with
// the last line that it printed.
func (h *home) used(ctx context.Context, out io.Writer, args ...string) (c cost, err error) {
	which := []string{"--user"}
	if h.server != "" {
		which = []string{"--store", h.server}
	}
	cmd := exec.CommandContext(ctx, h.program, append(which, args...)...)
	if len(args) == 1 && strings.HasPrefix(args[0], "--") {
		cmd.Args = append(cmd.Args[:1], args...)
	}
	var said bytes.Buffer
	count := &counter{to: out}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = h.dir, h.env, count, &said
	began, before := time.Now(), family(h.serving)
	err = cmd.Run()
	if state := cmd.ProcessState; state != nil {
		c = cost{processor: state.UserTime() + state.SystemTime(), server: family(h.serving) - before,
			clock: time.Since(began), peak: peak(state), printed: count.n, exit: state.ExitCode()}
	}
	if err != nil && ctx.Err() == nil {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		err = fmt.Errorf("bench: stemma %s: %w: %s", strings.Join(args, " "), err, lines[len(lines)-1])
	}
	return c, errors.Join(err, ctx.Err())
}

// counter counts what passes through it.
type counter struct {
	to io.Writer
	n  int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return c.to.Write(p)
}
