package code

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
	"github.com/stemma-memory/stemma/memory"
)

const (
	cacheVersion = 2        // before, the commit of a symbol was the newest of its file
	maxCache     = 32 << 20 // bytes of the file
	maxRemember  = 50_000   // refs, above which those of other HEADs are forgotten
)

// Cache remembers at which commit each ref was judged last, and how, in a small
// file. It holds only what was judged by committed bytes. It may be used by
// several goroutines at once. Without it checks only take longer: a file that
// cannot be read, or is not ours, is written again, and one that cannot be written
// is let be.
type Cache struct {
	path string

	mu   sync.Mutex
	refs map[string]remembered // nil before the file is read
}

// remembered is a finding by HEAD. What is as in the ref is left out.
type remembered struct {
	Head   string `json:"h"`
	Blob   string `json:"b,omitempty"` // "" where there was no file
	State  State  `json:"s"`
	Reason string `json:"r,omitempty"`
	Commit string `json:"c,omitempty"`
	By     string `json:"y,omitempty"`
	Path   string `json:"p,omitempty"`
	Start  int    `json:"f,omitempty"`
	End    int    `json:"t,omitempty"`
	SHA256 string `json:"n,omitempty"`
}

type cacheFile struct {
	Stemma int                   `json:"stemma_code"`
	Refs   map[string]remembered `json:"refs"`
}

// NewCache keeps a cache in a file, which need not exist.
func NewCache(path string) *Cache { return &Cache{path: path} }

// key stands for all of a ref that is judged.
func key(e memory.Evidence) string {
	var b []byte
	for _, s := range []string{
		e.Path, e.Symbol, strconv.Itoa(e.Start), strconv.Itoa(e.End), e.SHA256, e.Commit,
		strconv.FormatBool(e.Dirty),
	} {
		b = append(strconv.AppendInt(b, int64(len(s)), 10), ':')
		b = append(b, s...)
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:16])
}

func (c *Cache) load() {
	if c.refs != nil {
		return
	}
	c.refs = make(map[string]remembered)
	info, err := os.Lstat(c.path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCache {
		return
	}
	f, err := os.Open(c.path)
	if err != nil {
		return
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxCache))
	var read cacheFile
	if err != nil || json.Unmarshal(raw, &read) != nil || read.Stemma != cacheVersion {
		return
	}
	for k, r := range read.Refs {
		if r.sound() {
			c.refs[k] = r
		}
	}
}

var fullCommit = lazy.Regexp(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// sound says what this package may have written.
func (r remembered) sound() bool {
	known := r.State != Unknown && slices.Contains(order, r.State)
	return known && fullCommit.Get().MatchString(r.Head) && (r.Commit == "" || fullCommit.Get().MatchString(r.Commit)) &&
		(r.Blob != "" || r.State == Stale) && (r.State != Verified || r.SHA256 == "") &&
		(r.Path == "" || wrongPath(r.Path) == "") && shown(
		r.Reason, len(r.Reason),
	) == r.Reason && shown(r.By, len(r.By)) == r.By
}

// recall answers from the cache: at the same HEAD always; at another one where
// the very file that was judged still stands at the ref's path, and the commit
// that was named, if any, is still in the history.
func (l *look) recall(ctx context.Context, c *Cache, v *verdict) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	k := key(v.e)
	r, ok := c.refs[k]
	if !ok {
		return false
	}
	if r.Head != l.head {
		there, err := l.objects.find(ctx, l.head, v.e.Path)
		still := there.kind == regular && there.id == r.Blob || there.kind == absent && r.Blob == ""
		if err != nil || !still || r.Path != "" || r.State != Verified && !l.descends(ctx, r.Head) {
			return false
		}
		r.Head = l.head
		c.refs[k] = r
		l.learned = true
	}
	v.blob = r.Blob
	v.f = Finding{
		State: r.State, Reason: r.Reason, Commit: r.Commit, By: r.By, Path: r.Path, Start: r.Start, End: r.End,
		SHA256: r.SHA256,
	}
	if v.f.Path == "" {
		v.f.Path = v.e.Path
	}
	if v.f.State == Verified {
		v.f.SHA256 = v.e.SHA256
	}
	return true
}

// keep remembers what was found and writes the file, if there is anything new.
func (c *Cache) keep(l *look, fresh []*verdict) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.load()
	for _, v := range fresh {
		if v.fixed || v.foreign || l.silent && (v.gone || v.f.State != Verified) {
			continue
		}
		r := remembered{Head: l.head, Blob: v.blob, State: v.f.State, Reason: v.f.Reason, Commit: v.f.Commit, By: v.f.By,
			Path: v.f.Path, Start: v.f.Start, End: v.f.End, SHA256: v.f.SHA256}
		if r.Path == v.e.Path {
			r.Path = ""
		}
		if r.State == Verified {
			r.SHA256 = ""
		}
		if r.sound() {
			c.refs[key(v.e)] = r
			l.learned = true
		}
	}
	if !l.learned {
		return
	}
	if len(c.refs) > maxRemember {
		for k, r := range c.refs {
			if r.Head != l.head {
				delete(c.refs, k)
			}
		}
	}
	_ = c.write() // it is only a cache
}

// write replaces the file as a whole; new ones are ours alone to read.
func (c *Cache) write() error {
	raw, err := json.Marshal(cacheFile{cacheVersion, c.refs})
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(c.path), ".code-*")
	if err != nil {
		return err
	}
	_, err = f.Write(raw)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
