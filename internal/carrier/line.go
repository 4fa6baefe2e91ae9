package carrier

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/stemma-memory/stemma/internal/shorten"
)

// goodbye is how long the other end may take to end once nothing more is asked of it.
const goodbye = 2 * time.Second

// What the program that reaches a machine ends with: ssh with 255 where it could not
// or can no longer, the shell there with 127 where it knows no such program.
const (
	codeUnreached = 255
	codeNotFound  = 127
)

// line is a running ssh.
type line struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.ReadCloser
	said lastWords

	once sync.Once
	err  error
}

// end hangs up, and gives how the program ended.
func (l *line) end() error {
	l.once.Do(func() {
		_ = l.in.Close()
		late := time.AfterFunc(goodbye, func() {
			_ = l.cmd.Process.Kill()
			_ = l.out.Close()
		})
		_, _ = io.Copy(io.Discard, l.out)
		late.Stop()
		l.err = l.cmd.Wait()
	})
	return l.err
}

// gone says why nothing more comes; err is what was noticed of it. Whoever looks later, at the state of a
// remote or a server's log, sees nothing of what the program itself said then.
func (l *line) gone(ctx context.Context, err error) error {
	ended := l.end()
	if ctx.Err() != nil {
		return fmt.Errorf("%w: it was not waited for any longer: %w", err, ctx.Err())
	}
	said := l.said.last()
	var exit *exec.ExitError
	if !errors.As(ended, &exit) {
		return err
	}
	switch exit.ExitCode() {
	case codeNotFound:
		return fmt.Errorf(
			"stemma was not found there (%s): a program that is called over ssh has a PATH without what a profile adds "+
				"to it; put stemma, or a link to it, in /usr/local/bin there",
			said,
		)
	case codeUnreached:
		return fmt.Errorf("ssh gave up: %s", said)
	case -1: // a signal
		return fmt.Errorf("%w: %w", err, ended)
	}
	return fmt.Errorf("the other end gave up (%w): %s", ended, said)
}

// lastWords passes on what is written to it, and remembers the end of that.
type lastWords struct {
	to io.Writer

	mu   sync.Mutex
	tail []byte
}

const mostWords = 2 << 10

func (w *lastWords) Write(p []byte) (int, error) {
	w.mu.Lock()
	w.tail = append(w.tail, p...)
	if more := len(w.tail) - mostWords; more > 0 {
		w.tail = append([]byte(nil), w.tail[more:]...)
	}
	w.mu.Unlock()
	return w.to.Write(p)
}

// last returns the last line that says something.
func (w *lastWords) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(w.tail), []byte("\n"))
	const enough = 200
	return shorten.To(strings.ToValidUTF8(string(bytes.TrimSpace(lines[len(lines)-1])), "?"), enough)
}
