package strict

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// Members and elements stand where they are said to, whatever is in them and between them.
func TestMembersStandWhereTheyAreSaidTo(t *testing.T) {
	space := rapid.SampledFrom([]string{"", " ", "\n\t", "  "})
	var value func(*rapid.T, int) string
	value = func(t *rapid.T, depth int) string {
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		if depth > 2 {
			kind = 0
		}
		pad := func(s string) string { return space.Draw(t, "before") + s + space.Draw(t, "after") }
		out := ""
		switch kind {
		case 2, 3:
			for i := range rapid.IntRange(0, 3).Draw(t, "parts") {
				if i > 0 {
					out += ","
				}
				name := ""
				if kind == 3 {
					text, _ := json.Marshal(fmt.Sprint(i, rapid.String().Draw(t, "name")))
					name = pad(string(text)) + ":"
				}
				out += name + pad(value(t, depth+1))
			}
			if kind == 2 {
				return "[" + out + space.Draw(t, "end") + "]"
			}
			return "{" + out + space.Draw(t, "end") + "}"
		case 1:
			text, _ := json.Marshal(rapid.SampledFrom([]string{`\`, `"`, `\\"`, `},"a":[`, ``, `é\u0000`}).Draw(t, "text"))
			return string(text)
		}
		return rapid.SampledFrom([]string{"1", "-0.5e+7", "true", "null", `""`, `"\\\\"`, `"\"\\\""`}).Draw(t, "plain")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := space.Draw(t, "first") + value(t, 0) + space.Draw(t, "last")
		var want map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &want)
		got := make(map[string]string)
		for name, at := range Members([]byte(text), 0) {
			got[name] = text[at.From:at.To]
		}
		wanted := make(map[string]string)
		for name, raw := range want {
			wanted[name] = string(raw)
		}
		if !maps.Equal(got, wanted) {
			t.Fatalf("%s has %q, want %q", text, got, wanted)
		}
		var list []json.RawMessage
		_ = json.Unmarshal([]byte(text), &list)
		n := 0
		for at := range Elements([]byte(text)) {
			if n >= len(list) || text[at.From:at.To] != string(list[n]) {
				t.Fatalf("%s has %q as %d of %q", text, text[at.From:at.To], n, list)
			}
			n++
		}
		if n != len(list) {
			t.Fatalf("%s has %d elements, want %d", text, n, len(list))
		}
	})
}
