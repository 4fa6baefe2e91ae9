package proof

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/ledger"
	"github.com/stemma-memory/stemma/internal/seal"
	"github.com/stemma-memory/stemma/memory"
)

func id(n int) memory.ID {
	return sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(n)))
}

func belief(n int) memory.Ref { return memory.Ref{Kind: memory.KindBelief, ID: id(n)} }

func book(t testing.TB) (*Book, func() *Book) {
	t.Helper()
	dir := t.TempDir()
	s, err := seal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return Open(dir, s, "store"), func() *Book { return Open(dir, s, "store") }
}

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func add(t testing.TB, b *Book, entries ...Entry) {
	t.Helper()
	if err := b.Add(entries); err != nil {
		t.Fatal(err)
	}
}

// Whether it stands in the base or in the tail, and however often it was added, a
// claim counts once.
func TestWhatWasAddedIsKnown(t *testing.T) {
	b, again := book(t)
	const n = 20_000
	for from := 0; from < n; from += 2000 {
		var batch []Entry
		for i := from; i < from+2000; i++ {
			e := Entry{ID: id(i)}
			if i%10 == 0 && i > 0 {
				e.Of = []memory.Ref{belief(i / 400)}
			}
			batch = append(batch, e)
		}
		add(t, b, batch...)
		add(t, again(), batch[:3]...) // another process verified some, too
		if err := b.Settle(); err != nil {
			t.Fatal(err)
		}
	}
	add(t, b, Entry{ID: id(n), Of: []memory.Ref{belief(1)}}, Entry{ID: id(n + 1), Keys: true})
	want := b.Hash(id(n))
	for i := 400; i < 800; i += 10 {
		want = want.Plus(b.Hash(id(i)))
	}
	for _, b := range []*Book{b, again()} {
		for i := range n + 3 {
			if got := must2(t)(b.Sound(id(i))); got != (i < n+2) {
				t.Fatalf("Sound(%d) = %v", i, got)
			}
		}
		if got, err := b.Said(belief(1)); err != nil || got != want {
			t.Errorf("Said = %v, %v, want %v", got, err, want)
		}
		if got, err := b.Said(memory.Ref{Kind: memory.KindNote, ID: id(1)}); err != nil || got != (Sum{}) {
			t.Errorf("Said of another kind = %v, %v, want nothing", got, err)
		}
		if got, err := b.Said(AllKeys); err != nil || got != b.Hash(id(n+1)) {
			t.Errorf("Said of keys = %v, %v", got, err)
		}
	}
	info := must(t, first(os.Stat(filepath.Join(b.dir, baseFile))), nil)
	if info.Size() < n*entrySize/3 {
		t.Errorf("the base has %d bytes: the tail was never merged", info.Size())
	}
}

func first[T any](v T, _ error) T { return v }

func must2(t testing.TB) func(bool, error) bool {
	return func(v bool, err error) bool {
		t.Helper()
		return must(t, v, err)
	}
}

// What another process adds, or merges, is known with its heads.
func TestWhatOthersDidIsKnown(t *testing.T) {
	b, again := book(t)
	add(t, b, Entry{ID: id(1)})
	if !must2(t)(b.Sound(id(1))) {
		t.Fatal("what was added is not known")
	}
	other := again()
	many := make([]Entry, 10_000)
	for i := range many {
		many[i] = Entry{ID: id(100 + i)}
	}
	add(t, other, many...)
	if err := other.Settle(); err != nil {
		t.Fatal(err)
	}
	add(t, other, Entry{ID: id(2)})
	if err := other.SetHeads("store", nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.Heads(); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 100, 10_099} {
		if !must2(t)(b.Sound(id(n))) {
			t.Errorf("%d is not known", n)
		}
	}
}

// Where a crash took what was verified before the heads were written, that is told: it
// is not taken for a store from which records are missing.
func TestACutBookIsFoundByItsHeads(t *testing.T) {
	b, again := book(t)
	for i := range 300 {
		add(t, b, Entry{ID: id(i)})
	}
	if err := b.SetHeads("store", nil); err != nil {
		t.Fatal(err)
	}
	add(t, b, Entry{ID: id(300)}) // it waits: what stands behind the heads is looked at again
	if name, _, err := again().Heads(); err != nil || name != "store" {
		t.Fatalf("Heads = %q, %v", name, err)
	}
	path := filepath.Join(b.dir, tailFile)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{info.Size() - 1, info.Size() / 2, 3, 0} {
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		if _, _, err := again().Heads(); !errors.Is(err, ErrCut) {
			t.Errorf("cut to %d bytes: %v, want ErrCut", size, err)
		}
	}
}

