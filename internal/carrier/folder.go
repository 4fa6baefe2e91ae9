// Package carrier takes records between stores where there is no hub: through a
// folder that something else copies about, or through a pipe to another stemma.
package carrier

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/envelope"
	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// Names in a folder. Each store has a directory of its own there and writes nowhere
// else, so that copies of the folder never conflict.
const (
	storeFile  = "store.json"
	keysFile   = "keys.jsonl"
	spaceFile  = "space"
	headFile   = "head.json"
	bundleTail = ".jsonl"
)

// Folder opens a folder as the peers of a store: one that keeps what it gives, and
// one for every other store that wrote there.
func Folder(_ context.Context, dir string, self peer.Self) ([]peer.Endpoint, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the folder %s does not exist: create it, or connect its drive", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is no folder", dir)
	}
	if !plain(self.Store) {
		return nil, fmt.Errorf("the store has no name that a directory can have: %q", self.Store)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	own := &stored{base: base(dir), dir: self.Store, who: who{Name: self.Store, Key: self.Key}, self: &self}
	// what it gave it takes back too: it may have been restored from a backup
	out := []peer.Endpoint{{Remote: own, Gives: true, Takes: true, Whole: true}}
	for _, e := range entries {
		if !e.IsDir() || !plain(e.Name()) || e.Name() == self.Store {
			continue
		}
		s := &stored{base: base(dir), dir: e.Name()}
		err := s.readJSON(filepath.Join(s.dir, storeFile), &s.who)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not ours, or not copied yet
		}
		if err == nil && s.who.Name != e.Name() {
			err = fmt.Errorf("%s says that it is the store %q", s.path(s.dir), shorten.To(s.who.Name, 80))
		}
		if err != nil { // half copied, or spoilt: it keeps none of the others away
			out = append(out, peer.Endpoint{Remote: spoilt{err: err}, Name: e.Name(), Takes: true, Whole: true})
			continue
		}
		own.others = append(own.others, s)
		out = append(out, peer.Endpoint{Remote: s, Name: s.who.Name, Takes: true, Whole: true})
	}
	return out, nil
}

// plain reports whether a name is one of a store: hex digits.
func plain(name string) bool {
	_, err := hex.DecodeString(name)
	return err == nil && name != ""
}

// spoilt is a directory of which it cannot be read whose it is.
type spoilt struct {
	peer.Remote // which is never asked: an exchange begins with Hello
	err         error
}

// Hello says what is wrong.
func (s spoilt) Hello(context.Context, peer.Hello) (peer.Welcome, error) {
	return peer.Welcome{}, s.err
}

// who is a store in a folder.
type who struct {
	Name string `json:"name"`
	Key  string `json:"key"` // did:key that signs what its logs are
}

// stored is the directory of one store, as a peer. What stands in it is believed no
// more than what any peer says.
type stored struct {
	base
	who
	dir    string     // below the folder
	self   *peer.Self // nil is another's
	others []*stored
	logs   map[string]*log // by space, as far as they were read
	keys   map[memory.ID][]byte
}

// log is one log as it was read: its lines, by position.
type log struct {
	ids   []memory.ID
	lines [][]byte
	at    map[memory.ID]int
}

// spaceDir returns the directory of a space: names of spaces are no names of files.
func (s *stored) spaceDir(space string) string {
	sum := sha256.Sum256([]byte(space))
	const enough = 16
	return filepath.Join(s.dir, hex.EncodeToString(sum[:enough]))
}

// Hello reads the heads, and no record.
func (s *stored) Hello(_ context.Context, in peer.Hello) (peer.Welcome, error) {
	w := peer.Welcome{
		Version: peer.Version, Name: s.Name, Key: s.Key, Any: s.self != nil, Lines: peer.MostLines,
	}
	role := peer.Reader
	if s.self != nil {
		role = peer.Writer
	}
	entries, err := s.list(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return w, nil
	}
	if err != nil {
		return w, err
	}
	about, err := s.keyIDs()
	if err != nil {
		return w, err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		one := peer.Shared{Role: role}
		name, err := s.base.read(filepath.Join(s.dir, e.Name(), spaceFile), mostSmall)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return w, err
		}
		if one.Space = string(name); s.spaceDir(one.Space) != filepath.Join(s.dir, e.Name()) {
			return w, fmt.Errorf(
				"%s says that it is of the space %q", s.path(filepath.Join(s.dir, e.Name())),
				shorten.To(one.Space, 200),
			)
		}
		if one.Head, err = s.head(one.Space); err != nil {
			return w, err
		}
		if len(about) > 0 {
			one.Keys = peer.DigestIDs(about) // of what Keys names: who takes compares them
		}
		w.Spaces = append(w.Spaces, one)
	}
	return w, nil
}

func (s *stored) head(space string) (peer.Head, error) {
	var h peer.Head
	err := s.readJSON(filepath.Join(s.spaceDir(space), headFile), &h)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	return h, err
}

// read reads a log whole. Lines after those that the head speaks of came after it was
// written, and are of the next.
func (s *stored) read(space string) (*log, error) {
	if l := s.logs[space]; l != nil {
		return l, nil
	}
	l := &log{at: make(map[memory.ID]int)}
	entries, err := s.list(s.spaceDir(space))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries { // in the order of their names, which is that of the log
		first, bundle := bundleAt(e.Name())
		if !bundle {
			continue // what other programs leave beside it is not ours
		}
		if name := filepath.Join(s.spaceDir(space), e.Name()); first != len(l.ids) {
			return nil, fmt.Errorf(
				"%s: the log goes on at %d, not here: a file is missing, or not copied yet", s.path(name),
				len(l.ids),
			)
		} else if err := s.eachLine(name, func(line []byte) {
			id := idOf(line)
			l.at[id] = len(l.ids)
			l.ids, l.lines = append(l.ids, id), append(l.lines, line)
		}); err != nil {
			return nil, err
		}
	}
	if s.logs == nil {
		s.logs = make(map[string]*log)
	}
	s.logs[space] = l
	return l, nil
}

