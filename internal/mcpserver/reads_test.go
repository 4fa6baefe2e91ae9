package mcpserver

import (
	"slices"
	"testing"

	"github.com/stemma-memory/stemma/internal/hosts"
)

// What 'init --allow-reads' lets through are the listed tools that change nothing.
func TestReadToolsAreThoseThatChangeNothing(t *testing.T) {
	var want []string
	for _, one := range tools {
		if one.core && one.hint == reads {
			name := one.name
			if name == "" {
				name = one.op
			}
			want = append(want, name)
		}
	}
	if got := slices.Sorted(slices.Values(hosts.ReadTools)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("%v, want %v", got, want)
	}
}
