//go:build !race

package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"
)

// Of forty facts that a person corrected and an agent said again, each is right, and the old value is marked.
func TestFortyCorrections(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	var right, wrong []string
	for i := range 40 {
		right = append(right, corrected(t, p, fmt.Sprintf("The port of service%d is %d", i, 8000+i),
			fmt.Sprintf("The port of service%d is %d", i, 9000+i)))
	}
	for i := range 40 {
		wrong = append(wrong, add(t, p.Agent, "belief", fmt.Sprintf("The port of service%d is %d", i, 8000+i)))
	}
	for i := range 40 {
		r := search(t, p.Agent, api.SearchRequest{Query: fmt.Sprintf("port of service%d %d", i, 8000+i)}).Results
		if len(r) < 2 || r[0].Ref != right[i] || r[1].Ref != wrong[i] || len(r[1].Marks) == 0 ||
			!strings.Contains(r[1].Marks[0], "replaced") {
			t.Errorf("%d: %+v", i, r)
		}
	}
}
