package audit

import (
	"bytes"
	"encoding/json"
	"github.com/stemma-memory/stemma/audit/report"
	"math/rand/v2"
	"slices"
	"testing"
)

// same reports whether two reports say the same of what was read.
func same(x, y report.Report) bool {
	if len(x.Roots) != len(y.Roots) || x.Statements != y.Statements || x.Exit() != y.Exit() {
		return false
	}
	x.Elapsed, y.Elapsed = 0, 0
	return bytes.Equal(must(json.Marshal(x)), must(json.Marshal(y)))
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	p := newPlay(t)
	raw := p.bundle()
	before := p.audit(Options{})
	const flips = 1000 / fewer
	rng := rand.New(rand.NewPCG(5, 6))
	found, failed := 0, 0
	for range flips {
		bit := rng.IntN(len(raw) * 8)
		b := bytes.Clone(raw)
		b[bit/8] ^= 1 << (bit % 8)
		switch r := audit(t, b, Options{}); {
		case same(before, r):
			t.Errorf("bit %d of byte %d flipped (%q became %q): not found", bit%8, bit/8, raw[bit/8], b[bit/8])
		case r.Exit() == report.ExitOK:
			t.Errorf("bit %d of byte %d flipped (%q became %q): all is well", bit%8, bit/8, raw[bit/8], b[bit/8])
		case r.Exit() == report.ExitFailed:
			failed++
			found++
		default:
			found++
		}
	}
	t.Logf("%d of %d found, %d of them as failures", found, flips, failed)
}

// A bit of every byte of the lines of which a bundle has few.
func TestEveryByteOfTheOtherLinesMatters(t *testing.T) {
	p := newPlay(t)
	for i, e := range p.lines {
		if bytes.HasPrefix(e.raw, []byte(`{"payload"`)) {
			continue
		}
		for bit := 0; bit < len(e.raw)*8; bit += 7 * fewer {
			b := bytes.Clone(e.raw)
			b[bit/8] ^= 1 << (bit % 8)
			p.lines[i].raw = b
			if r := p.audit(Options{}); r.Exit() == report.ExitOK {
				t.Errorf("line %d, bit %d of byte %d flipped: %s", i+1, bit%8, bit/8, b)
			}
		}
		p.lines[i].raw = e.raw
	}
}

func TestLinesThatAreMissingRepeatedMovedOrAdded(t *testing.T) {
	p := newPlay(t)
	good := slices.Clone(p.lines)
	check := func(what string, i int, lines []entry) {
		t.Helper()
		p.lines = lines
		if r := p.audit(Options{}); r.Exit() == report.ExitOK {
			t.Errorf("line %d %s: all is well", i+1, what)
		}
	}
	for i, e := range good {
		if e.space == "" {
			continue // a checkpoint: without it nothing is said of the log
		}
		check("missing", i, slices.Delete(slices.Clone(good), i, i+1))
		check("repeated", i, slices.Insert(slices.Clone(good), i, e))
		check("repeated at the end", i, append(slices.Clone(good), e))
		if i > 0 && good[i-1].space == e.space {
			moved := slices.Clone(good)
			moved[i-1], moved[i] = moved[i], moved[i-1]
			check("moved", i, moved)
		}
		p.lines = nil
		by := p.agent
		if e.space == p.bob.space {
			by = p.bob
		}
		p.add(by, words("Something that was never there."))
		check("before it something added", i, slices.Insert(slices.Clone(good), i, p.lines...))
	}
	// What comes after the checkpoint is newer than it, and is counted.
	p.lines = slices.Clone(good)
	p.add(p.agent, words("Something new."))
	r := p.audit(Options{})
	if r.Exit() != report.ExitOK || r.Logs[0].Records != r.Logs[0].Size+1 ||
		r.Logs[0].Why != "1 records came after the checkpoint" {
		t.Errorf("a record after the checkpoint: %s", show(r))
	}
}

func TestGarbageIsNoReasonToPanic(t *testing.T) {
	p := newPlay(t)
	raw := p.bundle()
	rng := rand.New(rand.NewPCG(7, 8))
	for range 500 / fewer {
		b := bytes.Clone(raw)
		for range 1 + rng.IntN(20) {
			switch at := rng.IntN(len(b)); rng.IntN(4) {
			case 0:
				b[at] = byte(rng.Uint32())
			case 1:
				b = slices.Delete(b, at, min(len(b), at+rng.IntN(200)))
			case 2:
				b = slices.Insert(b, at, raw[rng.IntN(len(raw)/2):][:rng.IntN(300)]...)
			case 3:
				b[at] = '\n'
			}
		}
		if r := audit(t, b, Options{}); r.Exit() == report.ExitOK {
			t.Errorf("all is well with a bundle that was torn apart")
		}
	}
	if r := audit(t, nil, Options{}); r.Exit() != report.ExitUnchecked {
		t.Errorf("an empty bundle: exit %d, want %d", r.Exit(), report.ExitUnchecked)
	}
}

func FuzzBundle(f *testing.F) {
	p := newPlay(f)
	for _, e := range p.lines {
		f.Add(e.raw)
	}
	f.Add(p.bundle())
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := audit(t, raw, Options{Checkpoints: [][]byte{raw}})
		sum := 0
		for _, n := range r.Counts {
			sum += n
		}
		if sum != r.Statements {
			t.Errorf("%d statements, and %d are counted", r.Statements, sum)
		}
	})
}
