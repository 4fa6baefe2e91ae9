package lazy

import "testing"

func TestWhatIsAskedForIsThere(t *testing.T) {
	words := Words("one two\n\t three")
	for word, want := range map[string]bool{"one": true, "three": true, "": false, "one two": false, "four": false} {
		if words.Has(word) != want {
			t.Errorf("Has(%q) = %v, want %v", word, !want, want)
		}
	}
	p := Regexp("^a+$")
	if first := p.Get(); !p.Get().MatchString("aa") || p.Get().MatchString("b") || p.Get() != first {
		t.Error("the pattern is not what it was made of, or is made twice")
	}
}

// What is no expression is found out at its first use, and not before.
func TestNoExpression(t *testing.T) {
	bad := Regexp("(")
	defer func() {
		if recover() == nil {
			t.Error("it is taken")
		}
	}()
	bad.Get()
}

// Making something costs nothing but itself.
func BenchmarkWords(b *testing.B) {
	for b.Loop() {
		Words("one two three")
	}
}
