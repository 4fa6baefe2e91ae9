package httpapi

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

// How often metrics are sent where a place for them is set, and how long one
// sending may take.
const (
	sendEvery  = time.Minute
	sendWithin = 10 * time.Second
)

// Send sends the metrics to an OpenTelemetry collector, as OTLP over HTTP in
// JSON, every minute until ctx ends and once then. It is called only where the
// user named the place. Say is told what went wrong, once in a row.
func (m *Metrics) Send(ctx context.Context, endpoint, version string, say func(error)) {
	client, address := otlp.Client(), strings.TrimSuffix(endpoint, "/")+"/v1/metrics"
	client.Timeout = sendWithin
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	failed := false
	for last := false; !last; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			last = true
		}
		err := otlp.Post(context.WithoutCancel(ctx), client, address, nil, m.otlp(version))
		if err != nil && !failed {
			say(fmt.Errorf("telemetry: %w", err))
		}
		failed = err != nil
	}
}

type object = otlp.Object

// otlp gives the metrics as an ExportMetricsServiceRequest. In its JSON whole
// numbers of 64 bits are texts.
func (m *Metrics) otlp(version string) object {
	start, now := nanos(m.began), nanos(m.now())
	text := func(key, value string) object { return object{"key": key, "value": object{"stringValue": value}} }
	point := func(value int64, with ...object) object {
		return object{"startTimeUnixNano": start, "timeUnixNano": now, "asInt": strconv.FormatInt(value, 10), "attributes": some(with)}
	}
	const cumulative = 2
	sum := func(name, unit string, points []object) object {
		return object{"name": name, "unit": unit, "sum": object{"aggregationTemporality": cumulative, "isMonotonic": true, "dataPoints": some(points)}}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var requests, times []object
	for _, k := range slices.SortedFunc(maps.Keys(m.done), asked.compare) {
		status := object{"key": "http.response.status_code", "value": object{"intValue": strconv.Itoa(k.status)}}
		requests = append(requests, point(m.done[k], text("stemma.operation", k.op), status))
	}
	for _, op := range slices.Sorted(maps.Keys(m.took)) {
		s := m.took[op]
		steps := make([]string, len(s.steps))
		for i, n := range s.steps {
			steps[i] = strconv.FormatInt(n, 10)
		}
		times = append(times, object{
			"startTimeUnixNano": start, "timeUnixNano": now, "count": strconv.FormatInt(s.count, 10), "sum": s.sum,
			"bucketCounts": steps, "explicitBounds": bounds, "attributes": []object{text("stemma.operation", op)},
		})
	}
	return object{"resourceMetrics": []object{{
		"resource": object{"attributes": []object{text("service.name", "stemma"), text("service.version", version)}},
		"scopeMetrics": []object{{
			"scope": object{"name": "stemma"},
			"metrics": []object{
				sum("stemma.requests", "{request}", requests),
				sum("stemma.limited", "{request}", []object{point(m.limited.Load())}),
				{"name": "stemma.request.duration", "unit": "s", "histogram": object{"aggregationTemporality": cumulative, "dataPoints": some(times)}},
			},
		}},
	}}}
}

// some is never null.
func some(of []object) []object {
	if of == nil {
		return []object{}
	}
	return of
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }
