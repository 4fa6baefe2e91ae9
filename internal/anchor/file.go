package anchor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/stemma-memory/stemma/internal/live"
	"github.com/stemma-memory/stemma/memory"
)

const (
	maxFile  = 64 << 20
	readSize = 256 << 10
)

// File anchors to a file below o.Dir. The name may be absolute if it leads there.
func File(ctx context.Context, name string, of memory.Ref, o Options) (*memory.Anchor, error) {
	if o.Dir == "" {
		return nil, invalid("a file needs a directory to be below")
	}
	if filepath.IsAbs(name) {
		base, err := filepath.Abs(o.Dir)
		if err == nil {
			name, err = filepath.Rel(base, name)
		}
		if err != nil {
			return nil, invalid("%q is not below the directory", name)
		}
	}
	rel, err := relative(filepath.ToSlash(name))
	if err != nil {
		return nil, err
	}
	read, err := readFile(ctx, o.Dir, rel, of.ID)
	if err != nil {
		return nil, err
	}
	if read.size == 0 {
		return nil, invalid("%q is empty", rel)
	}
	return sound(&memory.Anchor{Of: of, Type: typeFile, Reference: rel, SHA256: read.sha256,
		Size: read.size, MediaType: mediaType(mime.TypeByExtension(path.Ext(rel)))})
}

func checkFile(ctx context.Context, a *memory.Anchor, o Options, f *Finding) {
	rel, err := relative(a.Reference)
	if err != nil {
		f.say(Unverifiable, "%v", err)
		return
	}
	if o.Dir == "" {
		f.say(Unverifiable, "no directory at hand to look for the file in")
		return
	}
	read, err := readFile(ctx, o.Dir, rel, a.Of.ID)
	switch {
	case errors.Is(err, ErrNotFound):
		f.say(Gone, "%v", err)
	case errors.Is(err, ErrInvalid):
		f.say(Unverifiable, "%v", err)
	case err != nil:
		f.say(Unreachable, "%v", err)
	case a.SHA256 == "":
		f.say(Unverifiable, "the anchor does not say what was there")
	case read.sha256 != a.SHA256 || a.Size != 0 && a.Size != read.size:
		f.Bound = read.bound
		f.say(Changed, "the file has other bytes now")
	default:
		f.Bound = read.bound
		f.say(Verified, "the file has the same bytes")
	}
}

// relative holds the name of a file, with slashes, to the tree it is in. It is
// the same on every system, since an anchor may be read on another.
func relative(name string) (string, error) {
	clean := path.Clean(name)
	if name == "" || len(name) > maxURL || !utf8.ValidString(name) || clean == "." || path.IsAbs(clean) ||
		strings.ContainsAny(name, "\\\x00") || len(clean) > 1 && clean[1] == ':' || !filepath.IsLocal(
		filepath.FromSlash(clean),
	) {
		return "", invalid("%q is no name of a file below the directory", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return "", invalid("%q leads upward", name)
		}
	}
	return clean, nil
}

// content is what is kept of a file that was read through.
type content struct {
	sha256 string
	size   int64
	bound  bool // the file names the memory
}

// readFile reads a file through without keeping it.
func readFile(ctx context.Context, dir, rel string, id memory.ID) (content, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return content{}, fmt.Errorf("anchor: %w", err)
	}
	defer root.Close()
	f, err := openRegular(root, filepath.FromSlash(rel))
	if err != nil {
		return content{}, err
	}
	defer live.Close(f)
	var (
		hash   = sha256.New()
		want   = []byte(id.String())
		buf    = make([]byte, readSize)
		tail   int // bytes of the last piece before this one
		out    content
		limits = io.LimitReader(f, maxFile+1)
	)
	for ctx.Err() == nil {
		n, err := limits.Read(buf[tail:])
		hash.Write(buf[tail : tail+n])
		out.size += int64(n)
		seen := buf[:tail+n]
		out.bound = out.bound || bytes.Contains(seen, want)
		tail = copy(buf, seen[max(0, len(seen)-len(want)+1):])
		if out.size > maxFile {
			return content{}, invalid("%q: a file over %d MiB is refused", rel, maxFile>>20)
		}
		if err == io.EOF {
			out.sha256 = hex.EncodeToString(hash.Sum(nil))
			return out, nil
		}
		if err != nil {
			return content{}, fmt.Errorf("anchor: %w", err)
		}
	}
	return content{}, ctx.Err()
}

// openRegular opens a file that is one, and not a directory, a device or a pipe,
// and not outside the root by way of a link.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, invalid("%q is no regular file", name)
	}
	if err == nil && live.Has(info) {
		return nil, invalid("%q: %v", name, live.ErrOpen)
	}
	var f *os.File
	if err == nil { // looked at again when open: a pipe put there since must not hold us up
		f, err = root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, notFound("there is no file %q", name)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("anchor: %w", err)
	case err != nil:
		return nil, invalid("%v", err)
	}
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = live.Close(f) // it was not even read
		return nil, invalid("%q is no regular file", name)
	}
	return f, nil
}
