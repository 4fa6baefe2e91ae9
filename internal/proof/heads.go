package proof

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/ledger"
)

// A Head is how far the log of a space was verified, with the tree over it.
type Head struct {
	Tree ledger.Frontier
}

type headsOnDisk struct {
	Store   string            `json:"store"`
	Spaces  map[string][]byte `json:"spaces"`            // a Frontier
	Records int64             `json:"records,omitempty"` // that were verified when it was written
	Mark    []byte            `json:"mark,omitempty"`
}

// Heads takes in what others added, and gives the name of the store, "" where nothing
// was written down, and how far the log of each space was verified. It is ErrCut where
// the book knows less than it did then, and where the file is no JSON: it is not synced,
// so a machine that stops may leave it empty, or a part of it. That gives no one more
// than to take the file away would.
func (b *Book) Heads() (store string, heads map[string]Head, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	disk, err := b.readHeads()
	if err != nil {
		return "", nil, err
	}
	heads = make(map[string]Head, len(disk.Spaces))
	for name, tree := range disk.Spaces {
		var h Head
		if h.Tree.UnmarshalBinary(tree) != nil {
			return "", nil, edited(filepath.Join(b.dir, headsFile))
		}
		heads[name] = h
	}
	if err := b.whole(disk.Records); err != nil {
		return "", nil, err
	}
	return disk.Store, heads, nil
}

// ErrCut says that records which were verified are not remembered any more: the
// machine stopped before they were written.
var ErrCut = errors.New("part of this store's verification record is missing")

// whole looks whether as many records are known as were when the heads were written.
func (b *Book) whole(records int64) error {
	if err := b.refresh(); err != nil {
		return err
	}
	if b.count() < records {
		b.forget() // somebody may have merged just then
		if err := b.begin(); err != nil {
			return err
		}
	}
	if b.count() < records {
		return ErrCut
	}
	return nil
}

func (b *Book) readHeads() (headsOnDisk, error) {
	path := filepath.Join(b.dir, headsFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return headsOnDisk{}, readable(err)
	}
	var disk headsOnDisk
	if !json.Valid(raw) {
		return disk, ErrCut // the power failed before its bytes were on the disk
	}
	if json.Unmarshal(raw, &disk) != nil || disk.Spaces == nil {
		return disk, edited(path)
	}
	mark := disk.Mark
	disk.Mark = nil
	if !b.seal.Is(mark, "proof heads", b.name, marshal(disk)) {
		return disk, edited(path)
	}
	return disk, nil
}

// SetHeads remembers how far the logs were verified. Of two who do so at once the
// one that knows less may win: the rest is read again.
func (b *Book) SetHeads(store string, heads map[string]Head) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.begin(); err != nil {
		return err
	}
	if err := b.flush(); err != nil { // what stands before a head is not looked at again
		return err
	}
	disk := headsOnDisk{Store: store, Spaces: make(map[string][]byte, len(heads)), Records: b.count()}
	for name, h := range heads {
		raw, err := h.Tree.MarshalBinary()
		if err != nil {
			return err
		}
		disk.Spaces[name] = raw
	}
	m := b.seal.Mark("proof heads", b.name, marshal(disk))
	disk.Mark = m[:]
	return replace(filepath.Join(b.dir, headsFile), func(f *os.File) error {
		_, err := f.Write(marshal(disk))
		return err
	})
}

func marshal(v headsOnDisk) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("proof: " + err.Error()) // a map of bytes can be written
	}
	return raw
}
