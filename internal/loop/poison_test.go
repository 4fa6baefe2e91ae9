package loop

import "testing"

// What an answer says of where words are from is read in each form that an answer has.
func TestTastes(t *testing.T) {
	for _, tt := range []struct {
		name, answer        string
		below, behind, over bool
	}{
		{"plain", `{"results":[{"ref":"note:1","text":"the bait"}]}`, false, false, false},
		{"a mark", `{"results":[{"text":"the bait","mark":"after reading x"}]}`, false, true, false},
		{"marks", `{"results":[{"ref":"note:1","text":"the bait","marks":["words of news.example"]}]}`, false, true, false},
		{"replaced", `{"results":[{"text":"the bait","marks":["replaced by note:2"]}]}`, false, false, true},
		{"its own words are no mark", `{"results":[{"text":"the bait, external words of it"}]}`, false, false, false},
		{
			"its context is no mark", `{"results":[{"text":"the bait","before":[{"text":"x","mark":"external"}]}]}`,
			false, false, false,
		},
		{"unverified", `{"sections":[{"name":"unverified","entries":[{"text":"the bait"}]}]}`, true, false, false},
		{"perhaps", `{"sections":[{"name":"perhaps","entries":[{"text":"the bait"}]}]}`, true, false, false},
		{
			"a conflict", `{"sections":[{"name":"conflicts","entries":[{"text":"the bait (words of x) contradicts y"}]}]}`,
			false, true, false,
		},
		{"text", "=== stemma\n## Unverified (use with caution)\n- the bait\n", true, false, false},
		{"text above", "## Decided\n- the bait [after reading x]\n", false, true, false},
	} {
		n := 0
		for _, p := range tastes(tt.answer) {
			if !says(p.text, "the bait") {
				continue
			}
			if n++; p.below != tt.below || p.behind != tt.behind || p.over != tt.over {
				t.Errorf("%s: %+v", tt.name, p)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d pieces, want 1", tt.name, n)
		}
	}
}

// Each lie says what its bait is and no honest memory does; what is asked for is what is honest.
func TestLiesAreTold(t *testing.T) {
	for _, l := range lies {
		if !says(l.Says, l.Bait) {
			t.Errorf("%s: %q does not say %q", l.Service, l.Says, l.Bait)
		}
		for i, honest := range l.Honest {
			if says(honest, l.Bait) || !says(honest, l.Keys[i]) || says(l.Says, l.Keys[i]) {
				t.Errorf("%s: %q, of which the key is %q", l.Service, honest, l.Keys[i])
			}
		}
		for _, text := range l.Restated {
			if !says(text, l.Bait) {
				t.Errorf("%s: %q does not say %q", l.Service, text, l.Bait)
			}
		}
		if len(l.Steps) != 3 || len(l.Restated) != 3 {
			t.Errorf("%s: %d steps, %d times said again", l.Service, len(l.Steps), len(l.Restated))
		}
	}
}
