package bearing

import (
	"strings"
	"testing"
	"time"
)

var asked = time.Date(2026, time.March, 18, 10, 0, 0, 0, time.UTC) // a Wednesday

// Questions that want everything are told from those that want one answer by their grammar.
func TestGathers(t *testing.T) {
	for _, tt := range []struct{ form, text string }{
		{All, "Everything about Mira"},
		{All, "Tell me everything you know about the importer, please."},
		{All, "Everything Mira said about the boat"},
		{All, "all decisions about the importer"},
		{All, "Show me all of Mira's meetings"},
		{All, "all we know about the ledger"},
		{All, "Is there anything about the ledger?"},
		{List, "List the ports of the gateway"},
		{List, "Please list our vendors"},
		{List, "give me the rules for merging"},
		{List, "Name the members of the choir"},
		{List, "Can you list Mira's hobbies?"},
		{Several, "Which songs has Mira learned?"},
		{Several, "what instruments does Jon play"},
		{Several, "Which red boats Mira rows"},
		{Several, "What people does Mira know?"},
		{Plural, "What are Mira's hobbies?"},
		{Plural, "what were the reasons for the move"},
		{Plural, "Who are the members of the choir?"},
		{Times, "How many times did Mira row to the island?"},
		{About, "Tell me about Mira"},
		{About, "What do you know about the old mill?"},
		{About, "what is known about Mira"},
		{Name, "Mira"},
		{Name, "Mira Kovač"},
		{Name, "王芳"},
		{Name, "It"},
		{Period, "What happened last week?"},
		{Period, "what did we decide in February"},
		{"", "which option did we choose"},
		{Several, "Which price changes were made?"},
		{"", "Which bus does Mira take?"},
		{"", "Which airline flies to Bern?"},
		{"", "Which address does the gateway have?"},
		{"", "Which of the options did we choose?"},
		{"", "Which Kubernetes version do we run?"},
		{"", "What is Mira's shoe size?"},
		{"", "What's Mira's favourite song?"},
		{"", "what are we using for payments"},
		{"", "What did we decide about the roof?"},
		{"", "Where are orders kept?"},
		{"", "Who is Mira?"},
		{"", "Who leads the choir?"},
		{"", "How many guests does the boat carry?"},
		{"", "How often does the boat sail?"},
		{"", "When did Mira move?"},
		{"", "What hours is the office open?"},
		{"", "What news is there?"},
		{"", "all tests run at night"},
		{"", "everything works"},
		{"", "Does everything go through Acme Pay?"},
		{"", "list price of the boat"},
		{"", "show me the config"},
		{"", "change the importer"},
		{"", "mira"},
		{"", "the importer"},
		{"", "Wo sind alle Boote von Mira?"},
		{"", "Donaudampfschifffahrtsgesellschaft fährt wohin"},
		{"", "关于王芳的一切都在哪里呢 朋友 吗 好 的"},
		{"", "what happened to the boat"},
		{"", "what happened"},
		{"", "all"},
		{"", "everything"},
		{"", "the of and which"},
		{"", "🛶"},
		{"", ""},
	} {
		g, ok := Gathers(tt.text, asked)
		if ok != (tt.form != "") || ok && g.Form != tt.form {
			t.Errorf("%q: form %q, %v, want %q", tt.text, g.Form, ok, tt.form)
		}
	}
	if _, ok := Gathers(strings.Repeat("everything about Mira ", 2500), asked); ok {
		t.Error("a text of 10,000 words gathers")
	}
}

// What is wanted is told apart: names, other words and the time.
func TestWhatIsGathered(t *testing.T) {
	day := func(s string) time.Time {
		if s == "" {
			return time.Time{}
		}
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, tt := range []struct{ text, names, wanted, since, until string }{
		{"What are Mira Kovač's hobbies?", "Mira Kovač", "hobbies", "", ""},
		{"Which songs do Mira and Jon sing?", "Mira Jon", "songs sing", "", ""},
		{"everything about Will", "Will", "", "", ""},
		{"all decisions since March", "", "decisions", "2026-03-01", ""},
		{"all decisions before 2026-02-03", "", "decisions", "", "2026-02-03"},
		{"list Mira's meetings in February 2025", "Mira", "meetings", "2025-02-01", "2025-03-01"},
		{"What happened in May?", "", "", "2025-05-01", "2025-06-01"},
		{"what happened last week", "", "", "2026-03-09", "2026-03-16"},
		{"what happened this month", "", "", "2026-03-01", "2026-04-01"},
		{"what happened yesterday", "", "", "2026-03-17", "2026-03-18"},
		{"all meetings in 2025", "", "meetings", "2025-01-01", "2026-01-01"},
		{"everything about May", "May", "", "", ""},
	} {
		g, ok := Gathers(tt.text, asked)
		names, wanted := g.Words()
		if !ok || strings.Join(names, " ") != tt.names || strings.Join(wanted, " ") != tt.wanted ||
			!g.Since.Equal(day(tt.since)) || !g.Until.Equal(day(tt.until)) {
			t.Errorf("%q: %v, names %q, wanted %q, %v to %v", tt.text, ok, names, wanted, g.Since, g.Until)
		}
	}
}

func FuzzGathers(f *testing.F) {
	f.Add("Which songs has Mira learned since last May 2026-01-01?")
	f.Add("everything about ' 's Mira's's 2026-13-45 in in")
	f.Fuzz(func(t *testing.T, text string) {
		g, ok := Gathers(text, asked)
		g.Words()
		if ok && g.Form == "" {
			t.Fatalf("%q gathers in no form", text)
		}
		if s, _, is := g.Share(func(Wanted) bool { return true }, func(string) bool { return true }); s > 1 || !is {
			t.Fatalf("%q: what has all has %v", text, s)
		}
	})
}
