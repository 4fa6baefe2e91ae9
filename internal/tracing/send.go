package tracing

import (
	"context"
	"fmt"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

// How often spans are sent, how many at once, and how long one sending may take.
const (
	sendEvery  = 5 * time.Second
	mostAtOnce = 512
	sendWithin = 10 * time.Second
	lastWithin = 2 * time.Second // of the sending when a server ends
)

// Run sends spans until ctx ends, and once then. What a collector does not take is
// counted and not sent again.
func (t *Tracer) Run(ctx context.Context) {
	if t == nil {
		return
	}
	client := otlp.Client()
	defer client.CloseIdleConnections()
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	var waiting []*Span
	failed := false
	send := func(within time.Duration) {
		if len(waiting) == 0 {
			return
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
		defer cancel()
		err := t.o.Post(ctx, client, t.otlp(waiting))
		if err != nil {
			t.dropped.Add(int64(len(waiting)))
			if !failed && t.o.Say != nil {
				t.o.Say(fmt.Errorf("traces are not delivered: %w", err))
			}
		}
		failed, waiting = err != nil, waiting[:0]
	}
	for {
		select {
		case s := <-t.queue:
			if waiting = append(waiting, s); len(waiting) == mostAtOnce {
				send(sendWithin)
			}
		case <-tick.C:
			send(sendWithin)
		case <-ctx.Done():
			for {
				select {
				case s := <-t.queue:
					waiting = append(waiting, s)
					continue
				default:
				}
				break
			}
			send(lastWithin)
			return
		}
	}
}

type object = otlp.Object

// otlp returns spans as an ExportTraceServiceRequest. In its JSON ids are in hex and whole
// numbers of 64 bits are texts.
func (t *Tracer) otlp(spans []*Span) object {
	all := make([]object, len(spans))
	for i, s := range spans {
		all[i] = s.otlp()
	}
	return object{"resourceSpans": []object{{
		"resource":   t.o.Resource(),
		"scopeSpans": []object{{"scope": object{"name": "stemma"}, "spans": all}},
	}}}
}

func (s *Span) otlp() object {
	s.mu.Lock()
	defer s.mu.Unlock()
	const sampled = 1
	out := object{
		"traceId": hexOf(s.trace.id[:]), "spanId": hexOf(s.id[:]), "flags": sampled, "name": s.name, "kind": int(s.kind),
		"startTimeUnixNano": otlp.Whole(s.began.UnixNano()), "endTimeUnixNano": otlp.Whole(s.ended.UnixNano()),
	}
	attrs := s.attrs
	if s.failed != "" {
		const failed = 2
		out["status"] = object{"code": failed}
		attrs = append(attrs[:len(attrs):len(attrs)], Word("error.type", s.failed))
	}
	out["attributes"] = attributes(attrs)
	if s.parent != [8]byte{} {
		out["parentSpanId"] = hexOf(s.parent[:])
	}
	if s.trace.state != "" {
		out["traceState"] = s.trace.state
	}
	return out
}

func attributes(all []Attr) []object {
	out := make([]object, len(all))
	for i, a := range all {
		if out[i] = otlp.Number(a.key, a.number); a.isWord {
			out[i] = otlp.Text(a.key, a.word)
		}
	}
	return out
}
