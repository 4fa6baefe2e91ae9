package hub

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stemma-memory/stemma/internal/peer"
	"github.com/stemma-memory/stemma/internal/store"
)

// BenchmarkHello measures what it costs somebody with one space to begin, and to ask
// what a log has, at a hub with more and more spaces of others.
//
//	go test ./internal/hub -run '^$' -bench Hello
func BenchmarkHello(b *testing.B) {
	for _, on := range []struct {
		name string
		spec func() string
	}{
		{"sqlite", func() string { return filepath.Join(b.TempDir(), "hub.db") }},
		{"postgres", func() string { return tempPostgres(b) }},
	} {
		b.Run(on.name, func(b *testing.B) {
			p := serveHub(b, openHub(b, on.spec()))
			ann := p.joins("ann", "", "")
			ann.mustSync(b)
			have := 0
			for _, n := range []int{10, 1_000, 10_000} {
				for ; have < n; have++ {
					other := fmt.Sprintf("did:key:z6MkOther%039d", have)
					if err := p.store.AddSpace(b.Context(), other+"/main"); err != nil {
						b.Fatal(err)
					}
					if have%10 == 0 {
						if err := p.store.SetMember(
							b.Context(),
							store.Member{Space: other + "/main", Account: other, Role: store.Reader, Made: p.now},
						); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.Run(fmt.Sprint("hello/", n), func(b *testing.B) {
					for b.Loop() {
						if _, err := ann.Hello(b.Context(), peer.Hello{Version: peer.Version}); err != nil {
							b.Fatal(err)
						}
					}
				})
				b.Run(fmt.Sprint("log/", n), func(b *testing.B) {
					for b.Loop() {
						if _, err := ann.Log(b.Context(), peer.LogRequest{Space: ann.home(), Limit: 1}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
