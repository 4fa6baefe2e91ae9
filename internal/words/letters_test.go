package words

import "testing"

func TestSameLetters(t *testing.T) {
	const kafka = "We will use Kafka for events"
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{kafka, "WE WILL USE KAFKA FOR EVENTS", true},
		{kafka, "\u201cWe will use Kafka for events.\u201d", true},
		{kafka, "We will use **Kafka** for `events`", true},
		{kafka, "We will use Kafka for events \U0001f680\ufe0f", true},
		{kafka, "We will use Kafka for events?", true},
		{kafka, "We will use Kaf\u200bka for events", true},
		{kafka, "# We will use Kafka, for events\n", true},
		{kafka, "We will use Kafka for event", false},
		{kafka, "We will not use Kafka for events", false},
		{"Straße", "STRASSE", true},
		{"Caf\u00e9", "Cafe\u0301", true},
		{"The limit is 1.5 GB", "The limit is 15 GB", false},
		{"The limit is 1.5 GB", "the limit is 1,5 GB", true},
		{"We use C++", "We use C#", false},
		{"We use C++", "We use C", false},
		{"We use C++", "WE USE **C++**", true},
		{"\u0915\u093f", "\u0915\u093e", false}, // vowel signs
		{"\U0001f44d", "\U0001f44e", false},
		{"!", "?", false},
		{"", "", false},
	} {
		if got := SameLetters(tt.a, tt.b); got != tt.same {
			t.Errorf("SameLetters(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.same)
		}
	}
}
