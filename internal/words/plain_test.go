package words

import "testing"

func TestPlainOfASCIIIsPlain(t *testing.T) {
	for _, text := range []string{"", "Use **Go** `1.26`, ~not~ C", "\x00 a\tB\n*", "one_two THREE"} {
		short, ok := plainASCII(text)
		if !ok {
			t.Fatalf("%q is ASCII", text)
		}
		// a letter that is none of ASCII takes the long way
		if long := Plain(text + "é"); long != short+"é" {
			t.Errorf("%q: %q, want %q", text, short+"é", long)
		}
	}
	if _, ok := plainASCII("é"); ok {
		t.Error("é is no ASCII")
	}
}
