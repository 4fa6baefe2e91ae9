package code

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/git"
)

const (
	maxFile     = 4 << 20  // bytes of a file that is looked at
	maxFolder   = 32 << 20 // bytes of a folder's list
	maxFailures = 3        // after which objects are not asked for any more
)

// objects reads a repository's objects through one git process, which is begun
// when it is first needed. Only object ids are ever asked for, never names that
// somebody chose: folders are read and walked here.
type objects struct {
	dir      string
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	stop     context.CancelFunc
	failures int
	folders  map[string]map[string]entry
}

// entry is what a folder says of one name.
type entry struct{ mode, id string }

// Kinds of what stands at a path.
type kind int

const (
	absent kind = iota
	regular
	link
	submodule
	folder
)

// place is what stands at a path of a commit.
type place struct {
	kind kind
	id   string // of the blob
	at   string // the part of the path that is a link or a submodule
}

var (
	errTooBig  = errors.New("it is too big")
	errMissing = errors.New("git does not have it")
	errGit     = errors.New("git stopped answering")
)

func (o *objects) start(ctx context.Context) error {
	ctx, o.stop = context.WithCancel(ctx)
	cmd, _ := git.Command(ctx, o.dir, "cat-file", "--batch")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	o.cmd, o.in, o.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// close ends the process, if there is one, and waits for it.
func (o *objects) close() {
	if o.stop != nil {
		o.stop()
	}
	if o.cmd != nil {
		_ = o.in.Close()
		_ = o.cmd.Wait() // it was ended by us
	}
	o.cmd, o.stop = nil, nil
}

// get reads one object. After an error that is not about the object itself the
// process is begun again, a few times.
func (o *objects) get(ctx context.Context, name, kind string, most int64) (id string, body []byte, err error) {
	if o.failures >= maxFailures {
		return "", nil, errGit
	}
	if o.cmd == nil {
		err = o.start(ctx)
	}
	if err == nil {
		id, body, err = o.request(name, kind, most)
	}
	if err != nil && !errors.Is(err, errMissing) && !errors.Is(err, errTooBig) {
		o.close()
		o.failures++
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}
	return id, body, err
}

func (o *objects) request(name, kind string, most int64) (id string, body []byte, err error) {
	if _, err := io.WriteString(o.in, name+"\n"); err != nil {
		return "", nil, fmt.Errorf("%w: %w", errGit, err)
	}
	header, err := o.out.ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("%w: %w", errGit, err)
	}
	parts := strings.Fields(header)
	if len(parts) == 2 && parts[0] == name {
		return "", nil, errMissing // missing, or an ambiguous short id
	}
	if len(parts) != 3 {
		return "", nil, errGit
	}
	size, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || size < 0 {
		return "", nil, errGit
	}
	if size > most || parts[1] != kind {
		if _, err := io.CopyN(io.Discard, o.out, size+1); err != nil {
			return "", nil, errGit
		}
		if parts[1] != kind {
			return "", nil, errMissing
		}
		return "", nil, errTooBig
	}
	body = make([]byte, size+1) // a line break follows
	if _, err := io.ReadFull(o.out, body); err != nil {
		return "", nil, errGit
	}
	return parts[0], body[:size], nil
}

// find walks from a commit's folder to what stands at a path.
func (o *objects) find(ctx context.Context, commit, path string) (place, error) {
	list, err := o.folder(ctx, commit+"^{tree}")
	walked := 0
	for name := range strings.SplitSeq(path, "/") {
		if err != nil {
			return place{}, err
		}
		walked += len(name) + 1
		there, ok := list[name]
		last := walked > len(path)
		switch {
		case !ok:
			return place{}, nil
		case there.mode == "120000":
			return place{kind: link, at: path[:walked-1]}, nil
		case there.mode == "160000":
			return place{kind: submodule, at: path[:walked-1]}, nil
		case there.mode == "40000" && last:
			return place{kind: folder}, nil
		case there.mode == "40000":
			list, err = o.folder(ctx, there.id)
		case last:
			return place{kind: regular, id: there.id}, nil
		default:
			return place{}, nil // a file where a folder was
		}
	}
	return place{}, err
}

func (o *objects) folder(ctx context.Context, name string) (map[string]entry, error) {
	if list, ok := o.folders[name]; ok {
		return list, nil
	}
	id, body, err := o.get(ctx, name, "tree", maxFolder)
	if err != nil {
		return nil, err
	}
	list := make(map[string]entry)
	for raw := len(id) / 2; len(body) > 0; {
		head, rest, ok := bytes.Cut(body, []byte{0})
		mode, name, named := strings.Cut(string(head), " ")
		if !ok || !named || len(rest) < raw {
			return nil, errGit
		}
		list[name] = entry{mode, hex.EncodeToString(rest[:raw])}
		body = rest[raw:]
	}
	if o.folders == nil {
		o.folders = make(map[string]map[string]entry)
	}
	o.folders[name] = list
	return list, nil
}
