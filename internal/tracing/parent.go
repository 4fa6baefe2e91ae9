package tracing

import (
	"context"
	"encoding/hex"
	"net/http"
)

// The headers of the W3C's Trace Context.
const (
	parentHeader = "Traceparent"
	stateHeader  = "Tracestate"
	mostState    = 512
)

// remoteKey marks a context whose place came from another process, which decided for
// itself whether to tell of the trace.
type remoteKey struct{}

// From takes the place in a trace that a request names. One that is not well-formed is
// as none.
func From(ctx context.Context, h http.Header) context.Context {
	p, ok := parse(h.Get(parentHeader))
	if !ok || len(h.Values(parentHeader)) > 1 {
		return ctx
	}
	if state := h.Values(stateHeader); len(state) == 1 && len(state[0]) <= mostState {
		p.trace.state = state[0]
	}
	return context.WithValue(context.WithValue(ctx, placeKey{}, p), remoteKey{}, true)
}

// Give names the place of a context in a request to somebody else.
func Give(ctx context.Context, h http.Header) {
	p, ok := ctx.Value(placeKey{}).(place)
	if !ok {
		return
	}
	flags := "-00"
	if p.trace.sampled {
		flags = "-01"
	}
	h.Set(parentHeader, "00-"+hexOf(p.trace.id[:])+"-"+hexOf(p.span[:])+flags)
	if p.trace.state != "" {
		h.Set(stateHeader, p.trace.state)
	}
}

// The parts of a traceparent: version-trace-parent-flags.
const (
	traceAt, parentAt, flagsAt = 3, 36, 53
	wholeParent                = 55
)

// parse reads a traceparent. Of later versions what this one knows is read.
func parse(text string) (place, bool) {
	var p place
	if len(text) < wholeParent || text[traceAt-1] != '-' || text[parentAt-1] != '-' || text[flagsAt-1] != '-' {
		return p, false
	}
	var version, flags [1]byte
	for _, part := range []struct {
		into []byte
		from string
	}{
		{version[:], text[:2]}, {
			p.trace.id[:], text[traceAt : parentAt-1],
		}, {p.span[:], text[parentAt : flagsAt-1]}, {flags[:], text[flagsAt:wholeParent]},
	} {
		for _, c := range []byte(part.from) {
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return place{}, false
			}
		}
		if _, err := hex.Decode(part.into, []byte(part.from)); err != nil {
			return place{}, false
		}
	}
	later := version[0] != 0
	if version[0] == 0xff || !later && len(text) != wholeParent || later && len(text) > wholeParent &&
		text[wholeParent] != '-' ||
		p.trace.id == [16]byte{} || p.span == [8]byte{} {
		return place{}, false
	}
	p.trace.sampled = flags[0]&1 == 1
	return p, true
}
