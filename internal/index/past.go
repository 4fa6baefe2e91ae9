package index

import (
	"time"

	"github.com/stemma-memory/stemma/memory"
)

// pastMark is a term that every entry has. Its list has no distances: it is two bytes for each entry, so that one entry
// is read without the others. Each byte is below 0x80, so that a version that takes the list for one like all others
// reads numbers from it.
const pastMark = "=past"

const (
	pastBytes   = 2
	week        = 7 * 24 * time.Hour
	lastWeek    = 1<<12 - 1 // of those since 1970 that are told apart
	lowBits     = 7
	importedBit = 1 << 5 // of the first byte
)

// A Past says how a record came, and in which week what it says happened. It bounds what the factors of a record can
// be without reading the record. The zero Past knows nothing.
type Past struct {
	Known    bool
	Imported bool      // its words were somewhere else before
	Before   time.Time // it happened before that; zero is at any time
}

// past is a Past as a segment keeps it.
type past [pastBytes]byte

// anyPast bounds nothing.
var anyPast = pastOf(false, lastWeek)

func pastOf(imported bool, no int64) past {
	no = min(max(no, 0), lastWeek)
	p := past{byte(no >> lowBits), byte(no & (1<<lowBits - 1))}
	if imported {
		p[0] |= importedBit
	}
	return p
}

// PastOf returns what segments keep of a record: how it came, and when what it says happened.
func PastOf(imported bool, happened time.Time) [pastBytes]byte {
	return pastOf(imported, happened.Unix()/int64(week/time.Second))
}

// pastOfRecord is PastOf of a record that is read.
func pastOfRecord(r *memory.Record) past {
	at := r.Header.At
	if b, ok := r.Body.(*memory.Raw); ok && !b.OccurredAt.IsZero() {
		at = b.OccurredAt
	}
	return PastOf(r.Header.Origin == memory.OriginImport, at.Time())
}

// read returns what is kept.
func (p past) read() Past {
	out := Past{Known: true, Imported: p[0]&importedBit != 0}
	if no := int64(p[0]&(importedBit-1))<<lowBits | int64(p[1]); no < lastWeek {
		out.Before = time.Unix((no+1)*int64(week/time.Second), 0)
	}
	return out
}

// past returns what is known of an entry. Older versions may have left a list that is none.
func (v *View) past(entry int) Past {
	l := v.lists[pastMark]
	if l == nil || v.Aged || len(l.bytes) != pastBytes*v.head.Entries() {
		return Past{}
	}
	return past(l.bytes[pastBytes*entry:]).read()
}

// addPast adds what is kept of the next entry.
func (l *list) addPast(p past) {
	l.bytes = append(l.bytes, p[:]...)
	l.last, l.n = l.n, l.n+1
}

// joinPast appends what is kept of the entries of a later segment, which begins at base.
func (l *list) joinPast(next *list, base int) {
	l.bytes = append(l.bytes, next.bytes...)
	l.n, l.last = l.n+next.n, base+next.last
}
