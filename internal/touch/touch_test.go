package touch

import "testing"

// A text that tells a change of something, or names its old value beside another, says otherwise than the older one.
func TestAgainst(t *testing.T) {
	for _, one := range []struct {
		newer, older string
		want         bool
	}{
		{"The vet is Dr Moreau from now on, Dr Ames retired.", "The vet is Dr Ames.", true},
		{"We no longer rent the barn.", "The barn is rented from the parish.", true},
		{"Sorry, 40 litres.", "The tank holds 35 litres.", true},
		{"I meant the ferry and not the train.", "The parcels go by train.", true},
		{"The vet is Dr Ames.", "The vet is Dr Ames.", false},
		{"The barn has a new door.", "The barn is rented from the parish.", false},
		{"The mill service listens on port 8080.", "The barn service listens on port 9090.", false},
		{"An order that was paid may not be deleted, only cancelled with a reason.",
			"Orders older than a year are moved to the archive on the first Sunday of a month.", false},
		{"The pump of hall B runs at 60 bar now.", "The pump of hall A runs at 40 bar.", false},
		{"The pump of hall A runs at 60 bar now.", "The pump of hall A runs at 40 bar.", true},
		{"The tank is green.", "The tank holds 35 litres.", false},
		{"Depot1b was painted by firm 101.", "Depot1a was painted by firm 100.", false},
		{"If the vet were Dr Moreau from now on, who would call her?", "The vet is Dr Ames.", false},
	} {
		if got := Of(one.newer).Against(Of(one.older)); got != one.want {
			t.Errorf("%q against %q: %v", one.newer, one.older, got)
		}
	}
	if Spoken("It is not true that the vet is Dr Moreau now.").Against(Of("The vet is Dr Ames.")) {
		t.Error("what is said within something is no statement")
	}
}

// A newer text has enough of an older one where both have more in common than what they are of.
func TestPoints(t *testing.T) {
	for _, one := range []struct {
		newer, older string
		want         bool
	}{
		{"The offer for the roof rose to 9,000 euros.", "The roof will cost 8,000 euros.", true},
		{"Joan looks after the bees now.", "Piet keeps the bees.", true},
		{"The harbour office has two desks.", "The harbour office opens at seven.", false},
	} {
		if got := Of(one.newer).Points(Of(one.older)) >= Enough; got != one.want {
			t.Errorf("%q and %q: %v", one.newer, one.older, got)
		}
	}
}

// Of several things that a text says, a newer one takes the place of those that it says too.
func TestInPart(t *testing.T) {
	old := Of("The fair is on 3 May, it opens at nine and entry costs 4 euros.")
	if !Of("Entry to the fair costs 5 euros.").InPart(old) {
		t.Error("the day stays")
	}
	if Of("The fair opens at ten.").InPart(Of("The fair opens at nine, because the bus comes at eight.")) {
		t.Error("a reason is no further thing")
	}
}

// A revision takes up what a newer text says where it has its words in the place of names and values of the older one.
func TestTakesUp(t *testing.T) {
	const (
		old   = "The caretaker is Mr Osei."
		newer = "Mr Osei moved out of the house, the new caretaker is Mrs Blum."
	)
	for revision, want := range map[string]bool{
		"The caretaker is Mrs Blum.":                        true,
		"The caretaker of the house is Mr Osei.":            false, // it still says so
		"Mr Osei takes care of the house.":                  false,
		"The caretaker is Mr Adler.":                        false, // neither
		"The caretaker is Mr Osei.":                         false,
		"Mrs Blum is the caretaker, Mr Osei was until May.": true,
		"The caretaker is Mr Osei, not Mrs Blum.":           false,
	} {
		if got := Of(revision).TakesUp(Of(newer), Of(old)); got != want {
			t.Errorf("%q: %v, want %v", revision, got, want)
		}
	}
	if !Of("The staging port is 9090.").TakesUp(Of("It is 9090 since Monday."), Of("The staging port is 8080.")) {
		t.Error("a value that is said otherwise is taken up")
	}
	if !Of("Parcels go by ferry.").TakesUp(Of("I meant the ferry and not the train."), Of("Parcels go by train.")) {
		t.Error("a thing that is said otherwise is taken up")
	}
}
