package importers

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/stemma-memory/stemma/internal/shorten"
	"github.com/stemma-memory/stemma/internal/sorting"
	"github.com/stemma-memory/stemma/memory"
)

// A rehearsal makes each record once as it would be stored, under a key that
// signs nothing, so that what the format refuses is refused before anything is
// stored.
type rehearsal struct {
	source  string
	lines   map[idHash]seenLine
	outside map[string]citing // by alias: what no line before is called
	refused map[string]string // by alias: why it cannot be cited
}

// A refusal is something that cannot be cited, and why.
type refusal struct{ alias, text string }

// An idHash stands for the id of a line, of which a file may have millions.
type idHash [16]byte

func hashOf(id string) idHash {
	sum := sha256.Sum256([]byte(id))
	return idHash(sum[:])
}

// seenLine is what is remembered about a line.
type seenLine struct {
	number int
	kind   memory.Kind
	digest [16]byte // of what it says
}

// citing is the first line that cites something from outside the file.
type citing struct {
	number int
	id     string
	kinds  []memory.Kind // of all lines that cite it
}

func newRehearsal(source string) *rehearsal {
	return &rehearsal{source: source, lines: make(map[idHash]seenLine), outside: make(map[string]citing)}
}

// add checks one line in the light of those before it. A line that says the
// same as one before, under the same id, is the same record.
func (c *rehearsal) add(n int, l *line, digest [16]byte) error {
	if first, twice := c.lines[hashOf(l.id)]; twice {
		if first.digest == digest {
			return nil
		}
		return fmt.Errorf("id: %q has other content on line %d", shorten.To(l.id, 40), first.number)
	}
	f := l.foreign(c.source, func(id string) bool { _, ok := c.lines[hashOf(id)]; return ok })
	h, err := header(f)
	if err != nil {
		return err
	}
	for i, id := range l.from {
		if before, ok := c.lines[hashOf(id)]; ok {
			h.Provenance.From = append(h.Provenance.From, memory.Ref{Kind: before.kind, ID: sha256.Sum256([]byte(f.From[i]))})
			continue
		}
		if why, no := c.refused[f.From[i]]; no {
			return errors.New(why)
		}
		o, cited := c.outside[f.From[i]]
		if !cited {
			o = citing{number: n, id: id}
		}
		if k := memory.KindOf(l.body); !slices.Contains(o.kinds, k) {
			o.kinds = append(o.kinds, k)
		}
		c.outside[f.From[i]] = o
	}
	if memory.KindOf(l.body) == memory.KindRaw && len(l.from) > 0 {
		return errors.New("from: a raw is not derived from anything")
	}
	if _, err := memory.New(h, l.body); err != nil {
		return err
	}
	c.lines[hashOf(l.id)] = seenLine{n, memory.KindOf(l.body), digest}
	return nil
}

// finish checks what was cited and is on no line before: the store must hold it,
// and as a kind that the citing lines may come from. Without held, only what
// stands on a later line is known to be wrong.
func (c *rehearsal) finish(ctx context.Context, held held) (refusals []refusal, err error) {
	refuse := func(a, format string, args ...any) {
		refusals = append(refusals, refusal{a, fmt.Sprintf(format, args...)})
	}
	aliases := slices.Collect(maps.Keys(c.outside))
	sorting.By(aliases, func(a, b string) int {
		return cmp.Or(cmp.Compare(c.outside[a].number, c.outside[b].number), cmp.Compare(a, b))
	})
	var refs map[string]memory.Ref
	if held != nil && len(aliases) > 0 {
		if refs, err = held(ctx, aliases...); err != nil {
			return nil, err
		}
	}
	for _, a := range aliases {
		o := c.outside[a]
		ref, ok := refs[a]
		later, inFile := c.lines[hashOf(o.id)]
		switch {
		case ok:
			for _, k := range o.kinds {
				if !k.MayComeFrom(ref.Kind) {
					refuse(a, "line %d: from: a record of kind %s cannot be derived from %s", o.number, k, ref.Short())
				}
			}
		case inFile && a == alias(c.source, o.id):
			refuse(
				a, "line %d: from: %q is defined later, on line %d; move it before this line", o.number, shorten.To(o.id, 80),
				later.number,
			)
		case held != nil:
			refuse(a, "line %d: from: %q is neither on a line before nor in the store", o.number, shorten.To(o.id, 80))
		}
	}
	return refusals, nil
}
