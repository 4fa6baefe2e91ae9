package recall

import (
	"cmp"
	"slices"

	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/pack"
)

// isDoubtful reports whether what has a ref does not bear on the question, and may be given all the same.
func (p *packing) isDoubtful(ref string) bool { return p.doubtful[ref] }

// withoutGuesses packs again where no guess had room: the notice must not speak of what is not there. What binds goes
// before it, and that some of it did not fit.
func (p *packing) withoutGuesses(req pack.Request, notice string) (*madePack, error) {
	req.Notice = cmp.Or(notice, unknown)
	req.Entries = slices.DeleteFunc(req.Entries, func(en pack.Entry) bool {
		if p.isDoubtful(en.Ref) {
			p.omitted[pack.Omission{Reason: pack.LessRelevant}]++
		}
		return p.isDoubtful(en.Ref)
	})
	req.Omitted = p.left()
	made, err := packed(req, formatOf(p.in.Format))
	binds := func(o pack.Omission) bool { return o.Section == trust.InConstraints }
	if err == nil && slices.ContainsFunc(made.page.Left, binds) {
		req.Notice = notice
		return packed(req, formatOf(p.in.Format))
	}
	return made, err
}
