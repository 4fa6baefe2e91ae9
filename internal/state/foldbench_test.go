package state

import (
	"testing"

	"github.com/stemma-memory/stemma/memory"
)

func BenchmarkFold(b *testing.B) {
	owner := someone(1)
	s := newScene(b, owner)
	agent := s.delegate(owner, 2, memory.Time{}, memory.OriginAgent)
	r := s.write(agent, noon, &memory.Belief{Statement: "the sky is blue"})
	about := fortyClaims(s, r, owner, agent)
	b.ReportAllocs()
	for b.Loop() {
		_ = s.fold(r, about...)
	}
}
