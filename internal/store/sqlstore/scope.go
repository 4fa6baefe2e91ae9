package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/stemma-memory/stemma/internal/store"
)

// A scope is the input of the policies of a hub's tables (see policies.go): for whom a
// statement runs. It is set in each connection's session settings, and set again when a
// statement for somebody else follows. The zero value sees nothing.
type scope struct {
	reads, writes string // numbers of spaces, with commas between
	readNames     string // the same by name, a line each, for the few tables that have names
	writeNames    string
	keys          string // of those of which the key records alone are seen
	hub           string // "on" for the hub's own tables
	path          string // of a shard: what is searched for tables; "" is where the connection looks in any case
}

// The settings that policies read.
const (
	setReads  = "stemma.reads"
	setWrites = "stemma.writes"
	setKeys   = "stemma.keys"
	setHub    = "stemma.hub"

	setReadNames  = "stemma.readnames"
	setWriteNames = "stemma.writenames"
)

// A setting is one of them, with its value.
type setting struct{ name, value string }

func (s *scope) settings() []setting {
	return []setting{
		{setReads, s.reads}, {setWrites, s.writes}, {setKeys, s.keys}, {setHub, s.hub},
		{setReadNames, s.readNames}, {setWriteNames, s.writeNames},
	}
}

// scopeOf returns the scope of an account that may read some spaces, write some, and see the
// keys of some, by their numbers. An account that writes may add keys where it sees them.
func scopeOf(reads, writes, keys []int) scope {
	if len(writes) > 0 {
		writes, keys = append(slices.Clone(writes), keys...), nil
	}
	return scope{reads: numbers(append(slices.Clone(reads), writes...)), writes: numbers(writes), keys: numbers(keys)}
}

// named adds the names of spaces that may be read and written. One with a line end in it would be two.
func (s scope) named(in store.Sight) scope {
	lines := func(names []string) string {
		names = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.Contains(n, "\n") })
		return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), "\n")
	}
	s.readNames, s.writeNames = lines(slices.Concat(in.Reads, in.Writes)), lines(in.Writes)
	return s
}

func numbers(ns []int) string {
	ns = slices.Compact(slices.Sorted(slices.Values(ns)))
	text := make([]string, len(ns))
	for i, n := range ns {
		text[i] = strconv.Itoa(n)
	}
	return strings.Join(text, ",")
}

type scopeKey struct{}

// under returns ctx with a scope, for the connection that will run a statement.
func (s *scope) under(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, scopeKey{}, *s)
}
