package sqlstore

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	csize "modernc.org/libc/sys/types"
	sqlite3 "modernc.org/sqlite/lib"
)

// SQLite asks for 4,368 bytes for each page that it keeps: a page and what it knows of it. The allocator of its port to
// Go gives it 8,192, so that half of the memory of every cache is unused, and the kernel makes three pages of its own
// for one of SQLite's. Here such pieces lie beside each other. All others are the allocator's, as they are by default.

// The pieces that lie beside each other, in bytes. Those of a chunk fit into a power of two.
const (
	leastPiece = pageSize
	mostPiece  = pageSize + 288
	sizeBytes  = 8 // before each piece: twice its size, and
	ownPiece   = 1 // whether it is of a chunk
	stride     = mostPiece + sizeBytes
	chunkBytes = 512<<10 - 1<<10
)

// pieces are what chunks have.
var pieces struct {
	sync.Mutex
	free uintptr // the first piece that is free, which has the address of the next
	rest uintptr // what no one had yet
	end  uintptr
}

// usePieces gives SQLite its memory. It is called before SQLite begins; if it is late, nothing changes.
var usePieces = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	of := sqlite3.Tsqlite3_mem_methods{
		FxMalloc: entryOf(takePiece), FxFree: entryOf(freePiece), FxRealloc: entryOf(resizePiece),
		FxSize: entryOf(sizeOfPiece), FxRoundup: entryOf(roundUp), FxInit: entryOf(begin), FxShutdown: entryOf(end),
	}
	methods := libc.Xmalloc(tls, csize.Size_t(unsafe.Sizeof(of)))
	args := libc.Xmalloc(tls, csize.Size_t(unsafe.Sizeof(methods)))
	if methods == 0 || args == 0 {
		return
	}
	*(*sqlite3.Tsqlite3_mem_methods)(at(methods)) = of
	sqlite3.Xsqlite3_config(tls, sqlite3.SQLITE_CONFIG_MALLOC, libc.VaList(args, methods))
	libc.Xfree(tls, args)
	libc.Xfree(tls, methods) // SQLite has a copy
})

// entryOf returns a declared function as the port calls it.
func entryOf[F any](f F) uintptr { return **(**uintptr)(unsafe.Pointer(&struct{ f *F }{&f})) }

// at is memory that is not Go's.
func at(p uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

func word(p uintptr) *uintptr { return (*uintptr)(at(p)) }

func takePiece(tls *libc.TLS, n int32) uintptr {
	size, mark := uintptr(n), uintptr(0)
	var p uintptr
	if size > leastPiece && size <= mostPiece {
		p, mark = ofChunk(tls), ownPiece
	} else {
		p = libc.Xmalloc(tls, csize.Size_t(size+sizeBytes))
	}
	if p == 0 {
		return 0
	}
	*word(p) = size<<1 | mark
	return p + sizeBytes
}

// ofChunk returns a piece of a chunk.
func ofChunk(tls *libc.TLS) uintptr {
	pieces.Lock()
	defer pieces.Unlock()
	p := pieces.free
	if p != 0 {
		pieces.free = *word(p)
		return p
	}
	if pieces.rest == pieces.end {
		chunk := libc.Xmalloc(tls, chunkBytes)
		if chunk == 0 {
			return 0
		}
		pieces.rest, pieces.end = chunk, chunk+chunkBytes/stride*stride
	}
	p = pieces.rest
	pieces.rest += stride
	return p
}

func freePiece(tls *libc.TLS, p uintptr) {
	p -= sizeBytes
	if *word(p)&ownPiece == 0 {
		libc.Xfree(tls, p)
		return
	}
	pieces.Lock()
	defer pieces.Unlock()
	*word(p) = pieces.free
	pieces.free = p
}

func resizePiece(tls *libc.TLS, p uintptr, n int32) uintptr {
	was := *word(p - sizeBytes)
	if was&ownPiece == 0 && (n <= leastPiece || n > mostPiece) {
		if p = libc.Xrealloc(tls, p-sizeBytes, csize.Size_t(n)+sizeBytes); p == 0 {
			return 0
		}
		*word(p) = uintptr(n) << 1
		return p + sizeBytes
	}
	to := takePiece(tls, n)
	if to != 0 {
		libc.Xmemcpy(tls, to, p, csize.Size_t(min(uintptr(n), was>>1)))
		freePiece(tls, p)
	}
	return to
}

func sizeOfPiece(_ *libc.TLS, p uintptr) int32 {
	if p == 0 {
		return 0
	}
	return int32(*word(p - sizeBytes) >> 1)
}

func roundUp(_ *libc.TLS, n int32) int32 { return (n + 7) &^ 7 }

func begin(*libc.TLS, uintptr) int32 { return sqlite3.SQLITE_OK }

func end(*libc.TLS, uintptr) {}
