// Package tokens counts the tokens of a text exactly as language models' vocabularies part it: o200k_base
// and cl100k_base, both as OpenAI's tiktoken defines them.
package tokens

// A Cost is a number of tokens by each of the vocabularies. Costs are added before Max is taken: the larger
// of two sums is less than the sum of the larger ones.
type Cost struct {
	O200k, Cl100k int
}

// Add returns the sum of two costs.
func (c Cost) Add(d Cost) Cost { return Cost{c.O200k + d.O200k, c.Cl100k + d.Cl100k} }

// Sub returns what is left of a cost without another.
func (c Cost) Sub(d Cost) Cost { return Cost{c.O200k - d.O200k, c.Cl100k - d.Cl100k} }

// Max returns the larger number.
func (c Cost) Max() int { return max(c.O200k, c.Cl100k) }

// Count returns how many tokens a text has, by that vocabulary which gives it more. It is exact for every
// text; names of special tokens, such as <|endoftext|>, are text like any other.
//
// Where programs that count by the same vocabulary differ, it is the larger number. They differ at empty lines
// that have blanks in them, at characters that newer versions of Unicode call letters, and at bytes that are no
// UTF-8: those are counted both as they are and as the U+FFFD that a host sends for each.
func Count(s string) int { return Of(s).Max() }

// Of returns how many tokens a text has by each vocabulary. Count says what is exact.
func Of(s string) Cost {
	o, c := o200k(), cl100k()
	var sum Cost
	for v := range readings(s) {
		sum.O200k = max(sum.O200k, o.count(v, all))
		sum.Cl100k = max(sum.Cl100k, c.count(v, all))
	}
	return sum
}

// Fits reports whether Count(s) <= most, and reads no more of the text than it takes to know.
func Fits(s string, most int) bool {
	if len(s)/longest > max(most, 0) {
		return false
	}
	o, c := o200k(), cl100k()
	for v := range readings(s) {
		if len(v.text) > most && (o.count(v, most) > most || c.count(v, most) > most) {
			return false
		}
	}
	return true
}
