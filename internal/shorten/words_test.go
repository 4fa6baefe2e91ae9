package shorten

import "testing"

// A text that fits is whole; one that does not ends after a word, if half of the room or more are whole words.
func TestWordsAreWhole(t *testing.T) {
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{
		{"hello big world", 15, "hello big world"}, {"hello big world", 14, "hello big"}, {"hello big world", 9, "hello big"},
		{"hello big world", 10, "hello big"}, {"hello big world", 8, "hello"}, {"hello big world", 4, "hell"},
		{"a bcdefgh", 8, "a bcdefg"}, {"abcd efgh", 8, "abcd efg"}, {"abcde fgh", 8, "abcde"}, {"hello ", 9, "hello"}, {"",
			3, ""},
		{"hello", 0, ""},
	} {
		if got := Words(tt.s, tt.n); got != tt.want {
			t.Errorf("%q in %d bytes is %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
	for _, tt := range []struct {
		s    string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"aé", 2, "a"}, {"é", 1, ""}, {"abc", -1, ""}, {"abc", 0, ""}} {
		if got := To(tt.s, tt.n); got != tt.want {
			t.Errorf("%q in %d bytes is %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}
