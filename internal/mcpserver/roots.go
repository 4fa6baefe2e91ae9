package mcpserver

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/stemma-memory/stemma/internal/engine"
)

// rootsPatience is how long a client may take to say which directories it works in.
const rootsPatience = 2 * time.Second

// A workplace is where the client on a pipe works, by what it calls its roots. It is asked once, and again when it
// says that they changed.
type workplace struct {
	sync.Mutex
	asked bool
	dir   string // the first of them; "" is not said
}

func (w *workplace) changed(context.Context, *mcp.RootsListChangedRequest) {
	w.Lock()
	defer w.Unlock()
	w.asked = false
}

// of returns the directory of a client, "" for one that does not say.
func (w *workplace) of(ctx context.Context, s *mcp.ServerSession) string {
	w.Lock()
	defer w.Unlock()
	if w.asked || s == nil {
		return w.dir
	}
	p := s.InitializeParams()
	//lint:ignore SA1019 hosts say by roots where they work, and by nothing else
	if p == nil || p.Capabilities == nil || p.Capabilities.RootsV2 == nil {
		return ""
	}
	ctx, stop := context.WithTimeout(ctx, rootsPatience)
	defer stop()
	w.asked, w.dir = true, ""
	//lint:ignore SA1019 see above
	list, err := s.ListRoots(ctx, nil)
	if err != nil {
		return ""
	}
	for _, root := range list.Roots {
		if dir := directoryOf(root.URI); dir != "" {
			w.dir = dir
			break
		}
	}
	return w.dir
}

// directoryOf is the directory that a URI names on this machine, "" for none.
func directoryOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return ""
	}
	path := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, `\`)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

// placed says where a caller on a pipe is: its space follows from that unless one was named.
func (f *face) placed(ctx context.Context, c *engine.Caller, a asker) {
	if f.o.Place == nil {
		return
	}
	if dir := f.at.of(ctx, a.session); dir != "" {
		c.Space, c.Place = f.o.Place(ctx, dir)
	}
}
