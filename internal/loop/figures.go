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
	Given int `json:"given"`
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
	Tokens   Tokens  `json:"tokens"`
	Acts     int     `json:"acts"`    // decisions that the person made
	Waiting  int     `json:"waiting"` // decisions that a person is asked for at the end
	Misses   []Miss  `json:"misses,omitempty"`
}

// A Report is what was measured.
type Report struct {
	All       Result   `json:"all"`
	Scenarios []Result `json:"scenarios"`
}

func reportOf(results []Result) Report {
	r := Report{Scenarios: results}
	for i := range results {
		s := &results[i]
		r.All.Current.Asked += s.Current.Asked
		r.All.Current.First += s.Current.First
		r.All.Current.Third += s.Current.Third
		r.All.Stale.Asked += s.Stale.Asked
		r.All.Stale.Given += s.Stale.Given
		r.All.Start.add(s.Start.Share)
		r.All.Start.Tokens = max(r.All.Start.Tokens, s.Start.Tokens)
		r.All.Kept.add(s.Kept)
		r.All.Once.add(s.Once)
		r.All.Silence.add(s.Silence)
		r.All.Tokens.Definitions = max(r.All.Tokens.Definitions, s.Tokens.Definitions)
		r.All.Tokens.Hits = max(r.All.Tokens.Hits, s.Tokens.Hits)
		r.All.Tokens.Remember = max(r.All.Tokens.Remember, s.Tokens.Remember)
		r.All.Acts += s.Acts
		r.All.Waiting += s.Waiting
	}
	return r
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
