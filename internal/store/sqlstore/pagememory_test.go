package sqlstore

import (
	"bytes"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"modernc.org/libc"
)

// Pieces of memory have the size that was asked for, keep what is written into them, and overlap no other, whoever
// takes, resizes and frees them at the same time.
func TestPiecesOfMemory(t *testing.T) {
	t.Parallel()
	const (
		workers = 4
		steps   = 3000
		held    = 64
	)
	type one struct {
		at   uintptr
		n    int
		with byte
	}
	bytesOf := func(o one) []byte { return unsafe.Slice((*byte)(at(o.at)), o.n) }
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			tls := libc.NewTLS()
			defer tls.Close()
			r := rand.New(rand.NewPCG(uint64(w), 1))
			size := func() int {
				if r.IntN(3) == 0 {
					return 1 + r.IntN(9000)
				}
				return leastPiece - 4 + r.IntN(mostPiece-leastPiece+8) // about the bounds
			}
			whole := func(o one) {
				if int(sizeOfPiece(tls, o.at)) != o.n {
					t.Errorf("a piece of %d bytes has the size %d", o.n, sizeOfPiece(tls, o.at))
				}
				if got := bytesOf(o); !bytes.Equal(got, bytes.Repeat([]byte{o.with}, len(got))) {
					t.Errorf("a piece of %d bytes was written by another", o.n)
				}
			}
			var have []one
			for step := range steps {
				if len(have) < held {
					o := one{n: size(), with: byte(step)}
					o.at = takePiece(tls, int32(o.n))
					copy(bytesOf(o), bytes.Repeat([]byte{o.with}, o.n))
					have = append(have, o)
				}
				i := r.IntN(len(have))
				whole(have[i])
				switch o := have[i]; r.IntN(3) {
				case 0:
					freePiece(tls, o.at)
					have[i] = have[len(have)-1]
					have = have[:len(have)-1]
				case 1:
					n := size()
					o.at = resizePiece(tls, o.at, int32(n))
					was := o.n
					o.n = min(was, n)
					if got := bytesOf(o); !bytes.Equal(got, bytes.Repeat([]byte{o.with}, len(got))) {
						t.Errorf("a piece that went from %d to %d bytes lost what was in it", was, n)
					}
					o.n = n
					copy(bytesOf(o), bytes.Repeat([]byte{o.with}, o.n))
					have[i] = o
				}
			}
			for _, o := range have {
				whole(o)
				freePiece(tls, o.at)
			}
		})
	}
	all.Wait()
}

// SQLite has its pages in pieces that lie beside each other.
func TestPagesAreInPieces(t *testing.T) {
	open(t, tempSQLite(t), Options{})
	pieces.Lock()
	defer pieces.Unlock()
	if pieces.end == 0 {
		t.Error("a store was opened, and no page is in a piece")
	}
}