// No byte of it can be changed by who has no seal: what was changed is an error, or
// is not known any more.
func TestEditedBooksLiftNothing(t *testing.T) {
	b, again := book(t)
	var all []Entry
	for i := range 10_000 {
		all = append(all, Entry{ID: id(i), Of: []memory.Ref{belief(i / 2)}})
	}
	add(t, b, all...)
	if err := b.Settle(); err != nil {
		t.Fatal(err)
	}
	add(t, b, Entry{ID: id(20_000), Of: []memory.Ref{belief(3)}})
	said := must(t, first(b.Said(belief(3))), nil)
	for _, name := range []string{baseFile, tailFile} {
		path := filepath.Join(b.dir, name)
		before := must(t, first(os.ReadFile(path)), nil)
		for at := 0; at < len(before); at += 1 + len(before)/97 {
			changed := append([]byte(nil), before...)
			changed[at] ^= 1
			if err := os.WriteFile(path, changed, fileMode); err != nil {
				t.Fatal(err)
			}
			b := again()
			got, err := b.Said(belief(3))
			if err != nil && !errors.Is(err, ErrEdited) {
				t.Fatalf("%s, byte %d: %v", name, at, err)
			}
			if err == nil && got != said && name == baseFile {
				t.Errorf("%s, byte %d: another sum is given for what it was", name, at)
			}
			if ok, err := b.Sound(id(1 << 30)); ok && err == nil {
				t.Errorf("%s, byte %d: what was never verified is known", name, at)
			}
		}
		if err := os.WriteFile(path, before, fileMode); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHeadsAreMarked(t *testing.T) {
	b, again := book(t)
	var h Head
	h.Tree.Append(ledger.Hash(id(1)), ledger.Hash(id(2)))
	if err := b.SetHeads("name", map[string]Head{"s": h}); err != nil {
		t.Fatal(err)
	}
	name, got, err := again().Heads()
	if err != nil || name != "name" || got["s"].Tree != h.Tree {
		t.Fatalf("Heads = %v, %v", got, err)
	}
	path := filepath.Join(b.dir, headsFile)
	raw := must(t, first(os.ReadFile(path)), nil)
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(path, raw, fileMode); err != nil {
		t.Fatal(err)
	}
	if _, _, err := again().Heads(); !errors.Is(err, ErrEdited) {
		t.Errorf("heads that were changed: %v, want ErrEdited", err)
	}
}

func BenchmarkColdLookups(b *testing.B) {
	bk, again := book(b)
	for from := 0; from < 100_000; from += 10_000 {
		var all []Entry
		for i := from; i < from+10_000; i++ {
			all = append(all, Entry{ID: id(i)})
		}
		add(b, bk, all...)
		if err := bk.Settle(); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		bk := again()
		for i := range 300 {
			if ok, err := bk.Sound(id(i * 333)); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	bk, _ := book(b)
	n := 0
	for b.Loop() {
		n++
		add(b, bk, Entry{ID: id(n)})
	}
}

// A machine that stops may leave of the heads nothing, or a part, or zeros: that is no
// edit by anybody, and all is verified again.
func TestHeadsThatThePowerCutOff(t *testing.T) {
	b, again := book(t)
	var h Head
	h.Tree.Append(ledger.Hash(id(1)), ledger.Hash(id(2)))
	if err := b.SetHeads("name", map[string]Head{"s": h}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(b.dir, headsFile)
	raw := must(t, first(os.ReadFile(path)), nil)
	for what, left := range map[string][]byte{
		"nothing": nil, "a part": raw[:len(raw)/2], "zeros": make([]byte, len(raw)),
		"zeros at the end": append(append([]byte(nil), raw[:40]...), make([]byte, len(raw)-40)...),
	} {
		if err := os.WriteFile(path, left, fileMode); err != nil {
			t.Fatal(err)
		}
		if _, _, err := again().Heads(); !errors.Is(err, ErrCut) {
			t.Errorf("%s left of the heads: %v, want ErrCut", what, err)
		}
	}
}
