package codec

import "github.com/stemma-memory/stemma/internal/atrest"

// Where things lie. SQLite sees a plain file; on the disk each page of it is a record of its own:
// a nonce, the page encrypted, and a tag, which is bound to the place of the page. So no page
// touches bytes of another, and what was flushed stays as it is while its neighbour is written.
const (
	pageSize  = 4096 // of every store we make
	nonceSize = 24
	overhead  = nonceSize + 16

	// The main file: a head, then pages. Around SQLite's lock byte is a hole, since on Windows
	// what is locked cannot be read.
	pageRecord = pageSize + overhead
	lockByte   = 0x40000000
	holeSize   = 8192
	holeAt     = (lockByte - atrest.HeadSize) / pageRecord // the first page behind it

	// The write-ahead log: its head, then frames, each of a head and a page.
	logHead       = 32
	logHeadRecord = logHead + overhead + 8 // a multiple of 16
	frameHead     = 24
	frameSize     = frameHead + pageSize
	headRecord    = frameHead + overhead
	frameRecord   = headRecord + pageRecord
)

// A place is one record of a file.
type place struct {
	from int64  // of its plain bytes, as SQLite counts them
	size int    // of these
	at   int64  // of the record in the file
	no   uint64 // which one it is, in what is authenticated
}

// A layout says where the plain bytes of a file are.
type layout interface {
	find(off int64) place
	// plainSize is how long a file is for SQLite; fullSize is how long one must be for that.
	plainSize(full int64) int64
	fullSize(plain int64) int64
}

type mainLayout struct{}

func (mainLayout) find(off int64) place {
	n := off / pageSize
	at := atrest.HeadSize + n*pageRecord
	if n >= holeAt {
		at += holeSize
	}
	return place{n * pageSize, pageSize, at, uint64(n)}
}

func (l mainLayout) plainSize(full int64) int64 {
	n := (full - atrest.HeadSize) / pageRecord
	if n >= holeAt {
		n = max(holeAt, (full-atrest.HeadSize-holeSize)/pageRecord)
	}
	return max(n, 0) * pageSize
}

func (l mainLayout) fullSize(plain int64) int64 {
	if plain <= 0 {
		return atrest.HeadSize
	}
	return l.find(plain-1).at + pageRecord
}

type logLayout struct{}

func (logLayout) find(off int64) place {
	if off < logHead {
		return place{0, logHead, 0, 0}
	}
	n := (off - logHead) / frameSize
	from, at := logHead+n*frameSize, logHeadRecord+n*frameRecord
	if off-from < frameHead {
		return place{from, frameHead, at, uint64(2*n + 1)}
	}
	return place{from + frameHead, pageSize, at + headRecord, uint64(2*n + 2)}
}

func (logLayout) plainSize(full int64) int64 {
	if full < logHead+overhead {
		return 0
	}
	rest := max(full-logHeadRecord, 0)
	size := logHead + rest/frameRecord*frameSize
	if rest%frameRecord >= headRecord {
		size += frameHead
	}
	return size
}

func (l logLayout) fullSize(plain int64) int64 {
	if plain <= 0 {
		return 0
	}
	p := l.find(plain - 1)
	if p.from == 0 {
		return logHeadRecord
	}
	return p.at + int64(p.size) + overhead
}
