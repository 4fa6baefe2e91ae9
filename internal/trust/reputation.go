package trust

// Reputation is an author's record so far: r of the author's memories were independently
// confirmed and are undisputed, s disputes were upheld. A new author has half of One.
func Reputation(r, s int) int {
	const most = 1 << 32 // beyond it nothing changes any more
	r, s = min(max(r, 0), most), min(max(s, 0), most)
	all := r + s + 2
	return (2*One*(r+1) + all) / (2 * all) // rounded half up
}

// An Opinion shows where witnesses disagree, and how little is known where few
// have spoken. The three make One.
type Opinion struct{ Belief, Disbelief, Uncertainty int }

// opinion is (c, d, 2) in parts of their sum. Rounding never adds to belief.
func opinion(confirms, disputes int) Opinion {
	said := confirms + disputes
	if said == 0 {
		return Opinion{Uncertainty: One}
	}
	all := said + 2
	u := (2*2*One + all) / (2 * all) // rounded half up
	b := (One - u) * confirms / said
	return Opinion{Belief: b, Disbelief: One - u - b, Uncertainty: u}
}
