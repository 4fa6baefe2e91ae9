package blame

import (
	"strings"
)

// A row is a line of a file, with who wrote it.
type row struct {
	text   string // without white space
	hash   string
	added  bool  // by the version at hand
	note   *Note // nil is not seen
	commit string
	path   string
	edge   bool // the beginning or the end of the file, which is no line
}

// A piece is a line of a hunk that the file has after it.
type piece struct {
	hash  string
	plus  bool
	used  bool // by a commit, or taken out again by a later note
	hunk  int
	edge  bool
	wild  bool
	heavy bool
}

// long is how many characters a line has that is hardly written twice.
const long = 20

// prepare reads the hunks of notes.
func prepare(notes []*Note) {
	for _, n := range notes {
		n.lines, n.spent = nil, false
		for i, h := range n.Hunks {
			for _, e := range h {
				switch {
				case e == fileBegins || e == fileEnds:
					n.lines = append(n.lines, &piece{hash: e, hunk: i, edge: true})
				case e == "" || e[0] == '-':
				default:
					n.lines = append(n.lines, &piece{
						hash: e[1:], plus: e[0] == '+', hunk: i, wild: e[1:] == secret, heavy: len(e)-1 >= strong,
					})
				}
			}
		}
	}
}

// takeOut marks lines as used that a later note of the same file took out again before any commit had them.
func takeOut(notes []*Note) {
	for at, n := range notes {
		for _, h := range n.Hunks {
			var gone []string
			heavy := false
			for _, e := range h {
				if strings.HasPrefix(e, "-") {
					gone, heavy = append(gone, e[1:]), heavy || len(e)-1 >= strong
					continue
				}
				if heavy {
					takeOne(notes[:at], n.order, gone)
				}
				gone, heavy = nil, false
			}
			if heavy {
				takeOne(notes[:at], n.order, gone)
			}
		}
	}
}

func takeOne(notes []*Note, order int, gone []string) {
	for i := len(notes) - 1; i >= 0; i-- {
		n := notes[i]
		if n.order != order || n.Commit != "" {
			continue // a commit may have had it since
		}
		for at := 0; at+len(gone) <= len(n.lines); at++ {
			part := n.lines[at : at+len(gone)]
			same := true
			for k, p := range part {
				same = same && p.plus && !p.used && (p.hash == gone[k] || p.wild)
			}
			if same {
				for _, p := range part {
					p.used = true
				}
				return
			}
		}
	}
}

// replay goes through the versions of a file and says of each line of the last one who wrote it. Notes must be in the
// order of time, with their order in the lineage set.
func replay(versions []version, notes []*Note) []*row {
	return replayEach(versions, notes, func(version, []*row) {})
}

// replayEach is replay, and hands over the lines as each version has them.
func replayEach(versions []version, notes []*Note, each func(version, []*row)) []*row {
	prepare(notes)
	takeOut(notes)
	var rows []*row
	for _, v := range versions {
		var gone [][]*row
		rows, gone = apply(rows, v)
		m := &matching{v: v}
		for _, n := range notes {
			if !n.spent && n.before(v) {
				m.notes = append(m.notes, n)
			}
		}
		m.slide(rows, v)
		if len(m.notes) > 0 {
			m.rows = framed(rows)
			m.claim()
			m.join()
			settle(rows, v)
		}
		reformatted(rows, v, gone)
		moved(rows, gone)
		for _, n := range m.notes {
			n.spent = n.spent || m.spent[n]
		}
		for _, r := range rows {
			r.added = false
		}
		each(v, rows)
	}
	return rows
}

// never is the order of a note of a commit that is in the history: it is for that commit alone.
const never = 1 << 40

// before reports whether an edit may be part of a version.
func (n *Note) before(v version) bool {
	if n.order == never {
		return n.Commit == v.commit
	}
	return v.commit == "" || n.order < v.order
}

// apply makes the lines of a version out of those before it.
func apply(rows []*row, v version) (out []*row, gone [][]*row) {
	at := 0
	for i, e := range v.edits {
		from := min(max(e.from, at), len(rows))
		if len(e.added) == 0 {
			end := len(rows)
			if i+1 < len(v.edits) {
				end = min(v.edits[i+1].from, end)
			}
			from += blockBelow(rows[:max(end, from)], from, len(e.gone))
		}
		out = append(out, rows[at:from]...)
		at = min(from+len(e.gone), len(rows))
		gone = append(gone, rows[from:at])
		for _, text := range e.added {
			out = append(out, &row{text: text, hash: hash(text), added: true, commit: v.commit, path: v.path})
		}
	}
	return append(out, rows[at:]...), gone
}

// blockBelow is by how many lines a block that went away stands further down, where it could have been either of two: a
// block begins behind a blank line.
func blockBelow(rows []*row, from, n int) int {
	if from == 0 || rows[from-1].hash == "" {
		return 0
	}
	for k := 0; k < n && from+n+k < len(rows) && rows[from+k].hash == rows[from+n+k].hash; k++ {
		if rows[from+k].hash == "" {
			return k + 1
		}
	}
	return 0
}

func framed(rows []*row) []*row {
	out := make([]*row, 0, len(rows)+2)
	out = append(out, &row{hash: fileBegins, edge: true})
	out = append(out, rows...)
	return append(out, &row{hash: fileEnds, edge: true})
}
