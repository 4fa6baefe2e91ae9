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
		{kafka, "We will use K\u0430fk\u0430 for events", true},                          // Cyrillic
		{kafka, "W\u0435 will us\u0435 K\u0430fk\u0430 f\u043er \u0435v\u0435nts", true}, // more of it
		{kafka, "We will use \u039aafka for events", true},                               // Greek
		{kafka, "We will use \uff2b\uff41\uff46\uff4b\uff41 for events", true},           // full width
		{kafka, "We will use \U0001d40aafka for events", true},                           // of mathematics
		{kafka, "We will use \u1d0b\u1d00\ua730\u1d0b\u1d00 for events", true},           // small capitals
		{kafka, "We will use K\u0335a\u20d2fk\u1dc4a for events", true},                  // struck out
		{kafka, "We will use Ka\u2060f\u00adk\ufeffa for events", true},                  // what nobody sees
		{kafka, "We will use Ka\u2800fka for events", true},                              // a blank that is no space
		{"an app", "an \u0430\u0440\u0440", true},                                        // a word of nothing else
		{"an app", "an \u0410\u0420\u0420", true},
		{"\u0441\u043e\u0441\u043d\u0430", "\u0441\u043e\u043a", false},
		{"\u039d\u0395\u03a1\u039f", "\u03bd\u03b5\u03c1\u03bf", true}, // Greek in capitals
		{"We use Go", "We use G\u00f8", true},
		{"We use Kafka", "We use Kavka", false},
		{"", "", false},
	} {
		if got := SameLetters(tt.a, tt.b); got != tt.same {
			t.Errorf("SameLetters(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.same)
		}
	}
}
