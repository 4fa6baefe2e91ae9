package proof

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"

	"github.com/stemma-memory/stemma/internal/ledger"
)

// A Head is how far the log of a space was verified, with the tree over it.
type Head struct {
	Tree ledger.Frontier
}

type headsOnDisk struct {
	Spaces map[string][]byte `json:"spaces"` // a Frontier
	Mark   []byte            `json:"mark,omitempty"`
}

// Heads gives how far the log of each space was verified.
func (b *Book) Heads() (map[string]Head, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.heads != nil {
		return maps.Clone(b.heads), nil
	}
	path := filepath.Join(b.dir, headsFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		return map[string]Head{}, readable(err)
	}
	var disk headsOnDisk
	if json.Unmarshal(raw, &disk) != nil {
		return nil, edited(path)
	}
	mark := disk.Mark
	disk.Mark = nil
	if !b.seal.Is(mark, "proof heads", b.name, marshal(disk)) {
		return nil, edited(path)
	}
	b.heads = make(map[string]Head, len(disk.Spaces))
	for name, tree := range disk.Spaces {
		var h Head
		if h.Tree.UnmarshalBinary(tree) != nil {
			return nil, edited(path)
		}
		b.heads[name] = h
	}
	return maps.Clone(b.heads), nil
}

// SetHeads remembers how far the logs were verified. Of two who do so at once the
// one that knows less may win: the rest is read again.
func (b *Book) SetHeads(heads map[string]Head) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	disk := headsOnDisk{Spaces: make(map[string][]byte, len(heads))}
	for name, h := range heads {
		raw, err := h.Tree.MarshalBinary()
		if err != nil {
			return err
		}
		disk.Spaces[name] = raw
	}
	m := b.seal.Mark("proof heads", b.name, marshal(disk))
	disk.Mark = m[:]
	err := replace(filepath.Join(b.dir, headsFile), func(w io.Writer) error {
		_, err := w.Write(marshal(disk))
		return err
	})
	if err == nil {
		b.heads = maps.Clone(heads)
	}
	return err
}

func marshal(v headsOnDisk) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("proof: " + err.Error()) // a map of bytes can be written
	}
	return raw
}
