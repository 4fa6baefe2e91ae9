package envelope

import (
	"bytes"
	"encoding/base64"
)

// Nearly every line that comes is as Write makes it. That one form is written and read
// here without going through all that JSON may be; any other is encoding/json's, which
// says the same of it and knows what to call an error.

// The text between the values of a line.
const (
	payloadIs = `{"payload":"`
	typeIs    = `","payloadType":"`
	sigsAre   = `","signatures":[{"keyid":"`
	sigIs     = `","sig":"`
	nextIs    = `"},{"keyid":"`
	endIs     = `"}]}`
)

// quick writes an envelope; ok is false where encoding/json would write something
// otherwise than it is.
func (e *Envelope) quick() (line []byte, ok bool) {
	if len(e.Payload) == 0 || e.PayloadType == "" || len(e.Signatures) == 0 || !Simple(e.PayloadType) {
		return nil, false
	}
	n := len(payloadIs) + base64.StdEncoding.EncodedLen(len(e.Payload)) + len(typeIs) + len(e.PayloadType) + len(endIs)
	for _, s := range e.Signatures {
		n += len(sigsAre) + len(s.KeyID) + len(sigIs) + base64.StdEncoding.EncodedLen(len(s.Sig))
	}
	line = append(make([]byte, 0, n), payloadIs...)
	line = base64.StdEncoding.AppendEncode(line, e.Payload)
	line = append(append(line, typeIs...), e.PayloadType...)
	for i, s := range e.Signatures {
		if !Simple(s.KeyID) || s.Sig == nil {
			return nil, false
		}
		head := sigsAre
		if i > 0 {
			head = nextIs
		}
		line = append(append(append(line, head...), s.KeyID...), sigIs...)
		line = base64.StdEncoding.AppendEncode(line, s.Sig)
	}
	return append(line, endIs...), true
}

// quickly reads a line; ok is false where it is not as Write makes it.
func quickly(raw []byte) (e Envelope, ok bool) {
	rest, ok := bytes.CutPrefix(raw, []byte(payloadIs))
	if !ok {
		return e, false
	}
	payload, rest, ok := bytes.Cut(rest, []byte(typeIs))
	if !ok {
		return e, false
	}
	payloadType, rest, ok := bytes.Cut(rest, []byte(sigsAre))
	if !ok || !Simple(payloadType) {
		return e, false
	}
	var sigs []Signature
	for ok = false; !ok; {
		key, after, found := bytes.Cut(rest, []byte(sigIs))
		if !found || !Simple(key) {
			return e, false
		}
		sig, after, found := bytes.Cut(after, []byte(`"`))
		if !found {
			return e, false
		}
		bits, good := unbase(sig)
		if !good {
			return e, false
		}
		sigs = append(sigs, Signature{string(key), bits})
		after, found = bytes.CutPrefix(after, []byte(nextIs[1:]))
		rest, ok = after, !found
	}
	if string(rest) != endIs[1:] {
		return e, false
	}
	bits, good := unbase(payload)
	return Envelope{bits, string(payloadType), sigs}, good
}

// unbase reads base64 as encoding/json does. Line ends, which the decoder passes over,
// stand in no JSON string.
func unbase(text []byte) ([]byte, bool) {
	if bytes.IndexByte(text, '\n') >= 0 || bytes.IndexByte(text, '\r') >= 0 {
		return nil, false
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	return out[:n], err == nil
}

// Cut takes a line in the form that Write makes off the front of a text, without reading
// its base64. What it takes is JSON that is the same however it is written again; ok is
// false where the text begins otherwise.
func Cut(text []byte) (line, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(text, []byte(payloadIs))
	next := func(after string) {
		n := plain(rest)
		if ok = ok && bytes.HasPrefix(rest[n:], []byte(after)); ok {
			rest = rest[n+len(after):]
		}
	}
	next(typeIs)
	next(sigsAre)
	for more := ok; more; {
		next(sigIs)
		n := plain(rest)
		if more = ok && bytes.HasPrefix(rest[n:], []byte(nextIs)); more {
			rest = rest[n+len(nextIs):]
		}
	}
	next(endIs)
	if !ok {
		return nil, text, false
	}
	n := len(text) - len(rest)
	return text[:n:n], rest, true
}

// plain says how much of a text, from its front, is the same within the quotes of a JSON
// string.
func plain[T ~string | ~[]byte](text T) int {
	for i := range len(text) {
		if !plainBytes[text[i]] {
			return i
		}
	}
	return len(text)
}

// Simple reports whether a text is the same within the quotes of a JSON string.
func Simple[T ~string | ~[]byte](text T) bool { return plain(text) == len(text) }

var plainBytes = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return t
}()
