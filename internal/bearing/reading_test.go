package bearing

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// read is how a question is read: its form, its names, what is wanted ("*" says it, "^" is what that is about), and its
// time.
func read(text string) string {
	g, ok := Gathers(text, asked)
	if !ok {
		return "one answer"
	}
	out := []string{g.Form + ":"}
	for _, n := range g.Names {
		out = append(out, strings.Join(n, "_"))
	}
	out = append(out, "|")
	for _, w := range g.Asked {
		is := w.Word
		if w.Head {
			is += "*"
		}
		if w.Topic {
			is += "^"
		}
		out = append(out, is)
	}
	for _, at := range []time.Time{g.Since, g.Until} {
		if !at.IsZero() {
			out = append(out, at.Format("<01-02"))
		}
	}
	return strings.Join(out, " ")
}

func TestHowAQuestionIsRead(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// ways to begin
		{"ok so please can you show me the rules of the house", "list: | rules* house^"},
		{"I want to see all decisions", "all: | decisions*"},
		{"I would like to know everything about Mira", "all: mira |"},
		{"let me see the decisions about trains", "list: | decisions* trains^"},
		{"do you remember all decisions about trains", "all: | decisions* trains^"},
		{"are there any rules", "one answer"},
		{"I need the rules", "list: | rules*"},
		{"the rules", "one answer"},
		{"bring us the boats", "list: | boats*"},
		// everything
		{"everything that we know of the mill", "all: | mill"},
		{"everything there is about the mill", "all: | mill"},
		{"everything we have stored about the mill", "all: | mill"},
		{"everything about", "one answer"},
		{"everything for the mill", "all: | mill"},
		{"everything Mira told", "all: mira |"},
		{"anything Mira told", "one answer"},
		{"everything mira told", "one answer"},
		{"everything Mira", "one answer"},
		{"everything you know you know you know you know about Mira", "one answer"},
		// all
		{"all about Mira", "all: mira |"},
		{"all of Mira", "one answer"},
		{"all on Mira", "one answer"},
		{"all that we know on Mira", "all: mira |"},
		{"all we know about", "one answer"},
		{"all decisions", "all: | decisions*"},
		{"every decision about trains", "all: | decision* trains^"},
		{"every single rule", "all: | single rule*"},
		{"all decision about trains", "one answer"},
		{"all boats sail at night", "one answer"},
		{"show all boats that sail at night", "all: | boats* sail night"},
		{"all the old rules of the house", "all: | rules* house^"},
		{"all decisions about trains that we made in March", "all: | decisions* trains^ <03-01 <04-01"},
		{"all decisions of the choir about the fair", "all: | decisions* choir^ fair^"},
		{"all decisions for 2025", "all: | decisions* <01-01 <01-01"},
		{"all persons", "all: | persons"},
		{"all news", "one answer"},
		{"all gas", "one answer"},
		{"all USBS", "one answer"},
		{"all tests", "all: | tests*"},
		{"all analytics", "one answer"},
		{"all virus", "one answer"},
		{"all glass", "one answer"},
		{"all bis", "one answer"},
		{"all hours", "one answer"},
		{"all ads", "one answer"},
		{"all maps", "all: | maps*"},
		// lists
		{"list of boats", "one answer"},
		{"list boats", "list: | boats*"},
		{"list boat", "one answer"},
		{"enumerate the old boats", "list: | boats*"},
		{"name the boats", "list: | boats*"},
		{"name boats", "one answer"},
		{"summarise our meetings with Jon", "list: jon | meetings*"},
		{"collect Mira's old boats", "list: mira | boats*"},
		// how many times
		{"how many times has Mira rowed", "times: mira | rowed"},
		{"how many occasions did Jon sing", "times: jon | sing"},
		{"how many boats sail", "one answer"},
		// about
		{"about Mira", "about: mira |"},
		{"about", "one answer"},
		{"tell me about how it works", "one answer"},
		{"the book about Mira", "one answer"},
		{"please about Mira", "one answer"},
		{"what have we learned about boats", "about: | boats"},
		{"what did they store on boats", "about: | boats"},
		{"what was said about boats", "about: | boats"},
		{"what do we know about", "one answer"},
		// what happened
		{"what happened today", "time: | <03-18 <03-19"},
		{"what has happened yesterday", "time: | <03-17 <03-18"},
		{"what was decided last month", "time: | <02-01 <03-01"},
		{"what have we learned this year", "time: | <01-01 <01-01"},
		{"what did Mira do last week", "one answer"},
		{"what happened on 2026-02-03", "time: | <02-03 <02-04"},
		{"what happened since 2026-02", "time: | <02-01"},
		{"what happened before February", "time: | <02-01"},
		// which, what are, who are
		{"which old boats does Mira row", "which: mira | boats* row"},
		{"which boat does Mira row", "one answer"},
		{"which boats", "which: | boats*"},
		{"which the boats", "one answer"},
		{"which boats never sail", "which: | boats* never sail"},
		{"which boats likes Mira", "which: mira | boats* likes"},
		{"which boats red sail", "one answer"},
		{"which airline flies to Bern", "one answer"},
		{"which airline flies in March", "which: | airline flies* <03-01 <04-01"},
		{"which boats races of Bern", "which: bern | boats races*"},
		{"which old boats Mira of Bern", "which: mira bern | boats*"},
		{"which Mira's boats sail", "one answer"},
		{"what are the boats of Mira", "are: mira | boats*"},
		{"what are we selling", "one answer"},
		{"what are there boats", "one answer"},
		{"what were the boats", "are: | boats*"},
		{"whose are the boats", "one answer"},
		{"who are the members", "are: | members*"},
		{"who boats", "one answer"},
		{"what of boats", "one answer"},
		{"what's boats", "one answer"},
		{"which is boats", "one answer"},
		{"list boats sailing about the mill", "one answer"},
		{"all boats about the mill of Mira", "all: mira | boats* mill^"},
		{"all boats that sail concerning mills", "all: | boats* sail concerning mills^"},
		{"all boats today red", "all: | boats* red <03-18 <03-19"},
		{"all boats this week red", "all: | boats* red <03-16 <03-23"},
		{"all boats last month red", "all: | boats* red <02-01 <03-01"},
		{"all boats this year red", "all: | boats* red <01-01 <01-01"},
		{"all boats in March red", "all: | boats* red <03-01 <04-01"},
		{"all boats in March 2024 red", "all: | boats* red <03-01 <04-01"},
		{"all boats 2024-02-03 red", "all: | boats* red <02-03 <02-04"},
		{"all boats in 2024 red", "all: | boats* red <01-01 <01-01"},
		{"red boats since last week all", "one answer"},
		{"all boats since last month red", "all: | boats* red <02-01"},
		{"show me Which boats sail", "one answer"},
		{"show me What are the boats", "are: | boats*"},
		{"show me How many times Jon sang", "times: jon | sang"},
		{"show me All boats", "all: | boats*"},
		{"show me Everything about boats", "all: | boats"},
		{"show me About boats", "about: | boats"},
		{"please What do we know about boats", "about: | boats"},
		// names
		{"Mira Kovač", "name: mira_kovac |"},
		{"Mira of Bern", "one answer"},
		{"Mira Anna Kovač Maier", "name: mira_anna_kovac_maier |"},
		{"Mira Anna Kovač Maier Huber", "one answer"},
		{"Mira's", "one answer"},
		{"Which Boat", "one answer"},
		{"Which", "name: which |"},
		{"Mira 2025", "one answer"},
		{"all boats of Mira Kovač and Jon", "all: mira_kovac jon | boats*"},
		{"all boats of Mira's choir and Jon's", "all: mira jon | boats* choir^"},
		{"all IDs of userID_x", "one answer"},
	} {
		if got := read(tt.text); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.text, got, tt.want)
		}
	}
	long := "list boats that" + strings.Repeat(" x", 37)
	if read(long) == "one answer" || read(long+" x") != "one answer" {
		t.Error("a question of 40 words does not gather, or one of 41 does")
	}
	wide := "list boats that " + strings.Repeat("x", 984)
	if read(wide) == "one answer" || read(wide+"x") != "one answer" {
		t.Error("a question of 1,000 bytes does not gather, or a longer one does")
	}
}

