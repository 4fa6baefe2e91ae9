package hosts

import (
	"strings"
	"testing"
)

const torn = `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"},` +
	`"tool_response":{"stdout":"one\ntwo é \u00e9 \"q\"","list":[1,2,{"a":"b"}]}}`

// Wherever a host is cut off, what came whole before is kept, and nothing else is made of it.
func TestAnEventIsReadAsFarAsItGoes(t *testing.T) {
	for n := 1; n < len(torn); n++ {
		e, err := ReadEvent(ClaudeCode, "PostToolUse", []byte(torn[:n]))
		if err != nil {
			if n > len(`{"session_id":"s",`) {
				t.Errorf("%q: %v", torn[:n], err)
			}
			continue
		}
		if !e.Torn {
			t.Errorf("%q: it does not say that its end is missing", torn[:n])
		}
		var kept []string
		for _, o := range e.Observed("1") {
			kept = append(kept, o.Text)
		}
		all := strings.Join(kept, "|")
		if n > strings.Index(torn, `"tool_response"`) && !strings.Contains(all, "Bash: ls") {
			t.Errorf("%q: the call is lost: %q", torn[:n], all)
		}
		if n > strings.Index(torn, "two") && !strings.Contains(all, "one") {
			t.Errorf("%q: the output is lost: %q", torn[:n], all)
		}
	}
	for _, text := range []string{"[1,2]", "7", `"x"`, "null x", "{]", `{"a":1}}`, `{"a" 1}`, "\x00\x01",
		strings.Repeat("[", 1e6)} {
		if e, err := ReadEvent(ClaudeCode, "PostToolUse", []byte(text)); err == nil {
			t.Errorf("%.20q is read as %+v", text, e.fields)
		}
	}
}

func FuzzMended(f *testing.F) {
	f.Add([]byte(torn))
	f.Add([]byte(`{"a":[{"b":"\`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, host := range Names() {
			if e, err := ReadEvent(host, installedFirst(host), text); err == nil {
				e.Observed("1")
			}
		}
	})
}

func installedFirst(host string) string {
	for event, m := range moments[host] {
		if m == used {
			return event
		}
	}
	return ""
}
