package secrets

import (
	"strings"
	"testing"
)

func TestPrivateSpansAreTakenOut(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"nothing to hide", "nothing to hide"},
		{"a <private>b</private> c", "a [private] c"},
		{"a <private>b", "a [private]"},
		{"<PRIVATE>b</Private>", "[private]"},
		{"a <private>b</private><private>c</private> d", "a [private][private] d"},
		{"a <private>b <private>c</private> d</private> e", "a [private] e"},
		{"a <private reason=\"mine\">b</private > c", "a [private] c"},
		{"a <private>b\nc\n</private>\nd", "a [private]\nd"},
		{"a </private> b", "a </private> b"},
		{"a <privateKey>b</privateKey>", "a <privateKey>b</privateKey>"},
		{"a <private/> b", "a [private] b"},
		{"a <private", "a [private]"},
		{`{"a":"\u003cprivate\u003eb\u003c/private\u003e c"}`, `{"a":"[private] c"}`},
		{"a &lt;private&gt;b&lt;/private&gt; c", "a [private] c"},
		{`a <private>b<\/private> c`, "a [private] c"},
		{"a <private\u00a0>b</private> c", "a [private] c"},
		{"a <pri\nvate>b</private> c", "a [private] c"},
		{"a <pri\r\n  vate>b</pri\nvate> c", "a [private] c"},
		{"a < private >b</private > c", "a [private] c"},
		{"a <\u2003\nPRIVATE\n>b<\n/\nprivate\n> c", "a [private] c"},
		{"a <pri\u200bvate\ufeff>b</priv\u2060ate> c", "a [private] c"},
		{`a \u003cprivate\u00a0\u003eb\u003c/pri\nvate\u003e c`, "a [private] c"},
		{"a &lt;private&nbsp;&gt;b&lt;/private&gt; c", "a [private] c"},
		{"a %3Cprivate%3Eb%3C%2Fprivate%3E c", "a [private] c"},
		{"a ＜private＞b＜／private＞ c", "a [private] c"},
		{"a <private\u00a0", "a [private]"},
		{"a <pri vate>b", "a <pri vate>b"},
		{"a <privat\ne x", "a [private]"},
		{"a <private-room>b</private-room>", "a <private-room>b</private-room>"},
		{"<pri<private>x</private>vate>b</private>", "<pri[private]vate>b</private>"},
	} {
		if got := Private(tt.text); got != tt.want {
			t.Errorf("Private(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// A marked word never comes through, whatever stands around it, and what is left
// is left alone the second time.
func FuzzPrivate(f *testing.F) {
	f.Add("a ", " b")
	f.Add("<private>", "</private>")
	f.Add("</private><pri", "vate>")
	f.Add(`\u003c`, "&lt;private&gt;")
	f.Fuzz(func(t *testing.T, before, after string) {
		const word = "~hidden~"
		if strings.Contains(before+after, "~") || strings.Contains(before, "<") || strings.Contains(before, "&") ||
			strings.Contains(before, `\`) {
			return
		}
		got := Private(before + "<private>" + word + "</private>" + after)
		if strings.Contains(got, word) {
			t.Errorf("%q", got)
		}
		if again := Private(got); again != got {
			t.Errorf("Private(%q) = %q", got, again)
		}
	})
}
