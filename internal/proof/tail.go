package proof

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
)

// Names of what a book is made of on disk.
const (
	baseFile  = "base"
	tailFile  = "tail"
	headsFile = "heads"
)

const (
	dirMode  = 0o700
	fileMode = 0o600

	tailMark = 16
	// What the tail may hold before it is merged into the base: as much as is read in
	// a millisecond or two, since for each entry a page of the base is checked; or a part
	// of a great base.
	mostTail  = 16 << 10
	baseParts = 64
)

// mostPending is how many bytes of entries wait to be written: writing each by itself
// would cost a capture more than a book is worth.
const mostPending = 4 << 10

// Add remembers records that were verified. They are written behind the tail some at a
// time, and not synced: what a crash loses is verified again.
func (b *Book) Add(entries []Entry) error {
	if len(entries) == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range entries {
		b.pending = appendEntry(b.pending, &entries[i])
	}
	if b.begun { // else all is read when something is asked
		for i := range entries {
			if err := b.take(&entries[i]); err != nil {
				return err
			}
		}
	}
	if len(b.pending) < mostPending {
		return nil
	}
	return b.flush()
}

// Flush writes what waits to be written.
func (b *Book) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.flush()
}

func (b *Book) flush() error {
	if len(b.pending) == 0 {
		return nil
	}
	body := b.pending
	mark := b.seal.Mark("proof tail", b.name, body)
	out := binary.BigEndian.AppendUint32(make([]byte, 0, len(body)+4+tailMark), uint32(len(body)))
	out = append(append(out, mark[:tailMark]...), body...)

	file, err := os.OpenFile(filepath.Join(b.dir, tailFile), os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(b.dir, dirMode); err == nil {
			file, err = os.OpenFile(filepath.Join(b.dir, tailFile), os.O_RDWR|os.O_APPEND|os.O_CREATE, fileMode)
		}
	}
	if err != nil {
		return err
	}
	if err := lock(file, false); err != nil {
		return errors.Join(err, file.Close())
	}
	_, err = file.Write(out)
	if err = errors.Join(err, file.Close()); err == nil {
		b.pending = nil
	}
	return err
}

func appendEntry(out []byte, e *Entry) []byte {
	out = append(out, e.ID[:]...)
	keys := byte(0)
	if e.Keys {
		keys = 1
	}
	out = append(out, keys)
	out = binary.BigEndian.AppendUint16(out, uint16(len(e.Of)))
	for _, ref := range e.Of {
		out = append(out, byte(len(ref.Kind)))
		out = append(out, ref.Kind...)
		out = append(out, ref.ID[:]...)
	}
	return out
}

// Settle merges the tail into the base where it has grown long.
func (b *Book) Settle() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.flush(); err != nil {
		return err
	}
	path := filepath.Join(b.dir, tailFile)
	info, err := os.Stat(path)
	if err != nil {
		return readable(err)
	}
	most := int64(mostTail)
	if base, err := os.Stat(filepath.Join(b.dir, baseFile)); err == nil { // about as much as its entries
		most = max(most, base.Size()/baseParts)
	}
	if info.Size() < most {
		return nil
	}
	return b.merge(path)
}

func (b *Book) merge(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, fileMode)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := lock(file, true); err != nil {
		return err
	}
	b.forget() // somebody may have merged meanwhile
	if err := b.readAll(); err != nil {
		return err
	}
	if err := b.base.write(filepath.Join(b.dir, baseFile), b); err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	b.forget()
	return nil
}
