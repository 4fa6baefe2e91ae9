package toolset

import (
	"bytes"
	"encoding/json"

	"github.com/stemma-memory/stemma/internal/pack"
)

// Harmless makes words from memory harmless to whoever reads them.
func Harmless(s string) string { return pack.Neutral(s) }

// Plain writes a reply as JSON in which no text, and no name of a member, can steer
// a model or a screen: what hides, reorders or pretends to be somebody is written
// as an escape. The structure is that of the reply, whatever the texts say.
func Plain(reply any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(reply); err != nil {
		return nil, err
	}
	return plainJSON(bytes.TrimSpace(b.Bytes()))
}

// plainJSON does so with a JSON text that is valid.
func plainJSON(raw []byte) (json.RawMessage, error) {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '"' {
			out = append(out, raw[i])
			i++
			continue
		}
		n := quoted(raw[i:])
		if !innocent(raw[i+1 : i+n-1]) {
			var s string
			if err := json.Unmarshal(raw[i:i+n], &s); err != nil {
				return nil, err
			}
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if err := e.Encode(Harmless(s)); err != nil {
				return nil, err
			}
			out = append(out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
		} else {
			out = append(out, raw[i:i+n]...)
		}
		i += n
	}
	return out, nil
}

// quoted is the length of the string that a valid JSON text begins with.
func quoted(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// innocent reports quickly that a string needs no closer look.
func innocent(s []byte) bool {
	for _, c := range s {
		if c < ' ' || c >= 0x7f || c == '<' || c == '\\' {
			return false
		}
	}
	return true
}
