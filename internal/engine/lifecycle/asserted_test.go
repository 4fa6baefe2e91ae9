package lifecycle

import "testing"

// A statement is the person's as it is where a sentence, or an item of their own list, says it just so.
func TestAsserted(t *testing.T) {
	const said = "Orders are kept in PostgreSQL"
	for text, want := range map[string]bool{
		said + ".": true,
		"By the way, orders are kept in PostgreSQL.": true,
		"- " + said + ".":                 true,
		"* " + said:                       true,
		"2. " + said:                      true,
		"**" + said + ".** Thanks!":       true,
		"A few changes.\n- " + said + ".": true,
		"Two things.\r\n- Use Bazel.\r\n- " + said + ".\r\n": true,
		"Changes:\n- " + said:                                false, // as after "Options:", which no rule tells apart
		"Bob wrote:\n\n1. Use Bazel.\n2. " + said:            false,
		"Bob wrote:\n- x\n\nI agree.\n- " + said:             true,
		"> - " + said:                                        false,
		"- \"" + said + "\"":                                 false,
		"- Bob says: " + said:                                false,
		"- I doubt that orders are kept in PostgreSQL":       false,
	} {
		if got := asserted(text, said); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
