package evolve

// A duty is what a rule says of doing something.
type duty uint8

const (
	may duty = 1 << iota
	must
	mustNot
	needNot
)

// duties says what a text, if it is a rule, says of doing something.
func (r *reading) duties() duty {
	var d duty
	for i, t := range r.tokens {
		denied := t.denied%2 == 1 || i+1 < len(r.tokens) && r.tokens[i+1].word == "not" && r.tokens[i+1].clause == t.clause
		switch t.word {
		case "must", "should", "always", "mandatory", "required", "shall", "compulsory", "obligatory":
			switch {
			case !denied:
				d |= must
			case t.word == "must" || t.word == "should" || t.word == "shall":
				d |= mustNot
			default:
				d |= needNot
			}
		case "avoid":
			if i == 0 {
				d |= mustNot
			}
		case "may", "fine", "ok", "okay", "allowed", "permitted", "welcome", "acceptable":
			if denied {
				d |= mustNot
			} else {
				d |= may
			}
		case "optional", "voluntary":
			d |= needNot
		case "forbidden", "prohibited", "banned", "taboo":
			d |= mustNot
		case "never", "no":
			if i == 0 {
				d |= mustNot
			}
		case "do":
			if i == 0 && denied {
				d |= mustNot
			}
		}
	}
	if d == 0 && len(r.tokens) > 0 && r.verb == 0 && baseVerbs()[r.tokens[0].word] {
		d = must
	}
	return d
}

// rulesClash says whether two rules cannot both be followed.
func (c *comparison) rulesClash() (string, bool) {
	if c.coverage() < 0.5 || c.topical < 2 && c.subject != same || c.o.tricky() || c.n.tricky() {
		return "", false
	}
	clash := func(a, b duty) bool {
		return a == mustNot && b&(may|must) != 0 && b&mustNot == 0 || a == must && b == needNot
	}
	a, b := c.o.duties(), c.n.duties()
	if clash(a, b) || clash(b, a) {
		return "two rules", true
	}
	return "", false
}
