package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
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
	client := &http.Client{Timeout: sendWithin}
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	failed := false
	for last := false; !last; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			last = true
		}
		err := m.sendOnce(context.WithoutCancel(ctx), client, endpoint, version)
		if err != nil && !failed {
			say(fmt.Errorf("telemetry: %w", err))
		}
		failed = err != nil
	}
}

func (m *Metrics) sendOnce(ctx context.Context, client *http.Client, endpoint, version string) error {
	body, err := json.Marshal(m.otlp(version))
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(endpoint, "/")+"/v1/metrics", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	got, err := client.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	const most = 64 << 10
	_, _ = io.Copy(io.Discard, io.LimitReader(got.Body, most)) // so that the connection is used again
	if got.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("the collector answered %s", got.Status)
	}
	return nil
}

type object = map[string]any

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
