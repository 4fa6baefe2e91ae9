package core

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/store"
)

// trees are the roots of the blocks of each log, by its space. They can be computed again: what is remembered counts
// only where it leads to the root that the store keeps.
type trees struct {
	mu     sync.Mutex
	blocks map[string][]ledger.Hash
}

// kept is the directory in which such roots are kept; "" keeps them in memory.
type kept struct {
	dir      string
	readOnly bool
}

// of returns the tree over a log of a store, with its root, and reads no more of the log than is new since it was
// asked last.
func (ts *trees) of(
	ctx context.Context, in store.Store, space string, disk kept,
) (*ledger.Tree, ledger.Hash, error) {
	f, err := in.Tree(ctx, space)
	if err != nil {
		return nil, ledger.Hash{}, err
	}
	name, err := in.StoreName(ctx)
	if err != nil {
		return nil, ledger.Hash{}, err
	}
	source, root := idsOf(ctx, in, space, f.Size()), f.Root()
	ts.mu.Lock()
	defer ts.mu.Unlock()
	key := name + "/" + space
	known := ts.blocks[key]
	if known == nil {
		known = disk.blocks(key)
	}
	t, err := leadsTo(root, source, known, f.Size())
	if err != nil && len(known) > 0 { // it was of another log
		known = nil
		t, err = leadsTo(root, source, nil, f.Size())
	}
	if err != nil {
		return nil, root, err
	}
	if blocks := t.Blocks(); len(blocks) > len(known) {
		if ts.blocks == nil {
			ts.blocks = make(map[string][]ledger.Hash)
		}
		ts.blocks[key] = blocks
		disk.keep(key, blocks)
	}
	return t, root, nil
}

// leadsTo makes a tree of size ids that has a root.
func leadsTo(root ledger.Hash, source ledger.Source, known []ledger.Hash, size int64) (*ledger.Tree, error) {
	t, err := ledger.Resume(source, known, size)
	if err != nil {
		return nil, err
	}
	switch is, err := t.Root(size); {
	case err != nil:
		return nil, err
	case is != root:
		return nil, fmt.Errorf("%w: the tree kept of a log is of other records", store.ErrDamaged)
	}
	return t, nil
}

// How many ids of a log are read at a time: many where the whole log is read, and what was asked for of the rest, of
// which some pages are kept.
const treePage, mostPages = 8192, 256

// idsOf gives a tree the ids of a log.
func idsOf(ctx context.Context, in store.Store, space string, size int64) ledger.Source {
	pages := make(map[int64][]ledger.Hash)
	next := int64(0) // where a reader of the whole log goes on
	var ahead []ledger.Hash
	read := func(from, to int64) ([]ledger.Hash, error) {
		changes, err := in.Since(ctx, space, store.Seq(from), int(to-from))
		if err != nil {
			return nil, err
		}
		page := make([]ledger.Hash, len(changes))
		for i, c := range changes {
			if int64(c.Seq) != from+int64(i)+1 {
				return nil, fmt.Errorf("%w: the log of %s has no place %d", store.ErrDamaged, space, from+int64(i)+1)
			}
			page[i] = ledger.Hash(c.ID)
		}
		return page, nil
	}
	return func(from, to int64) ([]ledger.Hash, error) {
		if page, held := pages[from]; held && int64(len(page)) == to-from {
			return page, nil
		}
		var err error
		if from == next && int64(len(ahead)) < to-from && to-from < size {
			if ahead, err = read(from, min(from+treePage, size)); err != nil {
				return nil, err
			}
		}
		if from == next && int64(len(ahead)) >= to-from {
			page := ahead[:to-from]
			next, ahead = to, ahead[to-from:]
			return page, nil
		}
		page, err := read(from, to)
		if err == nil && len(pages) < mostPages {
			pages[from] = page
		}
		return page, err
	}
}

func (k kept) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(k.dir, "trees", hex.EncodeToString(sum[:16]))
}

func (k kept) blocks(key string) []ledger.Hash {
	if k.dir == "" {
		return nil
	}
	raw, err := os.ReadFile(k.file(key))
	if err != nil || len(raw)%len(ledger.Hash{}) != 0 {
		return nil
	}
	out := make([]ledger.Hash, len(raw)/len(ledger.Hash{}))
	for i := range out {
		copy(out[i][:], raw[i*len(out[i]):])
	}
	return out
}

// keep writes them down. Where that fails, they are computed again.
func (k kept) keep(key string, blocks []ledger.Hash) {
	if k.dir == "" || k.readOnly {
		return
	}
	raw := make([]byte, 0, len(blocks)*len(ledger.Hash{}))
	for _, h := range blocks {
		raw = append(raw, h[:]...)
	}
	file := k.file(key)
	if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
		return
	}
	made, err := os.CreateTemp(filepath.Dir(file), "new")
	if err != nil {
		return
	}
	_, err = made.Write(raw)
	if err = errors.Join(err, made.Close()); err == nil {
		err = os.Rename(made.Name(), file)
	}
	if err != nil {
		_ = os.Remove(made.Name())
	}
}
