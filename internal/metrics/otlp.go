package metrics

import (
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

type object = otlp.Object

// OTLP returns the list as an ExportMetricsServiceRequest. What has no points is left out.
// A summary goes as a histogram of one step: the protocol keeps its own summaries for what
// comes from elsewhere.
func (l List) OTLP(to otlp.Target) object {
	all := []object{}
	for _, m := range l.Metrics {
		if len(m.Points) == 0 {
			continue
		}
		points := make([]object, len(m.Points))
		for i, p := range m.Points {
			points[i] = p.otlp(m.Kind)
			points[i]["timeUnixNano"] = nanos(l.Now)
			if m.Kind != Gauge {
				points[i]["startTimeUnixNano"] = nanos(l.Began)
			}
		}
		const cumulative = 2
		one := object{"name": m.Sent, "unit": m.Unit, "description": m.Help}
		switch m.Kind {
		case Gauge:
			one["gauge"] = object{"dataPoints": points}
		case Counter:
			one["sum"] = object{"aggregationTemporality": cumulative, "isMonotonic": true, "dataPoints": points}
		case Histogram, Summary:
			one["histogram"] = object{"aggregationTemporality": cumulative, "dataPoints": points}
		}
		all = append(all, one)
	}
	return object{"resourceMetrics": []object{{
		"resource":     to.Resource(),
		"scopeMetrics": []object{{"scope": object{"name": "stemma"}, "metrics": all}},
	}}}
}

func (p Point) otlp(kind Kind) object {
	of := make([]object, len(p.labels))
	for i, l := range p.labels {
		if of[i] = otlp.Text(l.sent, l.word); l.isNumber {
			of[i] = otlp.Number(l.sent, l.number)
		}
	}
	switch {
	case kind == Histogram || kind == Summary:
		steps := make([]string, len(p.steps))
		for i, n := range p.steps {
			steps[i] = otlp.Whole(n)
		}
		return object{
			"attributes": of, "count": otlp.Whole(p.count), "sum": p.sum, "bucketCounts": steps,
			"explicitBounds": append([]float64{}, p.bounds...),
		}
	case p.isReal:
		return object{"attributes": of, "asDouble": p.real}
	default:
		return object{"attributes": of, "asInt": otlp.Whole(p.whole)}
	}
}

func nanos(t time.Time) string { return otlp.Whole(t.UnixNano()) }
