package recall

import (
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/rank"
)

// A pair is two lines, one of which is listed directly below the other.
type pair struct {
	older, newer *standing.Found
	always       bool // also where it would already be listed below
}

// arranged puts lines that belong below others there.
func arranged(lines []*standing.Found, pairs []pair) []*standing.Found {
	place := make(map[*standing.Found]int, len(lines))
	for i, f := range lines {
		place[f] = i
	}
	above := make(map[*standing.Found]*standing.Found)
	put := func(p pair) {
		if !reaches(above, p.newer, p.older) {
			above[p.older] = p.newer
			if place[p.older] < place[p.newer] {
				p.newer.Lift(rank.Score(p.older.Factors))
			}
		}
	}
	var apart []pair // the newer one is above already
	for _, p := range pairs {
		_, here := place[p.older]
		switch _, there := place[p.newer]; {
		case !here || !there:
		case !p.always && place[p.newer] < place[p.older]:
			apart = append(apart, p)
		default:
			put(p)
		}
	}
	for lifted := true; lifted; {
		for _, f := range lines {
			for up := above[f]; up != nil; up = above[up] { // the newer one takes the better place
				place[up] = min(place[up], place[f])
			}
		}
		lifted = false
		for i, p := range apart { // what an older one was lifted above has its place below the newer one all the same
			if place[p.older] < place[p.newer] && above[p.older] == nil {
				put(p)
				apart, lifted = slices.Delete(apart, i, i+1), true
				break
			}
		}
	}
	followers := make(map[*standing.Found][]*standing.Found)
	for _, f := range lines {
		if up := above[f]; up != nil {
			followers[up] = append(followers[up], f)
		}
	}
	heads := slices.DeleteFunc(slices.Clone(lines), func(f *standing.Found) bool { return above[f] != nil })
	slices.SortStableFunc(heads, func(a, b *standing.Found) int { return place[a] - place[b] })
	out := make([]*standing.Found, 0, len(lines))
	var give func(*standing.Found)
	give = func(f *standing.Found) {
		out = append(out, f)
		for _, one := range followers[f] {
			give(one)
		}
	}
	for _, f := range heads {
		give(f)
	}
	return out
}

// reaches reports whether one line is already listed below another, at any distance.
func reaches(above map[*standing.Found]*standing.Found, f, to *standing.Found) bool {
	for ; f != nil; f = above[f] {
		if f == to {
			return true
		}
	}
	return false
}
