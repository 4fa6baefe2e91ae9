package pack

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// many returns entries like those of a store in daily use.
func many(n int) Request {
	r := rand.New(rand.NewPCG(3, 3))
	req := Request{Query: "how do we release", Level: Task}
	for i := range n {
		s := Context.Sections[[]int{0, 1, 2, 2, 2, 3, 3, 3, 3, 3}[r.IntN(10)]]
		req.Entries = append(req.Entries, Entry{Ref: fmt.Sprintf("note:%08x", r.Uint32()), Section: s.Name, Kind: "note",
			Type: "decision", Tier: "observed", Text: sentence(r), Why: "approved by you 2026-11-02", Score: r.Float64()})
		if i%4 == 0 {
			req.Entries[i].Path = "src/stores/connection.ts"
		}
	}
	return req
}

func sentence(r *rand.Rand) string {
	list := strings.Fields("the store keeps a record of each decision and its reason so that handleUserInput in " +
		"src/stores/connection.ts never " +
		"retries a request that was refused before the release of v1.2.3 because the queue was full and nobody had " +
		"looked at 3f9a22c1")
	at := r.IntN(len(list) - 12)
	return strings.Join(list[at:at+6+r.IntN(6)], " ") + " and " + strings.Join(list[:4+r.IntN(12)], " ")
}

func BenchmarkPack(b *testing.B) {
	req := many(1000)
	for _, f := range formats {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, err := Build(req)
				if err != nil {
					b.Fatal(err)
				}
				p.Render(f)
			}
		})
	}
}

func BenchmarkEstimate(b *testing.B) {
	text := string(build(b, many(1000)).Render(Text))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Estimate(text)
	}
}
