package metrics

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

// Options say where metrics go, and how often.
type Options struct {
	otlp.Target
	Every time.Duration // 0 is a minute
	Say   func(error)   // is told what went wrong, once in a row
}

// How long one sending may take.
const (
	sendWithin = 10 * time.Second
	lastWithin = 2 * time.Second // of the one when a server ends
)

// FromEnv reads what OpenTelemetry's variables say. A collector that somebody named
// besides goes before theirs, and is not given the headers that are for theirs.
func FromEnv(named string, getenv func(string) string, version string, say func(error)) Options {
	o := Options{Say: say, Every: time.Minute}
	if named == "" {
		o.Target = otlp.FromEnv("metrics", getenv, version, say)
	} else {
		o.Target = otlp.Named(getenv, version, say)
		o.Endpoint = otlp.Below(named, "metrics")
	}
	text := getenv("OTEL_METRIC_EXPORT_INTERVAL")
	if o.Endpoint == "" || text == "" {
		return o
	}
	const most = 24 * time.Hour
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > most.Milliseconds() {
		say(
			fmt.Errorf(
				"OTEL_METRIC_EXPORT_INTERVAL is a number of milliseconds from 1 to a day's, got %.40q: metrics are sent "+
					"every minute",
				text,
			),
		)
		return o
	}
	o.Every = time.Duration(n) * time.Millisecond
	return o
}

// Run sends what is counted until ctx ends, and once then. Counts go on from when the
// server began: what did not arrive is in what is sent next. Where not all could be
// counted, what there is goes.
func Run(ctx context.Context, o Options, counted func(context.Context) (List, error)) {
	if o.Endpoint == "" {
		return
	}
	if o.Every == 0 {
		o.Every = time.Minute
	}
	client := otlp.Client()
	defer client.CloseIdleConnections()
	tick := time.NewTicker(o.Every)
	defer tick.Stop()
	failed := false
	send := func(ctx context.Context, within time.Duration) {
		inner, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		list, err := counted(inner)
		if err != nil {
			err = fmt.Errorf("metrics are not complete: %w", err)
		}
		if lost := o.Post(inner, client, list.OTLP(o.Target)); lost != nil {
			err = fmt.Errorf("metrics are not delivered: %w", lost)
		}
		if ctx.Err() != nil {
			return // the last one brings it
		}
		if err != nil && !failed && o.Say != nil {
			o.Say(err)
		}
		failed = err != nil
	}
	for {
		select {
		case <-tick.C:
			send(ctx, sendWithin)
		case <-ctx.Done():
			send(context.WithoutCancel(ctx), lastWithin)
			return
		}
	}
}
