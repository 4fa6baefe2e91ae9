package bearing

import (
	"testing"

	"pgregory.net/rapid"
)

func TestWeak(t *testing.T) {
	for _, tt := range []struct {
		question, text string
		weak           bool
	}{
		{"Where is the ledger kept?", "The ledger is kept in the vault.", false},
		{"Which database holds the tickets?", "Tickets are kept in PostgreSQL.", false},
		{"Who drew the poster of the fair?", "The fair opens at nine.", true},
		{"What is Mira's shoe size?", "Mira leads the choir.", true},
		{"What is Mira's shoe size?", "Jon's shoe size is 44.", true},
		{"Which helicopter does the choir use?", "The choir uses the parish hall.", true},
		{"How old is Jon?", "Jon has a red bicycle.", true},
		{"How old is Jon?", "Jon was born in 1980.", false},
		{"How often does the boat sail?", "The boat sails twice a day.", false},
		{"Through which provider do payments go?", "Payments go through Acme Pay.", false},
		{"What did we decide about the roof?", "We decided to paint the door.", true},
		{"Where does Mira live?", "Mira lives in Bern.", false},
		{"In which year was the boat painted?", "The boat was painted blue in 2019.", false},
		{"In which year was the boat painted?", "The boat was painted blue.", true},
		{"Who maintains the importer?", "The importer reads CSV files.", true},
		{"the importer", "The importer reads CSV files.", false},
		{"Wo ist das Protokoll?", "The boat sails twice a day.", false}, // no words of that language are known
		{"", "The boat sails twice a day.", false},
		{"What do you know?", "The boat sails twice a day.", false},
	} {
		if got := Read(tt.question).Weak(tt.text); got != tt.weak {
			t.Errorf("%q of %q: weak %v, want %v", tt.question, tt.text, got, tt.weak)
		}
	}
}

// A turn of a conversation is weak only if it has nothing of what is asked.
func TestWeakTurn(t *testing.T) {
	q := Read("Which song makes Mira brave?")
	if q.WeakTurn("Yes, that song again!") || !q.WeakTurn("Good morning, Mira.") {
		t.Error("a turn with a word that was asked for is weak, or one with only the name is not")
	}
}

// What answers in the shape that was asked for, and speaks of what was asked, has more of it.
func TestShare(t *testing.T) {
	for _, tt := range []struct{ question, more, less string }{
		{"Where does Mira work?", "Mira leads the choir in Bern.", "Mira wants a report on Monday."},
		{"Why do we not merge on Fridays?", "We do not merge on Fridays, so that nobody is called.", "We merge on Fridays."},
		{"How much does the boat carry?", "The boat carries 40 guests.", "The boat carries the mail."},
		{"When is the fair?", "The fair is in May.", "The fair is in the park."},
		{"Is the roof green?", "The roof is green.", "The door under the roof is green."},
	} {
		q := Read(tt.question)
		if more, less := q.Share(tt.more), q.Share(tt.less); more <= less || more > 1 || less < 0 {
			t.Errorf("%q: %q has %.2f, %q has %.2f", tt.question, tt.more, more, tt.less, less)
		}
	}
}

func FuzzBearing(f *testing.F) {
	f.Add("Which song makes Mira brave?", "Yes, that song.")
	f.Add("about about", "' '' /")
	f.Fuzz(func(t *testing.T, question, text string) {
		q := Read(question)
		if s := q.Share(text); !(s >= 0 && s <= 1) {
			t.Fatalf("share %v", s)
		}
		q.Weak(text)
		q.WeakTurn(text)
	})
}

// A word that stands between spaces gives the term that it has by itself: a turn with it is not weak, however it is
// looked for.
func TestAWordBetweenSpacesGivesItsTerm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-z]{1,12}|went|children|running|their|boxes`).Draw(t, "word")
		around := rapid.StringMatching(`([A-Za-z0-9'’._/-]{0,9}[ ,!?]{0,2}){0,6}`)
		text := around.Draw(t, "before") + " " + word + " " + around.Draw(t, "after")
		q := Read("find " + word + " wardrobe")
		fast := q.WeakTurn(text)
		for i := range q.asked {
			q.asked[i].word = ""
		}
		if slow := q.WeakTurn(text); fast != slow {
			t.Fatalf("%q in %q: weak is %v, and %v by its terms", word, text, fast, slow)
		}
	})
}
