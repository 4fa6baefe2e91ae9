package quoting

import "strings"

// contexts is what stands around the sentences of an answer: a heading, the first row of a table or a line that ends
// with a colon may deny all that follows, and a short sentence the one before it.
type contexts struct {
	text      string
	before    int // where the sentence before ended
	heading   string
	level     int    // of the heading that denies
	lead      string // the word that denies in the line with a colon
	taken     bool   // something stood below that line
	row       bool   // the sentence before was a row of a table
	struck    bool
	takesBack bool // this sentence denies the one before
	first     bool // it begins its line
}

// enter reports why what a sentence quotes is denied by what is around it, "" if nothing does.
func (c *contexts) enter(from, to int, s *saying) string {
	between := strings.Count(c.text[min(c.before, from):from], "\n")
	c.first = c.before == 0 || between > 0
	c.takesBack = c.before > 0 && between < 2 && takesBack(s)
	c.before = to
	if between > 1 {
		c.struck = false
		if c.first && c.taken && !item(s.text) {
			c.lead = ""
		}
	}
	if c.first && level(s.text) > 0 {
		c.lead = ""
		return ""
	}
	c.taken = true
	if marks := strings.Count(s.text, "~~"); c.struck || marks > 0 && !strings.HasPrefix(s.text, "~~~") ||
		strings.Contains(s.whole, "<del>") || strings.Contains(s.whole, "<s>") {
		c.struck = c.struck != (marks%2 == 1)
		return "struck out"
	}
	switch {
	case c.lead != "":
		return c.lead + ", in the line above"
	case c.heading != "":
		return c.heading + ", in the heading"
	}
	return ""
}

// leave notes what a sentence says of those below it.
func (c *contexts) leave(s *saying) {
	row := strings.HasPrefix(s.text, "|")
	switch n := level(s.text); {
	case c.first && n > 0:
		if c.heading == "" || n <= c.level {
			c.heading, c.level = s.denied(), n
		}
	case strings.HasSuffix(strings.TrimRight(s.text, " *_"), ":"), row && !c.row:
		c.lead, c.taken = s.denied(), false
	}
	c.row = row
}

// level is that of a heading, 0 of what is none.
func level(text string) int {
	rest := strings.TrimLeft(text, "#")
	if n := len(text) - len(rest); n > 0 && n < 7 && strings.HasPrefix(rest, " ") {
		return n
	}
	return 0
}

// item reports whether a text begins as an item of a list, a quotation or a row of a table.
func item(text string) bool {
	head, _, _ := strings.Cut(text, " ")
	switch head {
	case "-", "*", "+", "•", "–":
		return true
	}
	return strings.HasPrefix(text, ">") || strings.HasPrefix(text, "|") ||
		len(head) > 1 && len(head) < 5 && strings.Trim(head[:len(head)-1], "0123456789") == "" &&
			strings.ContainsAny(head[len(head)-1:], ".)")
}

// denied returns the first word outside of quotations that denies, "" if there is none.
func (s *saying) denied() string {
	for i := range s.words {
		if !s.quoted[i] && s.words[i].negates() {
			return s.words[i].text
		}
	}
	return deniesInside(s.adds())
}

// takesBack reports whether a sentence only says of the one before that it is not so.
func takesBack(s *saying) bool {
	const mostPointing, mostBare = 8, 4 // words
	if len(s.words) == 0 || len(s.words) > mostPointing {
		return false
	}
	denies := false
	for i := range s.words {
		denies = denies || s.words[i].negates()
	}
	return denies && (pointing()[s.words[0].text] || len(s.words) <= mostBare && s.words[0].negates())
}
