package blame

import (
	"cmp"
	"slices"
)

// A matching looks for the lines of notes in one version.
type matching struct {
	v     version
	rows  []*row
	notes []*Note
	at    map[string][]int
	spent map[*Note]bool
	taken []stretch // as they were found

	blocks map[string][]spot
}

// A stretch is lines of a note that stand one after the other in the file.
type stretch struct {
	n           *Note
	first, last int // of the note's lines
	row         int // of the first
	score       int
}

const mostPlaces = 64 // of one line in a file, that are looked at

// claim gives the lines that a version brings in to the notes that have them, the longest stretches first.
func (m *matching) claim() {
	m.at, m.spent = make(map[string][]int), make(map[*Note]bool)
	for i, r := range m.rows {
		if r.hash != "" {
			m.at[r.hash] = append(m.at[r.hash], i)
		}
	}
	var all []stretch
	for _, n := range m.notes {
		all = append(all, m.stretches(n)...)
	}
	age := make(map[*Note]int, len(m.notes))
	for i, n := range m.notes {
		age[n] = i
		if n.Commit != "" && n.Commit == m.v.commit {
			age[n] += len(m.notes) // it was written down of this very commit
		}
	}
	slices.SortStableFunc(all, func(a, b stretch) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(age[b.n], age[a.n]), cmp.Compare(a.row, b.row))
	})
	for _, s := range all {
		m.take(s)
	}
	m.bridge()
	m.follow()
	for _, s := range m.taken {
		m.exchange(s)
	}
}

// mostBetween is how many lines somebody may have put into a block of a note, behind which the rest of it follows.
const mostBetween = 4

// follow takes the rest of a block where few other lines were put in before it.
func (m *matching) follow() {
	for k := 0; k < len(m.taken); k++ {
		s := m.taken[k]
		first := s.last + 1
		last := first
		for last < len(s.n.lines) && s.n.lines[last].hunk == s.n.lines[s.last].hunk && s.n.lines[last].plus &&
			!s.n.lines[last].used {
			last++
		}
		from := s.row + s.last - s.first + 1
		for gap := 1; gap <= mostBetween && last > first; gap++ {
			part := stretch{n: s.n, first: first, last: last - 1, row: from + gap}
			if from+gap > len(m.rows) || m.inRest(part, m.rows[from+gap-1]) {
				break
			}
			if m.fitsWhole(part) {
				m.takeAll(part)
				m.taken = append(m.taken, part)
				break
			}
		}
	}
}

// inRest reports whether a line is one of those that are looked for, or the end of the file.
func (m *matching) inRest(s stretch, r *row) bool {
	if r.edge {
		return true
	}
	for i := s.first; i <= s.last; i++ {
		if s.n.lines[i].hash == r.hash {
			return true
		}
	}
	return false
}

func (m *matching) fitsWhole(s stretch) bool {
	for i := s.first; i <= s.last; i++ {
		at := s.row + i - s.first
		if at >= len(m.rows) || !fits(s.n.lines[i], m.rows[at]) || !free(s.n.lines[i], m.rows[at]) {
			return false
		}
	}
	return true
}

// exchange gives a note lines in the midst of its own that a diff took for old ones, where the same lines beside them,
// which the diff took for new, are in no note: those are the old ones.
func (m *matching) exchange(s stretch) {
	olds, news := 0, 0
	for i := s.first; i <= s.last; i++ {
		switch p, r := s.n.lines[i], m.rows[s.row+i-s.first]; {
		case !p.plus || r.edge:
		case r.note == s.n:
			news++
		case !p.used && !r.added:
			olds++
		}
	}
	if olds > min(news, mostShared) {
		return
	}
	for i := s.first; i <= s.last; i++ {
		p, r := s.n.lines[i], m.rows[s.row+i-s.first]
		if !p.plus || p.used || p.wild || r.added || r.edge {
			continue
		}
		if other := m.nearest(s.row+i-s.first, p.hash); other != nil {
			*r, *other = *other, *r
			p.used, r.note, m.spent[s.n] = true, s.n, true
			m.twins(s.n, i)
		}
	}
}

const nearby = 80 // lines

// nearest returns the nearest new line like one that no note has.
func (m *matching) nearest(from int, hash string) *row {
	for d := 1; d < nearby; d++ {
		for _, at := range []int{from - d, from + d} {
			if at > 0 && at < len(m.rows) && m.rows[at].added && m.rows[at].note == nil && m.rows[at].hash == hash {
				return m.rows[at]
			}
		}
	}
	return nil
}

// fits reports whether a line of a note is a line of the file.
func fits(p *piece, r *row) bool {
	if p.edge || r.edge {
		return p.edge && r.edge && p.hash == r.hash
	}
	return p.wild || p.hash == r.hash
}

// free reports whether a line of a note may be what brought in a line.
func free(p *piece, r *row) bool { return p.plus && !p.used && r.added && r.note == nil }

