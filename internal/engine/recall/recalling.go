package recall

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/stemma-memory/stemma/api"
	"github.com/stemma-memory/stemma/internal/brief"
	"github.com/stemma-memory/stemma/internal/engine/core"
	"github.com/stemma-memory/stemma/internal/engine/standing"
	"github.com/stemma-memory/stemma/internal/engine/trust"
	"github.com/stemma-memory/stemma/internal/pack"
	"github.com/stemma-memory/stemma/internal/store"
	"github.com/stemma-memory/stemma/internal/tokens"
)

// recallLayout is what a recall gives: what binds has a fifth of the budget, and what is left of that goes to answers.
// What meaning found has what both leave.
var recallLayout = pack.Layout{Name: "recall", Sections: []pack.Section{
	{Name: "always", Share: 20, Binds: true}, {Name: "results", Share: 80}, {Name: "perhaps", Late: true},
}}

// recalling is the answer of a recall being put together.
type recalling struct {
	s      *searching
	in     api.RecallRequest
	reply  *api.RecallReply
	always []*binding
	near   map[string]string // by ref, the part that meaning found
	firm   map[string]bool   // by ref, what a person decided and what bears on the question: it takes its place first
}

// choose fills the budget with what was found and what binds, and returns what was given of the former.
func (r *recalling) choose(rd *trust.Reading, all []api.Result, found []*standing.Found) ([]api.Result, error) {
	// what binds is no guess, nor behind one
	if slices.ContainsFunc(all, func(one api.Result) bool { return one.Perhaps }) {
		all = slices.DeleteFunc(slices.Clone(all), func(one api.Result) bool {
			return (one.Perhaps || one.Weak) && r.binds(one.Ref)
		})
	}
	all, r.reply.Note = onlyBearing(all, mostPerhaps, r.s.gathers == nil)
	if r.in.Limit > 0 {
		all = all[:min(r.in.Limit, len(all))]
	}
	r.reply.Warnings, r.reply.Gathered = r.s.warnings, r.s.gathers.reply()
	if r.s.e.receipts.KeepsReceipts() {
		r.reply.Receipt = "0000000000000000" // as long as any
	}
	results := make([]api.Recalled, len(all))
	for i := range all {
		results[i].Result = all[i]
	}
	if err := r.s.e.recallCode(rd, results); err != nil {
		return nil, err
	}
	r.firm, r.near = make(map[string]bool), r.s.nearParts(found)
	for _, f := range found {
		if f.Rating != nil && f.Rating.Decided() && r.s.bears(f) {
			r.firm[f.Ref.String()] = true
		}
	}
	talks, err := r.conversations(rd, results, found)
	if err != nil {
		return nil, err
	}
	var binds []*binding
	for _, b := range r.always {
		if !slices.ContainsFunc(all, func(one api.Result) bool { return one.Ref == b.given.Ref }) {
			binds = append(binds, b)
		}
	}
	if err := r.fit(results, talks, binds); err != nil {
		return nil, err
	}
	guess := func(one api.Recalled) bool { return one.Perhaps }
	if r.reply.Note == perhapsKnown && !slices.ContainsFunc(r.reply.Results, guess) { // it speaks of what is not there
		r.reply.Note = cmp.Or(noteOf(true, false, len(r.reply.Results) > 0), unknown)
		results = slices.DeleteFunc(results, guess)
		if err := r.fit(results, talks, binds); err != nil {
			return nil, err
		}
		// what binds goes before it, too
		if bound := len(r.reply.Constraints); r.reply.Note == unknown && bound < len(binds) {
			noted := *r.reply
			r.reply.Note = ""
			if err := r.fit(results, talks, binds); err != nil {
				return nil, err
			}
			if len(r.reply.Constraints) == bound {
				*r.reply = noted
			}
		}
	}
	r.s.leftOut = r.reply.LeftOut
	return r.given(all, binds, talks), nil
}

// binds reports whether a result is one of the constraints that bind whatever is asked.
func (r *recalling) binds(ref string) bool {
	return slices.ContainsFunc(r.always, func(b *binding) bool { return b.given.Ref == ref })
}

// fit fills the budget, and no more.
func (r *recalling) fit(results []api.Recalled, talks *talks, binds []*binding) error {
	budget := r.reply.Budget
	const tries, more = 10, 6 // and so many tokens more each time: the parts are weighed one by one
	for try := range tries {
		if err := r.fill(results, talks, binds, budget); err != nil {
			return err
		}
		over := r.s.e.sizeOf(r.in.Form, r.reply) - r.reply.Budget
		if over <= 0 {
			break
		}
		budget -= over + more*try + 1
	}
	for r.s.e.sizeOf(r.in.Form, r.reply) > r.reply.Budget && r.less() {
	}
	return nil
}

