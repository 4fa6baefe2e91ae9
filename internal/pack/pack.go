// Package pack sets memories out for a model to read, within a hard budget of tokens.
//
// It reads nothing and remembers nothing: the caller says what there is, with its section, its tier and
// its score; the package chooses, cuts, makes harmless, prints and counts what it left out.
package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/sorting"
)

// The budgets a pack may have.
const (
	MinBudget = 100
	MaxBudget = 50000
)

// A Level is a budget with a name.
type Level string

// The levels. For the same entries a higher one holds all that a lower one does.
const (
	Minimal Level = "minimal"
	Task    Level = "task"
	Deep    Level = "deep"
)

// levels are the named budgets from the lowest up.
var levels = [...]struct {
	name   Level
	tokens int
}{{Minimal, 500}, {Task, 2000}, {Deep, 4000}}

// Tokens returns the budget of a level, 0 for a level there is not. The zero Level is Task.
func (l Level) Tokens() int {
	l = cmp.Or(l, Task)
	for _, known := range levels {
		if known.name == l {
			return known.tokens
		}
	}
	return 0
}

// An Entry is one memory as a pack shows it. Every text in it is taken for a stranger's.
type Entry struct {
	Ref     string
	Section string // the Name of a section of the layout
	Kind    string
	Type    string
	Tier    string    // grounded, observed, inferred, hypothesis, or nothing
	State   string    // said in place of the tier where a section has a mark of its own: needs_review, stale
	Text    string    // all that it says; cut around what answers where there is no room for it
	Near    string    // the part of Text that meaning found: what is cut is cut around it
	Speaker string    // whose words these are, of captured words and of quotes
	Firm    bool      // a person decided it: it takes its place before what is not decided
	Shell   string    // what callers print beside its words: see Weighed
	Turns   []Turn    // in place of Text, Ref and Speaker: a conversation, in its order
	Path    string    // code it speaks of
	Why     string    // why it is here or what became of it, in short
	Marks   []string  // what a reader must know beside the words: each reading gives the same
	Store   string    // project or user: shown only where entries of both are given
	At      string    // a time
	When    time.Time // the same in the zone of the reader: the time of day is given where it says more
	By      string    // who wrote it, and in which space, where another person did
	Agent   bool      // only an agent has verified it
	Place   string    // verified or observed, where the section holds both
	Origin  string    // owner, agent, tool or import
	Review  string    // pending, approved, rejected or nothing
	Level   string    // of trust

	Actionable bool // one may act on it without asking
	Disputed   bool // by a witness who counts, or by its own author
	Origins    int  // of its sources: the more independent ones come first, where all else is equal
	External   bool // its words come from outside, and no independent person confirms them
	Said       bool // nothing stands behind it but that it was said
	bare       bool // cut so short that little else is said of it
	Set        bool // the words of memories in Text are in quotation marks already, see Quote

	Priority int     // within its section, the highest first
	Score    float64 // among equals of priority, and between sections
}

// A Turn is one record of a conversation.
type Turn struct {
	Ref    string
	By     string
	At     string // where it is not the entry's
	Text   string
	Near   string // see Entry
	Marks  []string
	Hit    bool // it answers; another is there since it stands beside one that does
	Person bool // a person said it
	Score  float64
}

// An Omission counts entries of a section that are not shown, for one reason.
type Omission struct {
	Section string `json:"section,omitempty"`
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	Needs   int    `json:"needs_budget,omitempty"` // a budget that holds all of the section
}

// Reasons that Build itself gives.
const (
	ForBudget    = "budget"
	ForDuplicate = "duplicate"     // another entry has the same Ref
	LessRelevant = "less relevant" // than what is given; a caller says so too
)

// A Request says what a pack is made of.
type Request struct {
	Layout  Layout // the zero Layout is Context
	Query   string
	Asked   []string // the terms of the query that an answer may have: what is cut is cut around them
	Level   Level    // the zero Level is Task
	Budget  int      // 0: the level's
	Fancy   bool     // pictures in text, for people at a terminal
	Notice  string   // one line about all of it, such as that nothing could be verified
	Waits   string   // one line about what waits to be done by whoever reads it
	Zone    string   // of the days of entries; "" says none
	Around  string   // what callers print around entries: see Weighed
	Entries []Entry
	Omitted []Omission // what the caller left out already

	Gathered string // the form of a question that wants everything; "" is any other. Programs are told
}

