package proof

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/ledger"
)

// A Head is how far the log of a space was verified, with the tree over it.
type Head struct {
	Tree ledger.Frontier
}

type headsOnDisk struct {
	Store  string            `json:"store"`
	Spaces map[string][]byte `json:"spaces"` // a Frontier
	Mark   []byte            `json:"mark,omitempty"`
}

// Heads gives the name of the store, "" where nothing was written down, and how far
// the log of each space was verified.
func (b *Book) Heads() (store string, heads map[string]Head, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	path := filepath.Join(b.dir, headsFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", map[string]Head{}, readable(err)
	}
	var disk headsOnDisk
	if json.Unmarshal(raw, &disk) != nil {
		return "", nil, edited(path)
	}
	mark := disk.Mark
	disk.Mark = nil
	if !b.seal.Is(mark, "proof heads", b.name, marshal(disk)) {
		return "", nil, edited(path)
	}
	heads = make(map[string]Head, len(disk.Spaces))
	for name, tree := range disk.Spaces {
		var h Head
		if h.Tree.UnmarshalBinary(tree) != nil {
			return "", nil, edited(path)
		}
		heads[name] = h
	}
	return disk.Store, heads, nil
}

// SetHeads remembers how far the logs were verified. Of two who do so at once the
// one that knows less may win: the rest is read again.
func (b *Book) SetHeads(store string, heads map[string]Head) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	disk := headsOnDisk{Store: store, Spaces: make(map[string][]byte, len(heads))}
	for name, h := range heads {
		raw, err := h.Tree.MarshalBinary()
		if err != nil {
			return err
		}
		disk.Spaces[name] = raw
	}
	m := b.seal.Mark("proof heads", b.name, marshal(disk))
	disk.Mark = m[:]
	return replace(filepath.Join(b.dir, headsFile), func(w io.Writer) error {
		_, err := w.Write(marshal(disk))
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