// less takes the last of what is given out of the answer; false is that nothing is left.
func (r *recalling) less() bool {
	switch reply := r.reply; {
	case len(reply.Results) > 0:
		reply.Results = reply.Results[:len(reply.Results)-1]
	case len(reply.Constraints) > 0:
		reply.Constraints = reply.Constraints[:len(reply.Constraints)-1]
	default:
		return false
	}
	r.reply.LeftOut++
	return true
}

// fill chooses for a budget.
func (r *recalling) fill(results []api.Recalled, talks *talks, binds []*binding, budget int) error {
	form := r.in.Form
	format := map[string]pack.Format{api.FormText: pack.Lined, api.FormShort: pack.Short}[form]
	if format == "" {
		format = pack.Weighed
	}
	req := pack.Request{
		Layout: recallLayout, Query: r.in.Query, Asked: r.s.terms, Budget: max(budget, pack.MinBudget),
		Around: string(r.s.e.printed(form, &api.RecallReply{
			Query: r.reply.Query, AsOf: r.reply.AsOf, Budget: r.reply.Budget, Note: r.reply.Note, Receipt: r.reply.Receipt,
			Warnings: r.reply.Warnings, Gathered: r.reply.Gathered, Results: []api.Recalled{},
		})),
	}
	byRef, place := make(map[string]api.Recalled), make(map[string]int)
	for ref, one := range talks.other {
		byRef[ref] = one
	}
	for i, b := range binds {
		byRef[b.given.Ref] = b.given
		req.Entries = append(req.Entries, pack.Entry{
			Ref: b.given.Ref, Section: "always", Speaker: b.given.Speaker, Text: b.given.Text,
			Shell: r.s.e.shellOf(form, &b.given),
			Score: -float64(i),
		})
	}
	score, guesses := math.Inf(1), 0
	for i := range results {
		one := &results[i]
		score = min(score, one.Score) // a line below another one does not rank higher here
		byRef[one.Ref], place[one.Ref] = *one, i
		if talks.follows[one.Ref] {
			continue
		}
		en := pack.Entry{
			Ref: one.Ref, Section: "results", Speaker: one.Speaker, Text: one.Text, Shell: r.s.e.shellOf(form, one),
			Score: score - float64(i)/(1<<20), Priority: len(results) - i,
			Firm: r.firm[one.Ref], Near: r.near[one.Ref],
		}
		if one.Perhaps {
			en.Section = "perhaps"
			guesses++
		}
		if en.Firm {
			en.Priority += len(results)
		}
		if turns := talks.turns[one.Ref]; len(turns) > 1 {
			en.Turns = turns
		}
		req.Entries = append(req.Entries, en)
	}
	made, err := pack.Build(req)
	if err != nil {
		return core.Invalid("%s", core.OneLine(err))
	}
	chosen, left := made.Choose(format)
	reply := r.reply
	reply.Results, reply.Constraints, reply.LeftOut = []api.Recalled{}, nil, 0
	for _, o := range left {
		reply.LeftOut += o.Count
	}
	for _, c := range chosen {
		for i := range c.Said {
			if w := &c.Said[i]; !w.Cut { // as it was said, line by line
				w.Text = byRef[w.Ref].Text
			}
		}
		one := byRef[c.Ref]
		main := c.Said[c.Main]
		one.Text, one.Cut, one.Words = main.Text, main.Cut, main.Words
		if c.Section == "always" {
			reply.Constraints = append(reply.Constraints, one)
			continue
		}
		if c.Section == "perhaps" {
			guesses--
		}
		one.Before, one.After = turnsOf(c.Said[:c.Main]), turnsOf(c.Said[c.Main+1:])
		reply.Results = append(reply.Results, one)
	}
	reply.LeftOut += guesses
	slices.SortStableFunc(reply.Results, func(a, b api.Recalled) int { return place[a.Ref] - place[b.Ref] })
	if r.s.gathers != nil {
		grouped(reply.Results, r.s.under)
	}
	for i := range reply.Results {
		reply.Results[i].Rank = i + 1
	}
	return nil
}

func turnsOf(said []pack.Said) (out []api.Turn) {
	for _, w := range said {
		out = append(out, api.Turn{
			Ref: w.Ref, By: w.By, Text: w.Text, Cut: w.Cut, Words: w.Words, Gap: w.Gap, Marks: w.Marks,
		})
	}
	return out
}

