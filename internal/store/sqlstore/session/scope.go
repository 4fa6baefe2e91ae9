package session

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// A Scope is the input of the policies of a hub's tables (see package fences): for whom a
// statement runs. It is set in each connection's session settings, and set again when a
// statement for somebody else follows. The zero value sees nothing.
type Scope struct {
	Reads, Writes string // numbers of spaces, with commas between
	readNames     string // the same by name, a line each, for the few tables that have names
	writeNames    string
	Keys          string // of those of which the key records alone are seen
	Hub           string // "on" for the hub's own tables
	Path          string // of a shard: what is searched for tables; "" is where the connection looks in any case
}

// The settings that policies read.
const (
	SetReads  = "stemma.reads"
	SetWrites = "stemma.writes"
	SetKeys   = "stemma.keys"
	SetHub    = "stemma.hub"

	SetReadNames  = "stemma.readnames"
	SetWriteNames = "stemma.writenames"
)

// A Setting is one of them, with its value.
type Setting struct{ Name, Value string }

// Settings returns what is set for a scope.
func (s *Scope) Settings() []Setting {
	return []Setting{
		{SetReads, s.Reads}, {SetWrites, s.Writes}, {SetKeys, s.Keys}, {SetHub, s.Hub},
		{SetReadNames, s.readNames}, {SetWriteNames, s.writeNames},
	}
}

// ScopeOf returns the scope of an account that may read some spaces, write some, and see the
// keys of some, by their numbers. An account that writes may add keys where it sees them.
func ScopeOf(reads, writes, keys []int) Scope {
	if len(writes) > 0 {
		writes, keys = append(slices.Clone(writes), keys...), nil
	}
	return Scope{Reads: Numbers(append(slices.Clone(reads), writes...)), Writes: Numbers(writes), Keys: Numbers(keys)}
}

// Named adds the names of spaces that may be read and written. One with a line end in it would be two.
func (s Scope) Named(in store.Sight) Scope {
	lines := func(names []string) string {
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.Contains(n, "\n") })
		return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), "\n")
	}
	s.readNames, s.writeNames = lines(slices.Concat(in.Reads, in.Writes)), lines(in.Writes)
	return s
}

// Numbers lists numbers of spaces as policies read them.
func Numbers(ns []int) string {
	ns = slices.Compact(slices.Sorted(slices.Values(ns)))
	text := make([]string, len(ns))
	for i, n := range ns {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, ",")
}

type scopeKey struct{}

// Under returns ctx with a scope, for the connection that will run a statement.
func (s *Scope) Under(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, scopeKey{}, *s)
}
