package sqlstore

import (
	"strconv"
	"strings"
)

// A Dialect is everything in which the two databases differ.
type Dialect struct {
	Name      string
	Begin     string // starts a transaction that may write
	Size      string // bytes on disk
	Rebind    func(query string) string
	Rows      []int    // how many rows one INSERT takes, the most first
	Columns   int      // how many one takes of which each column is an array; 0 is none
	Widen     []string // readies a connection for many records
	Retry     func(error) bool
	Explain   func(error) error // gives the sentinel that says what an error means, or nil
	Migration string            // the folder of its migrations
}

// dollars turns each ? of a query into $1, $2, …: no statement of ours has a
// question mark elsewhere.
func dollars(query string) string {
	var b strings.Builder
	b.Grow(len(query) + len(query)/4)
	n := 0
	for i := range len(query) {
		if query[i] != '?' {
			b.WriteByte(query[i])
			continue
		}
		n++
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// listSizes are the lengths of the lists that statements are made for, so that
// few statements have to be kept prepared.
var listSizes = []int{1, 4, 16, 32, 64, 128, 256, mostListed}

// mostListed is how many values one statement takes in a list.
const mostListed = 512

// listSize returns the length of the list that takes n values.
func listSize(n int) int {
	for _, size := range listSizes {
		if n <= size {
			return size
		}
	}
	return mostListed
}

// spread puts placeholders for n values where a query says (…).
func spread(query string, n int) string {
	return strings.ReplaceAll(query, "(…)", "(?"+strings.Repeat(",?", n-1)+")")
}

// spreadFor returns the query and the arguments for a list of values: the last
// one fills up the list, which changes no result of IN.
func spreadFor[T any](query string, list []T, as func(T) any) (string, []any) {
	n := listSize(len(list))
	args := make([]any, n)
	for i := range n {
		args[i] = as(list[min(i, len(list)-1)])
	}
	return spread(query, n), args
}
