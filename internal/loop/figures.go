package loop

// A Share counts how many of what was wanted was found.
type Share struct {
	Wanted int `json:"wanted"`
	Found  int `json:"found"`
}

// Of returns the share, 0 to 1; of nothing wanted it is 1.
func (s Share) Of() float64 { return ratio(s.Found, s.Wanted, 1) }

func (s *Share) add(t Share) { s.Wanted, s.Found = s.Wanted+t.Wanted, s.Found+t.Found }

// Current is where what is so now stood among the results of the questions.
type Current struct {
	Asked int `json:"asked"`
	First int `json:"first"` // it was the first result
	Third int `json:"third"` // it was among the first three
}

// Stale is how often something that is no longer so was given as current.
type Stale struct {
	Asked int `json:"asked"`
	Given int `json:"given"` // anywhere, without a mark
	First int `json:"first"` // as the first result, marked or not
}

// Start is what sessions began with.
type Start struct {
	Share
	Tokens int `json:"tokens"` // of the longest
}

// Tokens are what a model reads, at most.
type Tokens struct {
	Definitions int `json:"definitions"` // of the tools that are listed
	Hits        int `json:"hits"`        // a search with five results
	Remember    int `json:"remember"`    // the answer to a remember
	Median      int `json:"remember_median"`
	Naming      int `json:"remember_naming"` // the median of those that name other memories
}

// A Miss is a step that did not come out as it should.
type Miss struct {
	Line int    `json:"line"`
	Step string `json:"step"`
	Text string `json:"text"`
	Why  string `json:"why"`
}

// A Result is what was measured on one scenario, or on all.
type Result struct {
	Scenario string  `json:"scenario,omitempty"`
	Current  Current `json:"current"`
	Stale    Stale   `json:"stale"`
	Start    Start   `json:"start"`
	Kept     Share   `json:"kept"`
	Once     Share   `json:"once"`
	Silence  Share   `json:"silence"`
	Change   Change  `json:"change"`
	Open     []Share `json:"open"` // by session, the results, and those marked as undecided
	Tokens   Tokens  `json:"tokens"`
	Acts     int     `json:"acts"`    // decisions that the person made
	Waiting  int     `json:"waiting"` // decisions that a person is asked for at the end
	Misses   []Miss  `json:"misses,omitempty"`

	sizes, naming []int // of the answers to remembers, and of those that name other memories, in tokens
}

// A Report is what was measured: with agents that do what the scenarios say, and with agents that also
// tell what is no longer so.
type Report struct {
	Played
	Told Played `json:"told"`
}

// Played is what was measured when scenarios were played once.
type Played struct {
	All       Result   `json:"all"`
	Scenarios []Result `json:"scenarios"`
}

// Sum adds up what was measured on several scenarios.
func Sum(results []Result) (all Result) {
	for i := range results {
		s := &results[i]
		all.Current.Asked += s.Current.Asked
		all.Current.First += s.Current.First
		all.Current.Third += s.Current.Third
		all.Stale.Asked += s.Stale.Asked
		all.Stale.Given += s.Stale.Given
		all.Stale.First += s.Stale.First
		all.Start.add(s.Start.Share)
		all.Start.Tokens = max(all.Start.Tokens, s.Start.Tokens)
		all.Kept.add(s.Kept)
		all.Once.add(s.Once)
		all.Silence.add(s.Silence)
		all.Change.add(&s.Change)
		for i := range s.Open {
			all.openIn(i + 1).add(s.Open[i])
		}
		all.Tokens.Definitions = max(all.Tokens.Definitions, s.Tokens.Definitions)
		all.Tokens.Hits = max(all.Tokens.Hits, s.Tokens.Hits)
		all.sizes, all.naming = append(all.sizes, s.sizes...), append(all.naming, s.naming...)
		all.Acts += s.Acts
		all.Waiting += s.Waiting
	}
	all.weigh()
	return all
}

// At1 is current@1, and At3 current@3, 0 to 1.
func (c Current) At1() float64 { return ratio(c.First, c.Asked, 1) }

// At3 is current@3, 0 to 1.
func (c Current) At3() float64 { return ratio(c.Third, c.Asked, 1) }

// PerHundred is how many decisions a person is asked for per 100 facts.
func (r Result) PerHundred() float64 { return 100 * ratio(r.Waiting, r.Kept.Wanted, 0) }

func ratio(part, whole int, none float64) float64 {
	if whole == 0 {
		return none
	}
	return float64(part) / float64(whole)
}
