package state

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/stemma-memory/stemma/memory"
)

// A revocation that takes an appointment back, or hands a space over, says in its from which
// decisions hold: one line of "held" and the beginnings of their IDs. Which decisions count then
// follows from signed records alone, in whichever order they come to a store.

// heldLine begins that line. After it stands heldByLog where there are too many to name.
const (
	heldLine  = "held "
	heldByLog = "*"
)

// heldBytes is how much of an ID is named: no one makes another record with the same beginning.
const heldBytes = 12

// MostHeld is how many decisions a revocation can name.
const MostHeld = (memory.MaxText - len(heldLine)) / (heldBytes * 4 / 3)

// HeldLine returns what a revocation says of the decisions that hold. Where there are more than
// MostHeld, those count that came before the revocation, by each reader's log.
func HeldLine(ids []memory.ID) string {
	if len(ids) > MostHeld {
		return heldLine + heldByLog
	}
	var b strings.Builder
	b.WriteString(heldLine)
	for _, id := range ids {
		b.WriteString(base64.RawURLEncoding.EncodeToString(id[:heldBytes]))
	}
	return b.String()
}

// held is what a revocation says of the decisions that hold.
type held struct {
	byLog bool
	ids   [][heldBytes]byte // in order
}

// heldIn reads it; nil is a revocation that says nothing of them.
func heldIn(from string) *held {
	list, ok := strings.CutPrefix(from, heldLine)
	if !ok {
		return nil
	}
	if list == heldByLog {
		return &held{byLog: true}
	}
	raw, err := base64.RawURLEncoding.DecodeString(list)
	if err != nil || len(raw)%heldBytes != 0 {
		return nil
	}
	h := &held{ids: make([][heldBytes]byte, 0, len(raw)/heldBytes)}
	for ; len(raw) > 0; raw = raw[heldBytes:] {
		h.ids = append(h.ids, [heldBytes]byte(raw))
	}
	slices.SortFunc(h.ids, func(a, b [heldBytes]byte) int { return bytes.Compare(a[:], b[:]) })
	return h
}

// names reports whether a decision is named.
func (h *held) names(id memory.ID) bool {
	_, is := slices.BinarySearchFunc(h.ids, id, func(e [heldBytes]byte, id memory.ID) int {
		return bytes.Compare(e[:], id[:heldBytes])
	})
	return is
}

// leftOut reports whether a decision does not hold after a revocation: the revocation does not
// name it. Where it names none, a decision that came after it, or is dated after it, does not hold.
func (k *Keyring) leftOut(r, by *memory.Record) bool {
	if h := k.holds[by.ID]; h != nil && !h.byLog {
		return !h.names(r.ID)
	}
	return k.first(by, r) || r.Header.At.Time().After(by.Header.At.Time())
}
