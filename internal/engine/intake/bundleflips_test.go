//go:build !race

package intake_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/audit"
)

// place says in which part of a bundle a byte stands.
func place(b []byte, at int) string {
	if b[at] == '\n' {
		return "between lines"
	}
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	line := b[start : start+bytes.IndexByte(b[start:], '\n')]
	if k, _, _ := bytes.Cut(line[2:], []byte(`"`)); string(k) != "payload" {
		return string(k)
	}
	at -= start
	// the last that begins before it
	for _, m := range []string{`"sig":"`, `"keyid":"`, `"payloadType":"`, `"payload":"`} {
		if i := bytes.LastIndex(line[:at], []byte(m)); i >= 0 && bytes.IndexByte(line[i+len(m):at], '"') < 0 {
			return m[1 : len(m)-3]
		}
	}
	return "names and brackets"
}

// An export with proofs shows whether a bit of it was flipped on the way, wherever.
// Outside of what is signed, too: an export is written in one way, and what is not
// spelled so is no line of one; white space that a bit could make, a line end made
// into something else among it, is none that JSON allows there.
func TestBitFlipsInABundle(t *testing.T) {
	t.Parallel()
	g := newGrave(t)
	e := g.As("owner")
	var whole, part bytes.Buffer
	list, err := e.List(t.Context(), api.ListRequest{Kind: "belief"})
	if err != nil || len(list.Memories) == 0 {
		t.Fatalf("%+v, %v, want a belief", list, err)
	}
	for b, in := range map[*bytes.Buffer]api.ExportRequest{
		&whole: {Proofs: true}, &part: {Refs: []string{list.Memories[0].Ref}, Proofs: true},
	} {
		if _, err := e.Export(t.Context(), b, in); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(3161, 1000))
	found := make(map[string]int)
	for what, raw := range map[string][]byte{"whole": whole.Bytes(), "part": part.Bytes()} {
		if r, err := audit.Bundle(t.Context(), bytes.NewReader(raw), audit.Options{}); err != nil || r.Exit() != 0 {
			t.Fatalf("%s, before: exit %d, %v, %+v", what, r.Exit(), err, r)
		}
		flips := make([]int, 500/fewer)
		for i := range flips {
			flips[i] = rng.IntN(len(raw) * 8)
		}
		for i, c := range raw { // every bit of every line end too
			for bit := range 8 * min(1, bytes.Count([]byte{c}, []byte("\n"))) {
				flips = append(flips, i*8+bit)
			}
		}
		for _, bit := range flips {
			b := bytes.Clone(raw)
			b[bit/8] ^= 1 << (bit % 8)
			where := place(raw, bit/8)
			r, err := audit.Bundle(t.Context(), bytes.NewReader(b), audit.Options{})
			if err == nil && r.Exit() == 0 {
				t.Errorf(
					"%s: bit %d of byte %d, in %s (%q became %q): all is well", what, bit%8, bit/8, where,
					raw[bit/8], b[bit/8],
				)
			}
			found[where]++
		}
	}
	t.Logf("found in %v", found)
}
