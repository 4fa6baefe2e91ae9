package exchange

import (
	"fmt"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/memory"
)

// Thousands of records that were not taken are a few reasons, each with how many and one of them.
func TestReasonsAreFew(t *testing.T) {
	var s peer.SpaceReport
	add := func(list *[]peer.Refusal, n int, why string) {
		id := memory.ID{byte(n), byte(n >> 8), byte(len(*list)), byte(len(*list) >> 8)}
		*list = append(*list, peer.Refusal{ID: id, Why: memory.Ref{Kind: memory.KindBelief, ID: id}.Short() + ": " + why})
	}
	for n := range 2800 {
		add(&s.Refused, n, "signed under a delegation that is not held")
	}
	add(&s.Back, 1, "signed under a delegation that is not held")
	all := reasons(nil, api.NotTaken{}, s)
	if len(all) != 2 || all[0].Count != 2800 || all[0].There || all[0].ID == "" || !all[1].There {
		t.Errorf("%+v", all)
	}
	if n := len(refusals(s.Refused)); n != mostRefusals {
		t.Errorf("%d records are named one by one, want %d", n, mostRefusals)
	}
	first := reasons(nil, api.NotTaken{Peer: "one"}, s)
	if both := reasons(first, api.NotTaken{Peer: "two"}, s); both[0].Count != 5600 || both[0].Peer != "" {
		t.Errorf("records of two peers are said to be of one: %+v", both[0])
	}
	for n := range 100 { // each has a reason of its own
		add(&s.Back, n, fmt.Sprint("reason ", n))
	}
	all = reasons(nil, api.NotTaken{}, s)
	sum := 0
	for _, x := range all {
		sum += x.Count
	}
	if len(all) > mostReasons+1 || sum != 2901 {
		t.Errorf("%d reasons for %d records, want at most %d for 2901", len(all), sum, mostReasons+1)
	}
}
