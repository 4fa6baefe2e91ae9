package blame

import "strings"

// slide puts added lines where notes have them, if the same file comes of it: of two equal ends of a block a diff may
// take either for the new one.
func (m *matching) slide(rows []*row, v version) {
	m.blocks = m.spots()
	for _, e := range v.edits {
		from, to := e.to, e.to+len(e.added)
		if len(e.gone) > 0 || to > len(rows) || from == to {
			continue
		}
		low, high := 0, 0
		for -low < mostShift && from+low > 0 && rows[from+low-1].hash == rows[to+low-1].hash && !rows[from+low-1].added {
			low--
		}
		for high < mostShift && to+high < len(rows) && rows[from+high].hash == rows[to+high].hash && !rows[to+high].added {
			high++
		}
		best, most := 0, -1
		for _, k := range nearest(low, high) {
			n := m.covered(rows[from+k:to+k]) * 2
			if from+k == 0 || rows[from+k-1].hash == "" {
				n++ // a block begins behind a blank line
			}
			if n > most {
				best, most = k, n
			}
		}
		shift(rows, from, to, best)
	}
}

// settle does the same for new lines that are in no note: a block begins behind a blank line.
func settle(rows []*row, v version) {
	for _, e := range v.edits {
		for from := e.to; len(e.gone) == 0 && from < min(e.to+len(e.added), len(rows)); from++ {
			to := from
			for to < len(rows) && rows[to].added && rows[to].note == nil {
				to++
			}
			if to-from < 2 || from == 0 || rows[from-1].hash == "" {
				from = to
				continue
			}
			for k := 0; k < min(mostShift, to-from) && to+k < len(rows) && rows[from+k].hash == rows[to+k].hash &&
				!rows[to+k].added; k++ {
				if rows[from+k].hash == "" {
					shift(rows, from, to, k+1)
					break
				}
			}
			from = to
		}
	}
}

const (
	mostShift  = 50
	mostBlocks = 64 // that begin with the same line and are looked at
)

// nearest are the numbers from low to high, 0 first.
func nearest(low, high int) (out []int) {
	out = append(out, 0)
	for k := 1; k <= max(-low, high); k++ {
		if k <= -low {
			out = append(out, -k)
		}
		if k <= high {
			out = append(out, k)
		}
	}
	return out
}

// A spot is a line of a note, with those behind it.
type spot struct {
	n  *Note
	at int
}

// spots are the lines that notes put in, by their hash.
func (m *matching) spots() map[string][]spot {
	out := make(map[string][]spot)
	for _, n := range m.notes {
		for i, p := range n.lines {
			if p.plus && !p.used && len(out[p.hash]) < mostBlocks {
				out[p.hash] = append(out[p.hash], spot{n, i})
			}
		}
	}
	return out
}

// covered is how well some lines are made of lines that notes put in: the more in fewer pieces, the better.
func (m *matching) covered(rows []*row) int {
	const each = 1000
	score := 0
	for i := 0; i < len(rows); {
		best := 0
		for _, b := range m.blocks[rows[i].hash] {
			k := 0
			for k < len(b.n.lines)-b.at && i+k < len(rows) && b.n.lines[b.at+k].plus && !b.n.lines[b.at+k].used &&
				b.n.lines[b.at+k].hunk == b.n.lines[b.at].hunk && fits(b.n.lines[b.at+k], rows[i+k]) {
				k++
			}
			best = max(best, k)
		}
		if best > 0 {
			score += best*each - 1
		}
		i += max(best, 1)
	}
	return score
}

// shift moves a block of added lines by k lines that are equal at both of its ends.
func shift(rows []*row, from, to, k int) {
	for s := 1; s <= -k; s++ {
		rows[from-s], rows[to-s] = rows[to-s], rows[from-s]
	}
	for s := range max(k, 0) {
		rows[from+s], rows[to+s] = rows[to+s], rows[from+s]
	}
}

const mostJoined = 12 // lines that a formatter made of one

// join finds lines that a formatter parted before they were committed: together they are a line of a note.
func (m *matching) join() {
	type place struct {
		n *Note
		p *piece
	}
	open := make(map[string][]place)
	for _, n := range m.notes {
		for _, p := range n.lines {
			if p.plus && !p.used && p.heavy {
				open[p.hash] = append(open[p.hash], place{n, p})
			}
		}
	}
	if len(open) == 0 {
		return
	}
	for i := 0; i < len(m.rows); i++ {
		text := ""
		for k := i; k < min(i+mostJoined, len(m.rows)); k++ {
			r := m.rows[k]
			if r.edge || !r.added || r.note != nil {
				break
			}
			if text += r.text; k == i || len(text) < long {
				continue
			}
			for _, form := range []string{text, bracketed(text)} {
				places := open[hash(form)]
				if len(places) == 0 {
					continue
				}
				one := places[0]
				open[hash(form)], one.p.used, m.spent[one.n] = places[1:], true, true
				for _, r := range m.rows[i : k+1] {
					r.note = one.n
				}
				i = k
				break
			}
			if r.note != nil {
				break
			}
		}
	}
}

// bracketed is a text without the commas that formatters put before a closing bracket.
func bracketed(text string) string {
	return strings.NewReplacer(",)", ")", ",]", "]", ",}", "}").Replace(text)
}

// punctuation is what formatters change beside white space.
func unpunctuated(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ',', ';', '\\':
			return -1
		case '\'', '`':
			return '"'
		}
		return r
	}, text)
}

// reformatted finds lines that say what the lines in their place said: who wrote those wrote them.
func reformatted(rows []*row, v version, gone [][]*row) {
	for i, e := range v.edits {
		from := e.to
		if len(gone[i]) == 0 || len(e.added) == 0 || from+len(e.added) > len(rows) {
			continue
		}
		before, after := "", ""
		var owners []*row
		for _, r := range gone[i] {
			plain := unpunctuated(r.text)
			before += plain
			for range len(plain) {
				owners = append(owners, r)
			}
		}
		added := rows[from : from+len(e.added)]
		for _, r := range added {
			after += unpunctuated(r.text)
		}
		if before != after || before == "" {
			continue
		}
		at := 0
		for _, r := range added {
			if owner := owners[min(at, len(owners)-1)]; r.note == nil && r.added {
				r.note, r.commit, r.path = owner.note, owner.commit, owner.path
			}
			at += len(unpunctuated(r.text))
		}
	}
}

// moved finds lines that stood elsewhere in the file until now.
func moved(rows []*row, gone [][]*row) {
	match(rows, gone, func(r, old *row) {
		r.note, r.commit, r.path, r.added = old.note, old.commit, old.path, false
	})
}

// match finds the lines of which a version took others like them out, a run at a time.
func match(rows []*row, gone [][]*row, is func(r, old *row)) {
	for _, block := range gone {
		taken := make([]bool, len(block))
		for i := 0; i < len(rows); i++ {
			best, from := 0, 0
			for g := range block {
				n := 0
				for g+n < len(block) && i+n < len(rows) && !taken[g+n] && rows[i+n].added && rows[i+n].note == nil &&
					rows[i+n].hash == block[g+n].hash {
					n++
				}
				if n > best && says(rows[i:i+n]) {
					best, from = n, g
				}
			}
			for k := range best {
				taken[from+k] = true
				is(rows[i+k], block[from+k])
			}
			i += max(best-1, 0)
		}
	}
}

// says reports whether lines say enough not to stand twice by chance.
func says(rows []*row) bool {
	heavy := 0
	for _, r := range rows {
		if len(r.hash) >= strong {
			heavy++
			if len(r.text) >= long {
				return true
			}
		}
	}
	return heavy > 1
}