// given are the results that are in the answer. The receipt names what is given beside them too.
func (r *recalling) given(all []api.Result, binds []*binding, talks *talks) []api.Result {
	given := make(map[string]bool)
	for i := range r.reply.Results {
		one := &r.reply.Results[i]
		given[one.Ref] = true
		for _, t := range slices.Concat(one.Before, one.After) {
			given[t.Ref] = true
		}
	}
	for i := range r.reply.Constraints {
		given[r.reply.Constraints[i].Ref] = true
	}
	for _, b := range binds {
		if given[b.given.Ref] {
			r.s.also = append(r.s.also, b.found)
		}
	}
	for _, f := range talks.beside {
		if given[f.Ref.String()] {
			r.s.also = append(r.s.also, f)
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(one api.Result) bool { return !given[one.Ref] })
}

// talks are the conversations among results: one of each has a line, with the other turns before and after it.
type talks struct {
	turns   map[string][]pack.Turn  // by the result that has the line
	follows map[string]bool         // results that have none
	other   map[string]api.Recalled // turns that were no results
	beside  []*standing.Found
}

// conversations reads what was said beside the turns that answer.
func (r *recalling) conversations(
	rd *trust.Reading, results []api.Recalled, found []*standing.Found,
) (*talks, error) {
	t := &talks{
		turns: make(map[string][]pack.Turn), follows: make(map[string]bool), other: make(map[string]api.Recalled),
	}
	e := r.s.e
	given := make(map[string]int, len(results))
	for i := range results {
		given[results[i].Ref] = i
	}
	found = slices.DeleteFunc(slices.Clone(found), func(f *standing.Found) bool {
		_, is := given[f.Ref.String()]
		return !is || f.Record == nil
	})
	slices.SortStableFunc(found, func(a, b *standing.Found) int { return given[a.Ref.String()] - given[b.Ref.String()] })
	var c *conversations
	var err error
	if !r.s.keep.AsOf.IsZero() || r.s.in.All || r.in.Since != "" {
		c = &conversations{} // of another time, or by a filter: what stands beside may not be
	} else if c, err = e.conversations(rd, found, r.s); err != nil {
		return nil, err
	}
	items := c.items()
	trusted, err := e.trust.Rate(rd, items, false)
	if err != nil {
		return nil, err
	}
	said, err := e.settleIn(rd, items, trusted, nil)
	if err != nil {
		return nil, err
	}
	groups := make(map[string][]voiced)
	var order []string
	add := func(it *store.Item, v voiced) {
		in := conversationOf(it.Record)
		if in == "" {
			return
		}
		if groups[in] == nil {
			order = append(order, in)
		}
		groups[in] = append(groups[in], v)
	}
	for _, f := range found {
		one := &results[given[f.Ref.String()]]
		add(f.Item, voiced{entry: &pack.Entry{
			Ref: one.Ref, Text: one.Text, Speaker: one.Speaker, At: e.standing.Day(f.Record), Marks: one.Marks, Score: one.Score,
			Section: trust.InUnverified, Near: r.near[one.Ref],
		}, item: f.Item, hit: true})
	}
	for _, it := range items {
		if said.dropped(it.Ref.ID) != "" {
			continue
		}
		f := standing.Unscored(it, trusted[it.Ref.ID])
		if f.Settled = said.said[it.Ref.ID]; f.Settled != nil {
			f.Marks = f.Settled.Marks
		}
		one := api.Recalled{Result: r.s.result(f)}
		t.other[one.Ref], t.beside = one, append(t.beside, f)
		add(it, voiced{entry: &pack.Entry{
			Ref: one.Ref, Text: one.Text, Speaker: one.Speaker, At: e.standing.Day(it.Record), Marks: one.Marks,
			Section: trust.InUnverified,
		}, item: it})
	}
	for _, in := range order {
		made := one(groups[in])
		if len(made) == 0 || len(made[0].Turns) < 2 {
			continue
		}
		best := ""
		for _, v := range groups[in] {
			switch {
			case !v.hit:
			case best == "":
				best = v.entry.Ref
			default:
				t.follows[v.entry.Ref] = true
			}
		}
		t.turns[best] = made[0].Turns
	}
	return t, nil
}

func knownForm(form string) bool {
	return slices.Contains([]string{"", api.FormFull, api.FormShort, api.FormText}, form)
}

// printed is a reply as a form gives it.
func (e *Finder) printed(form string, reply *api.RecallReply) []byte {
	switch form {
	case api.FormText:
		return []byte(brief.Style{In: e.C.Zone}.Lines(reply))
	case api.FormShort:
		short, _ := brief.Of(*reply, e.C.Zone)
		text, _ := json.Marshal(short)
		return text
	}
	text, _ := json.MarshalIndent(reply, "", "  ")
	return text
}

// sizeOf is how many tokens a reply takes as a form gives it.
func (e *Finder) sizeOf(form string, reply *api.RecallReply) int {
	return tokens.Count(string(e.printed(form, reply)))
}

// shellOf is what a form prints of one result beside its words.
func (e *Finder) shellOf(form string, one *api.Recalled) string {
	bare := *one
	bare.Text, bare.Speaker, bare.Before, bare.After = "", "", nil, nil
	switch form {
	case api.FormText:
		return brief.Style{In: e.C.Zone}.Line(&bare)
	case api.FormShort:
		text, _ := json.Marshal(brief.OneOf(&bare, e.C.Zone))
		return string(text) + ","
	}
	const deep = "    "
	text, _ := json.MarshalIndent(&bare, deep, "  ")
	return "\n" + deep + string(text) + ","
}
