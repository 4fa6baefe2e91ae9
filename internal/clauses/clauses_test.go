package clauses

import (
	"slices"
	"testing"
)

// What another text does not touch stays, in its own words.
func TestRest(t *testing.T) {
	for _, one := range []struct {
		older, newer string
		rest         []string
	}{
		{
			"We deploy on Fridays and the staging port is 8080.", "The staging port is 9090.",
			[]string{"We deploy on Fridays."},
		},
		{
			"We deploy on Fridays and the staging port is 8080", "We deploy on Mondays now.",
			[]string{"The staging port is 8080"},
		},
		{
			"Wir deployen freitags und der Staging-Port ist 8080.", "Der Staging-Port ist jetzt 9090.",
			[]string{"Wir deployen freitags."},
		},
		{
			"Wir deployen freitags und der Staging-Port ist 8080.", "Wir deployen ab sofort montags.",
			[]string{"Der Staging-Port ist 8080."},
		},
		{
			"We deploy on Fridays, Ben signs off releases and the staging port is 8080.", "Mira signs off releases now.",
			[]string{"We deploy on Fridays.", "The staging port is 8080."},
		},
		{
			"We keep orders in SQLite; Ben runs the nightly export.", "The nightly export is run by Mira.",
			[]string{"We keep orders in SQLite."},
		},
		{
			"The barn is rented from the parish. Ben has the key.", "Mira has the key now.",
			[]string{"The barn is rented from the parish."},
		},
		{
			"The fair is on 3 May, it opens at nine and the entry costs 4 euros.", "Entry costs 5 euros.",
			[]string{"The fair is on 3 May, it opens at nine."},
		},
		{
			"Nous déployons le vendredi et le port de staging est 8080.", "Le port de staging est 9090.",
			[]string{"Nous déployons le vendredi."},
		},
		{
			"I work from home on Fridays but my desk is in Leeds.", "My desk is in York now.",
			[]string{"I work from home on Fridays."},
		},
	} {
		if got := Rest(one.older, one.newer); !slices.Equal(got, one.rest) {
			t.Errorf("%q after %q: %q, want %q", one.older, one.newer, got, one.rest)
		}
	}
}

// A clause that leans on another, or a text whose clauses are not plainly joined, is not parted: nothing is said
// that no one said.
func TestNoRest(t *testing.T) {
	for _, one := range [][2]string{
		{"The billing service runs on node 4 and the port is 8080.", "The billing service runs on node 5."},
		{"The API is written in Go and its port is 8080.", "The API is written in Rust."},
		{"The API listens on 8080 and the UI on 9090.", "The UI listens on 9191."},
		{"Until June we deploy on Fridays and the port is 8080.", "We deploy on Mondays."},
		{"On site we deploy on Fridays and the port is 8080.", "We deploy on Mondays."},
		{"Ben says that we deploy on Fridays and the port is 8080.", "The port is 9090."},
		{"If the load is high, we deploy on Fridays and the port is 8080.", "The port is 9090."},
		{"We deploy on Fridays because the port is 8080 and the host is old.", "The host is new."},
		{"We deploy on Fridays and Mondays.", "We deploy on Tuesdays."},
		{"Both the API and the UI are in Go.", "The UI is in Rust."},
		{"The old port was 8080 and the new one is 9090.", "The old port was 7070."},
		{"We deploy on Fridays and then the cache is cleared.", "The cache is cleared by hand."},
		{"We deploy on Fridays and the staging port is 8080.", "We deploy on Mondays and the staging port is 9090."},
		{"We deploy on Fridays and the staging port is 8080.", "The barn has a new door."},
		{"The fair is on 3 May and entry costs 4 euros.", "The fair is cancelled."},
		{"Neither do we deploy on Fridays nor is the port 8080.", "The port is 9090."},
		{"The port is 8080, the docs say \"we deploy on Fridays and the port is 1\".", "The port is 9090."},
		{"Das Lager ist in Köln und das ist gut.", "Das Lager ist in Bonn."},
		{"Der Dienst läuft auf Knoten 4 und sein Port ist 8080.", "Der Dienst läuft auf Knoten 5."},
		{"Do we deploy on Fridays and is the port 8080?", "The port is 9090."},
	} {
		if got := Rest(one[0], one[1]); len(got) > 0 {
			t.Errorf("%q after %q: %q", one[0], one[1], got)
		}
	}
}
