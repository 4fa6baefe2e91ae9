package extract

import (
	"strings"
	"testing"
	"time"
)

// TestLongTexts: no text takes long, whatever it repeats.
func TestLongTexts(t *testing.T) {
	for _, s := range []string{"I ", "my my ", "\"", "`a", "a.", "Alice ", "Alice's ", "I think ", "we used X for Y. ", "://", "never ", "(", "\n", "- a\n", "1 failed\n", "I have a dog. "} {
		text := strings.Repeat(s, (1<<20)/len(s))
		begin := time.Now()
		_, drafts := Remember(text, noon)
		held(t, drafts, 1)
		held(t, Process([]Event{{Text: text, Type: "user_prompt"}, {Text: text, Type: "tool_output"}}), 2)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q repeated takes %v", s, took)
		} else {
			t.Logf("%q: %v, %d drafts", s, took, len(drafts))
		}
	}
}
