package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// askPage starts a server, reads the first view of the page with its queue, and ends it. Time and memory
// are the server's from its start to its end.
func (h *home) askPage(ctx context.Context) (v Verb, err error) {
	where := []string{"--user"}
	if h.server != "" {
		where = []string{"--store", h.server}
	}
	cmd := exec.CommandContext(ctx, h.program, append(where, "serve", "--addr", "127.0.0.1:0")...)
	cmd.Dir, cmd.Env = h.dir, append(h.env[:len(h.env):len(h.env)], "STEMMA_EMBEDDER=none") // no vectors meanwhile
	out, err := cmd.StdoutPipe()
	if err != nil {
		return v, fmt.Errorf("bench: %w", err)
	}
	began, before := time.Now(), family(h.serving)
	if err := cmd.Start(); err != nil {
		return v, fmt.Errorf("bench: %w", err)
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		v.Printed, err = h.view(ctx, strings.TrimSpace(url)+"/ui/front")
	}
	if err != nil {
		v.Failed = err.Error()
	}
	v.Clock = ms(time.Since(began))
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait() // it was interrupted
	v.Server = ms(family(h.serving) - before)
	ended := cmd.ProcessState
	v.Processor, v.Peak = ms(ended.UserTime()+ended.SystemTime()), float64(peak(ended))/1e6
	return v, ctx.Err()
}

// view reads the first view as its owner, and returns how many bytes it has.
func (h *home) view(ctx context.Context, url string) (int64, error) {
	token, err := os.ReadFile(filepath.Join(h.data, "server", "owner.token"))
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	n, err := io.Copy(io.Discard, reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("the page answers %s", reply.Status)
	}
	return n, err
}