// bundleName names the bundle that begins at a position of the log.
func bundleName(first int) string { return fmt.Sprintf("%012d%s", first, bundleTail) }

// bundleAt reads the name of a bundle.
func bundleAt(name string) (first int, ok bool) {
	digits, _ := strings.CutSuffix(name, bundleTail)
	first, err := strconv.Atoi(digits)
	return first, err == nil && first >= 0 && bundleName(first) == name
}

// idOf returns the id that a line claims: whether it is signed is for whoever takes it.
func idOf(line []byte) memory.ID {
	if ref, gone := goneOf(line); gone {
		return ref.ID
	}
	var e struct{ Payload []byte }
	if err := json.Unmarshal(line, &e); err != nil {
		return memory.ID{}
	}
	return sha256.Sum256(e.Payload)
}

// Log returns a page of the log.
func (s *stored) Log(_ context.Context, in peer.LogRequest) (peer.LogPage, error) {
	var page peer.LogPage
	l, err := s.read(in.Space)
	if err != nil {
		return page, err
	}
	if page.Head, err = s.head(in.Space); err != nil {
		return page, err
	}
	size := page.Head.Size
	if size > int64(len(l.ids)) { // it may have grown since it was read
		delete(s.logs, in.Space)
		if l, err = s.read(in.Space); err != nil {
			return page, err
		}
	}
	if size > int64(len(l.ids)) {
		return page, fmt.Errorf(
			"%s has %d records of %d: not all files are copied yet", s.path(s.spaceDir(in.Space)), len(l.ids),
			size,
		)
	}
	if in.After > size || in.Held > size {
		return page, nil
	}
	end := min(in.After+int64(in.Limit), size)
	bytesIn := 0
	for i := in.After; i < end; i++ {
		e := peer.Entry{Ref: memory.Ref{ID: l.ids[i]}}
		if ref, gone := goneOf(l.lines[i]); gone {
			e.Ref, e.Skip = ref, peer.Gone
		} else if r, err := envelope.Parse(l.lines[i]); err == nil {
			e.Ref = r.Ref()
			switch {
			case !in.Filter.Chooses(r):
				e.Skip = peer.Filtered
			case in.Lines && bytesIn < peer.MostBytes:
				bytesIn += len(l.lines[i])
				page.Lines = append(page.Lines, l.lines[i])
			}
		}
		page.Entries = append(page.Entries, e)
	}
	if page.Page, err = l.prove(end, size); err != nil {
		return page, err
	}
	page.Held, err = l.prove(in.Held, size)
	return page, err
}

func (l *log) prove(old, size int64) ([]string, error) {
	if old == 0 || old >= size {
		return nil, nil
	}
	hashes := make([]ledger.Hash, size)
	for i := range hashes {
		hashes[i] = ledger.Hash(l.ids[i])
	}
	t, err := ledger.NewTree(ledger.IDs(hashes), size)
	if err != nil {
		return nil, err
	}
	p, err := t.Consistency(old, size)
	return p.Strings(), err
}

// Prove shows that the log grew.
func (s *stored) Prove(_ context.Context, in peer.ProveRequest) (peer.Proof, error) {
	l, err := s.read(in.Space)
	if err != nil {
		return peer.Proof{}, err
	}
	if in.Size > int64(len(l.ids)) {
		return peer.Proof{}, fmt.Errorf(
			"%s has %d records of %d: not all files are copied yet", s.path(s.spaceDir(in.Space)), len(l.ids),
			in.Size,
		)
	}
	p, err := l.prove(in.Old, in.Size)
	return peer.Proof{Hashes: p}, err
}

// Fetch returns lines as they stand in the files.
func (s *stored) Fetch(_ context.Context, in peer.Fetch) (peer.Lines, error) {
	var out peer.Lines
	l, err := s.read(in.Space)
	if err != nil {
		return out, err
	}
	if _, err := s.keyIDs(); err != nil {
		return out, err
	}
	size := 0
	for _, id := range in.IDs {
		line := s.keys[id]
		if at, ok := l.at[id]; ok {
			line = l.lines[at]
		}
		if _, gone := goneOf(line); gone {
			continue
		}
		if out.More = size >= peer.MostBytes; out.More {
			break
		}
		if size += len(line); json.Valid(line) {
			out.Lines = append(out.Lines, line)
		}
	}
	return out, nil
}

// Keys names the key records that lie beside the logs.
func (s *stored) Keys(context.Context, peer.KeysRequest) (peer.KeyList, error) {
	ids, err := s.keyIDs()
	return peer.KeyList{IDs: ids}, err
}

func (s *stored) keyIDs() ([]memory.ID, error) {
	if s.keys == nil {
		s.keys = make(map[memory.ID][]byte)
		err := s.eachLine(filepath.Join(s.dir, keysFile), func(line []byte) { s.keys[idOf(line)] = line })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	var out []memory.ID
	for id := range s.keys {
		out = append(out, id)
	}
	sorting.By(out, memory.ID.Compare)
	return out, nil
}

// Cosign is not for a folder: no one is there.
func (s *stored) Cosign(context.Context, peer.CosignRequest) (peer.Cosigned, error) {
	return peer.Cosigned{}, fmt.Errorf("%w: a folder signs nothing", peer.ErrDenied)
}