// A Pack is a request made ready to be printed. It does not change: many may print it at once.
type Pack struct {
	layout   Layout
	query    string
	level    Level
	budget   int
	fancy    bool
	notice   string
	waits    string
	zone     string
	around   string
	asked    []string
	ranked   bool // by how well entries answer a query
	gathered string
	entries  []Entry    // without duplicates, as they were given
	order    [][]int    // of each section, its entries from the best down
	omitted  []Omission // by the caller, and duplicates
}

// Build checks a request. It refuses a budget under MinBudget or over MaxBudget, a level there is not,
// an entry of a section that the layout has not, a count below 0.
// The same entries in any order make the same pack.
func Build(req Request) (*Pack, error) {
	layout := req.Layout
	if len(layout.Sections) == 0 {
		layout = Context
	}
	budget, err := budgetOf(req)
	if err != nil {
		return nil, err
	}
	p := &Pack{
		layout: layout, query: strings.ReplaceAll(oneLine(req.Query, maxQuery), "===", `==\u{3d}`),
		level: req.Level, budget: budget, fancy: req.Fancy,
		notice: oneLine(req.Notice, maxNotice), waits: oneLine(req.Waits, maxNotice), zone: oneLine(req.Zone, maxName),
		asked: req.Asked, around: req.Around,
		ranked: req.Query != "", gathered: oneLine(req.Gathered, maxName),
	}
	if p.level == "" && req.Budget == 0 {
		p.level = Task
	}
	for _, o := range req.Omitted {
		if o.Count < 0 {
			return nil, fmt.Errorf("pack: %d left out of %q", o.Count, o.Section)
		}
		p.omit(oneLine(o.Section, maxName), oneLine(o.Reason, maxName), o.Count)
	}
	if err := p.take(req.Entries); err != nil {
		return nil, err
	}
	return p, nil
}

func budgetOf(req Request) (int, error) {
	budget := req.Level.Tokens()
	if budget == 0 {
		return 0, fmt.Errorf("pack: no level %q: minimal, task or deep", req.Level)
	}
	if req.Budget != 0 {
		budget = req.Budget
	}
	if budget < MinBudget || budget > MaxBudget {
		return 0, fmt.Errorf("pack: budget of %d tokens: from %d to %d", budget, MinBudget, MaxBudget)
	}
	return budget, nil
}

// take sorts entries into their sections.
func (p *Pack) take(entries []Entry) error {
	p.order = make([][]int, len(p.layout.Sections))
	sorted := make([]int, len(entries))
	at := make([]int, len(entries))
	stores := map[string]bool{}
	for i, e := range entries {
		sorted[i] = i
		at[i] = slices.IndexFunc(p.layout.Sections, func(s Section) bool { return s.Name == e.Section })
		if at[i] < 0 {
			return fmt.Errorf("pack: %s: no section %q", e.Ref, e.Section)
		}
		stores[e.Store] = true
	}
	delete(stores, "")
	sorting.By(sorted, func(i, j int) int {
		if at[i] != at[j] {
			return at[i] - at[j]
		}
		return compare(&entries[i], &entries[j])
	})
	seen := make(map[string]bool, len(entries))
	p.entries = make([]Entry, 0, len(entries))
	for _, i := range sorted {
		e := entries[i]
		if len(e.Turns) > 0 {
			e.Ref = e.Turns[0].Ref
		}
		if e.Ref != "" && seen[e.Ref] {
			p.omit(e.Section, ForDuplicate, 1)
			continue
		}
		seen[e.Ref] = true
		if len(stores) < 2 {
			e.Store = ""
		}
		p.order[at[i]] = append(p.order[at[i]], len(p.entries))
		p.entries = append(p.entries, e)
	}
	date(p.entries)
	return nil
}

// compare puts the better of two entries of a section first.
func compare(a, b *Entry) int {
	if c := cmp.Compare(b.Priority, a.Priority); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Score, a.Score); c != 0 {
		return c
	}
	if c := cmp.Compare(b.Origins, a.Origins); c != 0 {
		return c
	}
	if c := strings.Compare(a.Ref, b.Ref); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(a.Text, b.Text), strings.Compare(a.Path, b.Path), strings.Compare(a.Why, b.Why),
		strings.Compare(a.At, b.At))
}

func (p *Pack) omit(section, reason string, count int) {
	if count == 0 {
		return
	}
	for i := range p.omitted {
		if p.omitted[i].Section == section && p.omitted[i].Reason == reason {
			p.omitted[i].Count += count
			return
		}
	}
	p.omitted = append(p.omitted, Omission{Section: section, Reason: reason, Count: count})
}

// Budget is the number of tokens no rendering goes over.
func (p *Pack) Budget() int { return p.budget }
