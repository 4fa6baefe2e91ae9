package recall

import (
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/rank"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/memory"
)

// Of the candidates those are read that may be among the answers: of raws the ones that are
// relevant enough, of memories, which a tier may lift, more; and while answers are missing, all.
func TestOnlyWhatMayEnterIsRead(t *testing.T) {
	const n = 100
	s := &searching{hits: make(map[memory.ID]store.Hit)}
	judge := func(answers int, score float64) (read, memories int) {
		j := &judging{s: s}
		for i := range n {
			c := &rank.Candidate{ID: memory.ID{byte(i + 1)}, Relevance: 1 - float64(i)/n}
			kind := memory.KindRaw
			if i%10 == 9 {
				kind = memory.KindBelief
			}
			s.hits[c.ID] = store.Hit{Kind: kind}
			j.left = append(j.left, c)
		}
		for range answers {
			j.out = append(j.out, &standing.Found{Factors: api.Factors{Relevance: score, Tier: 1, Trust: 1, Recency: 1}})
		}
		for part := j.next(10); len(part) > 0; part = j.next(10) {
			if len(part) > comparedAtOnce {
				t.Fatalf("%d are read at once", len(part))
			}
			for _, c := range part {
				if read++; s.hits[c.ID].Kind != memory.KindRaw {
					memories++
				}
			}
		}
		if read+len(j.left) != n {
			t.Fatalf("%d read and %d left of %d", read, len(j.left), n)
		}
		return read, memories
	}
	if read, _ := judge(9, 0.8); read != n {
		t.Errorf("%d are read while an answer is missing, want all %d", read, n)
	}
	trust := rank.TrustFactor(s.topTrust.Any)
	if read, memories := judge(10, 0.8*trust); read != 25 || memories != 6 {
		t.Errorf("%d are read, %d of them memories, want the 19 raws and 6 memories that may enter", read, memories)
	}
}