// stretches finds where lines of a note stand.
func (m *matching) stretches(n *Note) (out []stretch) {
	type diagonal struct{ first, row int }
	had := make(map[diagonal]bool)
	for i, p := range n.lines {
		places := m.at[p.hash]
		if p.wild || p.hash == "" || len(places) > mostPlaces && !p.heavy {
			continue
		}
		for _, row := range places[:min(len(places), mostPlaces)] {
			if !fits(p, m.rows[row]) {
				continue
			}
			s := stretch{n: n, first: i, last: i, row: row}
			for s.first > 0 && s.row > 0 && n.lines[s.first-1].hunk == p.hunk &&
				fits(n.lines[s.first-1], m.rows[s.row-1]) {
				s.first, s.row = s.first-1, s.row-1
			}
			for s.last+1 < len(n.lines) && s.row+s.last+1-s.first < len(m.rows) && n.lines[s.last+1].hunk == p.hunk &&
				fits(n.lines[s.last+1], m.rows[s.row+s.last+1-s.first]) {
				s.last++
			}
			d := diagonal{s.first, s.row}
			if had[d] {
				continue
			}
			had[d] = true
			if s.score = m.worth(&s); s.score > 0 {
				out = append(out, s)
			}
		}
	}
	return m.parted(n, out)
}

const (
	mostShared = 6  // lines that the end of a block and the beginning of the next share: "return", "}", ""
	mostParted = 40 // lines that two blocks share which are alike but for how they begin
)

// parted decides between two stretches of a hunk, between which something was put in, that both have the same few lines
// of the note: what was put in begins behind a blank line.
func (m *matching) parted(n *Note, all []stretch) []stretch {
	for i := range all {
		for j := range all {
			a, b := &all[i], &all[j]
			if a.first >= b.first || a.last < b.first || a.last >= b.last || a.row >= b.row ||
				a.last-b.first >= mostParted || n.lines[a.first].hunk != n.lines[b.first].hunk {
				continue
			}
			cut := a.last + 1
			for c := cut; c > b.first; c-- {
				if p := n.lines[c-1]; p.hash == "" && !p.edge {
					cut = c
					break
				}
			}
			b.row += cut - b.first
			a.last, b.first = cut-1, cut
		}
	}
	return slices.DeleteFunc(all, func(s stretch) bool { return m.worth(&s) == 0 })
}

const heavyWorth = 4

// worth is how sure it is that these lines are those of the note; 0 is not sure enough.
func (m *matching) worth(s *stretch) int {
	heavy, longs, claims, score := 0, 0, 0, 0
	for i := s.first; i <= s.last; i++ {
		p, r := s.n.lines[i], m.rows[s.row+i-s.first]
		if free(p, r) {
			claims++
		}
		if score++; p.edge {
			heavy++
		} else if p.heavy {
			heavy++
			score += heavyWorth
			if len(r.text) >= long {
				longs++
			}
		}
	}
	whole := (s.first == 0 || s.n.lines[s.first-1].hunk != s.n.lines[s.first].hunk) &&
		(s.last+1 == len(s.n.lines) || s.n.lines[s.last+1].hunk != s.n.lines[s.last].hunk)
	if claims == 0 || heavy < 2 && longs == 0 && !(whole && s.last > s.first) {
		return 0
	}
	return score
}

// take gives the lines of a stretch to its note, as far as they are still to be had.
func (m *matching) take(s stretch) {
	for i := s.first; i <= s.last; {
		part := stretch{n: s.n, first: i, row: s.row + i - s.first}
		for i <= s.last && m.open(s.n.lines[i], m.rows[s.row+i-s.first]) {
			i++
		}
		if part.last = i - 1; part.last >= part.first && m.worth(&part) > 0 {
			m.takeAll(part)
			part.n = s.n
			m.taken = append(m.taken, part)
		}
		i++
	}
}

// open reports whether nothing else took the line.
func (m *matching) open(p *piece, r *row) bool { return !p.plus || !r.added || r.note == nil }

// takeAll takes the lines of a stretch.
func (m *matching) takeAll(s stretch) {
	for i := s.first; i <= s.last; i++ {
		p, r := s.n.lines[i], m.rows[s.row+i-s.first]
		if fits(p, r) && free(p, r) {
			p.used, r.note, m.spent[s.n] = true, s.n, true
			m.twins(s.n, i)
		}
	}
}

// bridge takes what stands in line between two stretches of one hunk that were taken, where a line between became
// another one.
func (m *matching) bridge() {
	type line struct {
		n           *Note
		hunk, shift int
	}
	ends := make(map[line]stretch)
	for _, s := range m.taken {
		at := line{s.n, s.n.lines[s.first].hunk, s.row - s.first}
		if other, had := ends[at]; had {
			first, last := min(s.first, other.first), max(s.last, other.last)
			m.takeAll(stretch{n: s.n, first: first, last: last, row: first + at.shift})
			s.first, s.last, s.row = first, last, first+at.shift
		}
		ends[at] = s
	}
}

// twins uses up the same line where it was noted again: what a hook noted is signed at the commit, and signed again
// where that commit became another.
func (m *matching) twins(n *Note, at int) {
	done := map[string]bool{n.Commit: true}
	for _, other := range m.notes {
		if other == n || other.Session != n.Session || other.Host != n.Host || done[other.Commit] {
			continue
		}
		for i, p := range other.lines {
			if p.plus && !p.used && p.hash == n.lines[at].hash && (alike(n.lines, at, other.lines, i, -1) ||
				alike(n.lines, at, other.lines, i, 1)) {
				p.used, m.spent[other], done[other.Commit] = true, true, true
				break
			}
		}
	}
}

// alike reports whether the lines beside two lines are the same.
func alike(a []*piece, i int, b []*piece, j, by int) bool {
	return i+by >= 0 && i+by < len(a) && j+by >= 0 && j+by < len(b) && a[i+by].hash == b[j+by].hash
}