// What a time is, on Wednesday the 18th of March 2026.
func TestWhichTimeIsMeant(t *testing.T) {
	for text, want := range map[string]string{
		"all boats today":              "2026-03-18 2026-03-19",
		"all boats yesterday":          "2026-03-17 2026-03-18",
		"all boats this week":          "2026-03-16 2026-03-23",
		"all boats last week":          "2026-03-09 2026-03-16",
		"all boats past week":          "2026-03-09 2026-03-16",
		"all boats this month":         "2026-03-01 2026-04-01",
		"all boats last month":         "2026-02-01 2026-03-01",
		"all boats this year":          "2026-01-01 2027-01-01",
		"all boats last year":          "2025-01-01 2026-01-01",
		"all boats last boat":          "",
		"all boats on 2026-02-03":      "2026-02-03 2026-02-04",
		"all boats in 2026-02":         "2026-02-01 2026-03-01",
		"all boats in March":           "2026-03-01 2026-04-01",
		"all boats in mar":             "2026-03-01 2026-04-01",
		"all boats in April":           "2025-04-01 2025-05-01",
		"all boats in sept":            "2025-09-01 2025-10-01",
		"all boats in may":             "2025-05-01 2025-06-01",
		"all boats during June 2024":   "2024-06-01 2024-07-01",
		"all boats of December 2024":   "2024-12-01 2025-01-01",
		"all boats for 2024":           "2024-01-01 2025-01-01",
		"all boats since 2024":         "2024-01-01 ",
		"all boats after March":        "2026-03-01 ",
		"all boats from yesterday":     "2026-03-17 ",
		"all boats before 2024-02-03":  " 2024-02-03",
		"all boats until May":          " 2025-05-01",
		"all boats till last week":     " 2026-03-09",
		"all boats in 1900":            "1900-01-01 1901-01-01",
		"all boats in 1899":            "",
		"all boats in 2200":            "2200-01-01 2201-01-01",
		"all boats in 2201":            "",
		"all boats 2024":               "", // a number by itself
		"all boats March":              "", // a name, or a month
		"all boats 2024-02-03":         "2024-02-03 2024-02-04",
		"all boats in 02024":           "",
		"all boats in March then 2024": "2026-03-01 2026-04-01",
	} {
		p := &phrase{now: asked, noun: -1}
		for _, f := range fieldsOf(text) {
			p.words, p.low = append(p.words, f), append(p.low, strings.ToLower(f))
		}
		p.owns, p.used = make([]bool, len(p.low)), make([]bool, len(p.low))
		day := func(at time.Time) string {
			if at.IsZero() {
				return ""
			}
			return at.Format(time.DateOnly)
		}
		since, until := p.period()
		got := day(since) + " " + day(until)
		if strings.TrimSpace(got) == "" {
			got = ""
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		taken := ""
		for i, is := range p.used {
			if is {
				taken += p.low[i] + " "
			}
		}
		if (taken != "") != (want != "") || strings.Contains(taken, "boats") {
			t.Errorf("%q: %q says the time", text, taken)
		}
	}
	sunday := asked.AddDate(0, 0, 4)
	for now, want := range map[time.Time]string{asked: "03-16", sunday: "03-16", sunday.AddDate(0, 0, 1): "03-23"} {
		p := &phrase{now: now, low: []string{"this", "week"}, words: []string{"this", "week"}, used: make([]bool, 2)}
		if since, _ := p.period(); since.Format("01-02") != want {
			t.Errorf("on %v the week began on %v, want %s", now, since, want)
		}
	}
}

// What a question that wants one answer asks for: its names, what is asked, of that the focus, and the shape.
func TestWhatOneQuestionAsksFor(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"Which browser does Mira use?", "=mira browser *browser / , , plain false"},
		{"Which old red boat of the mill does Jon row", "=jon old red boat mill row *old *red *boat / , , plain false"},
		{"What is the speed of the boat?", "speed boat *speed / , , plain false"},
		{"What boat is fast", "boat fast *boat / , , plain false"},
		{"What is Mira like", "=mira like / , , plain false"},
		{"whose boat sails", "boat sail *boat *sail / , , plain false"},
		{"whose is the boat", "boat / , , plain false"},
		{"Who designed the mill?", "design mill *design / , , plain false"},
		{"Who is Jon", "=jon / , , plain false"},
		{"How old is the mill?", "old mill *old / , , plain false"},
		{"How does it sail", "sail / , , plain false"},
		{"Please tell me about boats", "boat *boat / , , plain true"},
		{"about boats", "boat / , , plain true"},
		{"is it about", " / , , plain false"},
		{"and now then so which boat", "boat / , , plain true"},
		{"Where is the ledger", "ledger / place, place, plain false"},
		{"In which town is it", "town *town / place, place, plain false"},
		{"which town is it", "town *town / place, place, plain false"},
		{"When did it sail", "sail / time, time, plain false"},
		{"Why did it sail", "sail / reason, reason, plain false"},
		{"How many boats", "boat / figure, figure, plain false"},
		{"How much is it", " / figure, figure, plain false"},
		{"so tell me when it sails", "sail / , time, plain true"},
		{"In which year was the boat painted", "year boat paint *year / , time, plain false"},
		{"tell us now in which year", "year / , , plain true"},
		{"the boat", "boat / , , plain true"},
		{"which tool do we use", "tool / , , plain false"},
		{"WHICH BOAT DOES MIRA ROW", "boat mira row *boat / , , plain false"},
		{"Which Boat Does Mira Row", "=boat =mira =row / , , plain false"},
		{"Which file_name has fooBar2", "=filename_file_name =foobar2_foo_bar2 / , , plain false"},
		{"Which boat boats", "boat *boat / , , plain false"},
		{"how often does the clock ring", "often clock ring *often / , , plain false"},
		{"wie alt ist die boat", " / , , plain false"},
		{"", " / , , plain true"},
	} {
		q := Read(tt.text)
		var out []string
		for _, n := range q.names {
			out = append(out, "="+strings.Join(n, "_"))
		}
		for _, a := range q.asked {
			out = append(out, a.term)
		}
		for _, a := range q.focus {
			out = append(out, "*"+a.term)
		}
		got := fmt.Sprintf("%s / %s, %s, plain %v", strings.Join(out, " "), q.shape, q.looks, q.plain)
		if got != tt.want {
			t.Errorf("%q asks %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Where in a question its focus is, from one place to another.
func TestTheFocusOfAQuestion(t *testing.T) {
	for text, want := range map[string][2]int{
		"what is the speed of boats": {3, 4}, "what boat is it": {1, 2}, "what is speed": {0, 0}, "which is the boat": {0, 0},
		"which old boat sails of": {1, 4}, "which": {1, 1}, "who sails": {1, 2}, "who is it": {0, 0}, "who": {1, 2},
		"how old is it": {1, 2}, "how is it": {0, 0}, "so how old is it": {2, 3}, "now so tell me which boat": {0, 0},
		"tell me about the boat": {3, 5}, "it is about": {0, 0}, "is about boats": {0, 0}, "whose boat is it": {1, 2},
		"": {0, 0},
	} {
		if from, to := focus(strings.Fields(text)); [2]int{from, to} != want {
			t.Errorf("%q is about %d to %d, want %v", text, from, to, want)
		}
	}
	for text, want := range map[string][2]int{
		"the old rules of it": {2, 3}, "is it": {-1, 0}, "the is": {-1, 1}, "": {-1, 0}, "rules": {0, 1}, "Mira's": {-1, 1},
		"red books Mira": {1, 3}, "books Mira sail": {2, 3}, "Mira": {0, 1}, "the": {-1, 1},
	} {
		p := &phrase{noun: -1}
		for _, f := range strings.Fields(text) {
			p.words, p.low = append(p.words, strip(f)), append(p.low, strings.ToLower(strip(f)))
			p.owns = append(p.owns, strings.HasSuffix(f, "'s"))
		}
		p.used = make([]bool, len(p.low))
		if head, next := p.head(0); [2]int{head, next} != want {
			t.Errorf("%q leads to %d, and on at %d, want %v", text, head, next, want)
		}
	}
}

func TestWhatAnAnswerLooksLike(t *testing.T) {
	for _, tt := range []struct {
		shape, text string
		want        bool
	}{
		{"place", "it is in Bern", true}, {"place", "Bern it is", false}, {"place", "it is in bern", false},
		{"place", "it is in May", false}, {"place", "it is of Bern", false}, {"place", "see src/main.go", true},
		{"place", "see ./main", false}, {"place", "In Bern", true}, {"place", "a/ b", false},
		{"time", "it is 5", true}, {"time", "on Monday.", true}, {"time", "it is so", false}, {"time", "b2b is it", true},
		{"reason", "it broke because of rain", true}, {"reason", "because", false}, {"reason", "so because", true},
		{"reason", "it broke", false}, {"figure", "it has seven", true}, {"figure", "it has 7", true}, {"figure",
			"it has some", false},
		{"", "it is in Bern because of 7", false},
	} {
		if got := shaped(tt.text, tt.shape); got != tt.want {
			t.Errorf("%q looks like a %s: %v", tt.text, tt.shape, got)
		}
	}
	for text, want := range map[string]string{
		"the boat is red": "boat", "The old boat of the mill sails is": "boat", "Mira is here": "mira", "it Mira is here": "",
		"we are here": "", "boat": "", "is red": "", "a b c d e f g is red": "g", "a b c d e f g h is red": "",
		"the boat under the roof is red": "boat", "The boat's sail is red": "sail",
	} {
		if got := head(text); got != want {
			t.Errorf("%q speaks of %q, want %q", text, got, want)
		}
	}
}

// How much of a question a text must have.
func TestHowMuchIsEnough(t *testing.T) {
	for _, tt := range []struct {
		question, text string
		weak           bool
		share          float64
	}{
		{"is red blue green yellow wood so", "red", true, 0.2},
		{"is red blue green yellow wood so", "red blue", false, 0.4},
		{"is red blue green yellow wood so", "red blue wood", false, 0.6},
		{"is red blue green so", "red", true, 1. / 3},
		{"is red blue so", "red", false, 0.5},
		{"is red so", "blue", true, 0},
		{"is red of Mira so", "red", true, 0.5},
		{"is red of Mira so", "red Mira", false, 1},
		{"is red of Mira so", "Mira", true, 0.5},
		{"is red blue green of Mira so", "red blue green", false, 0.75},
		{"is red blue of Mira so", "red blue", true, 2. / 3},
		{"which wood is red blue", "red blue", true, 2. / 3},
		{"which wood is red blue", "wood red", false, 2. / 3},
		{"which wood is red blue green", "red blue green", false, 0.75},
		{"Where is red wood", "red wood", false, 2. / 3},
		{"Where is red wood", "red wood in Bern", false, 1},
		{"red wood", "blue", false, 1},
		{"is it", "blue", false, 1},
		{"is red so", "the red is so", false, 1},
		{"is red so", "the blue is red", false, 0.5},
		{"is red of Mira so", "the mira is red of Mira", false, 1},
	} {
		q := Read(tt.question)
		weak, share := q.Weak(tt.text), q.Share(tt.text)
		if tt.question == "red wood" {
			weak = false // words that are no question are judged by their share
		}
		if weak != tt.weak || share < tt.share-1e-9 || share > tt.share+1e-9 {
			t.Errorf("%q in %q: weak %v, share %v; want %v, %v", tt.question, tt.text, weak, share, tt.weak, tt.share)
		}
	}
	for _, tt := range []struct {
		question, text string
		weak           bool
	}{
		{"is red of Mira and Jon so", "Mira Jon", false}, {"is red of Mira and Jon so", "Mira", true},
		{"is red of Mira and Jon so", "RED", false}, {"is it of Mira", "x", false}, {"is red of Mira so", "Mira", true},
	} {
		if got := Read(tt.question).WeakTurn(tt.text); got != tt.weak {
			t.Errorf("%q in the turn %q: weak %v", tt.question, tt.text, got)
		}
	}
	for text, want := range map[string]bool{
		"red": true, "a red": true, "red a": true, "a red a": true, "reds": false, "ared": false, "a-red": false,
		"ared red": true,
		"":         false, "reds red": true, "redred": false,
	} {
		if got := hasWord(text, "red"); got != want {
			t.Errorf("%q has red: %v", text, got)
		}
	}
	if hasWord("red", "") {
		t.Error("a text has no word")
	}
	q := Read("is the number so")
	if !q.asked[0].in(map[string]bool{}, "7") || q.asked[0].in(map[string]bool{}, "x") {
		t.Error("a digit is no number, or a letter is one")
	}
	if n := q.namesFound(nil); n != 0 {
		t.Errorf("%d names are found in nothing", n)
	}
	for word, want := range map[string]bool{"Mira": true, "mira": false, "MIRA": false, "a1": true, "a_b": true,
		"aB": true, "É": false} {
		if got := named(word); got != want {
			t.Errorf("%s is a name: %v", word, got)
		}
	}
	for word, want := range map[string]string{"'Mira's'": "Mira", "Mira’s": "Mira", "(a)": "a", "...": "",
		"a.b.": "a.b", "1": "1"} {
		if got := strip(word); got != want {
			t.Errorf("%s is %q, want %q", word, got, want)
		}
	}
	if got := fieldsOf("a.b, c-d (e/f) g's h’s i_j; k"); !slices.Equal(got, []string{"a.b", "c-d", "e/f", "g's", "h’s",
		"i_j", "k"}) {
		t.Errorf("fields are %q", got)
	}
}

func TestHowMuchOfAGatheringATextHas(t *testing.T) {
	g, ok := Gathers("all decisions about trains of Mira", asked)
	if !ok {
		t.Fatal("it does not gather")
	}
	for has, want := range map[string]struct {
		share    float64
		head, ok bool
	}{
		"":                     {0, false, false},
		"mira":                 {0, false, false},
		"mira trains":          {0.5, false, true},
		"mira decisions":       {0.5, true, false}, // not of trains
		"mira decisions train": {1, true, true},
		"decisions trains":     {0, false, false},
	} {
		is := func(w Wanted) bool { return strings.Contains(has, strings.TrimSuffix(w.Word, "s")) }
		share, head, ok := g.Share(is, func(t string) bool { return strings.Contains(has, t) })
		if share != want.share || head != want.head || ok != want.ok {
			t.Errorf("what has %q has %v, head %v, %v; want %+v", has, share, head, ok, want)
		}
	}
	about, _ := Gathers("everything about Mira", asked)
	if share, head, ok := about.Share(nil, func(string) bool { return true }); share != 1 || !head || !ok {
		t.Errorf("of a name alone: %v, %v, %v", share, head, ok)
	}
}
