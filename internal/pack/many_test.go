//go:build !race

package pack

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestNoRenderingIsOverItsBudgetAndNothingIsLeftOutUnsaid(t *testing.T) {
	stores(80, func(seed uint64, r *rand.Rand, req Request) {
		req.Budget = 100 + r.IntN(7901)
		p := build(t, req)
		for _, f := range formats {
			page := p.Page(f)
			if got := Estimate(string(page.Body)); got > req.Budget || got != page.Used {
				t.Fatalf("seed %d, %s: %d tokens, said to be %d of %d", seed, f, got, page.Used, req.Budget)
			}
			if said := fmt.Sprintf("%d of %d tokens", page.Used, req.Budget); f != JSON &&
				!strings.Contains(string(page.Body), said) {
				t.Fatalf("seed %d, %s: the pack does not say %q", seed, f, said)
			}
			checkCounts(t, seed, f, req, page)
		}
	})
}

func TestALargerBudgetShowsAllThatALevelBelowItShows(t *testing.T) {
	stores(12, func(seed uint64, r *rand.Rand, req Request) {
		above := []int{501, 510, 2000, 2001, 2100, 4000, 4001, 9000, 500 + r.IntN(8000)}
		for _, f := range formats {
			for _, level := range []int{500, 2000, 4000} {
				req.Budget = level
				small := build(t, req).Page(f).Shown
				for _, budget := range above {
					if budget < level {
						continue
					}
					req.Budget = budget
					large := build(t, req).Page(f).Shown
					for _, ref := range small {
						if !slices.Contains(large, ref) {
							t.Fatalf("seed %d, %s: %s is shown at %d tokens and not at %d", seed, f, ref, level, budget)
						}
					}
				}
			}
		}
	})
}

func TestHostileTextBreaksNothing(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 7))
		req := Request{Query: payload(r), Budget: 100 + r.IntN(2000), Fancy: seed%2 == 0,
			Omitted: []Omission{{Section: payload(r), Reason: payload(r), Count: 3}}}
		const n = 6
		for i := range n {
			e := Entry{Section: Context.Sections[r.IntN(4)].Name, Ref: fmt.Sprint("note:", i), Kind: payload(r),
				Type: payload(r),
				Tier: payload(r), State: payload(r), Text: payload(r), Path: payload(r), Why: payload(r), Store: payload(r),
				At: payload(r)}
			if i == n-1 {
				e.Ref = payload(r)
			}
			req.Entries = append(req.Entries, e)
		}
		p := build(t, req)
		for _, f := range formats {
			page := p.Page(f)
			body := string(page.Body)
			if page.Used > req.Budget || page.Used != Estimate(body) {
				t.Fatalf("seed %d, %s: %d of %d tokens", seed, f, page.Used, req.Budget)
			}
			for _, c := range body {
				if c != '\n' && c != 0xfe0f && c != 0x200d && (unicode.IsControl(c) ||
					unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp) ||
					c >= 0xe0000 || c >= 0xfe00 && c < 0xfe0e) {
					t.Fatalf("seed %d, %s: %U is in the pack\n%q", seed, f, c, body)
				}
			}
			if !utf8.ValidString(body) {
				t.Fatalf("seed %d, %s: not UTF-8", seed, f)
			}
			if at := forged.FindString(body); at != "" {
				t.Fatalf("seed %d, %s: %q is in the pack\n%s", seed, f, at, body)
			}
			switch f {
			case Text:
				checkLines(t, seed, body, req.Fancy)
			case Markdown:
				checkMarkdown(t, seed, body)
			case JSON:
				checkObject(t, seed, page)
			}
		}
	}
}
