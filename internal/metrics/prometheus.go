package metrics

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Serve answers a request with the list as Prometheus reads it.
func (l List) Serve(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write([]byte(l.Prometheus())) // who hung up does not read
}

// Prometheus returns the list in Prometheus's text format.
func (l List) Prometheus() string {
	var b strings.Builder
	for _, m := range l.Metrics {
		kind := [...]string{Gauge: "gauge", Counter: "counter", Histogram: "histogram", Summary: "summary"}[m.Kind]
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.Shown, escaped(m.Help), m.Shown, kind)
		for _, p := range m.Points {
			p.shown(&b, m)
		}
	}
	return b.String()
}

func (p Point) shown(b *strings.Builder, m Metric) {
	line := func(end, value string, more ...string) {
		b.WriteString(m.Shown + end + labels(p.labels, more...) + " " + value + "\n")
	}
	switch m.Kind {
	case Gauge, Counter:
		value := strconv.FormatInt(p.whole, 10)
		if p.isReal {
			value = decimal(p.real)
		}
		line("", value)
		return
	case Histogram:
		sum := int64(0)
		for i, n := range p.steps {
			sum += n
			end := "+Inf"
			if i < len(p.bounds) {
				end = decimal(p.bounds[i])
			}
			line("_bucket", strconv.FormatInt(sum, 10), "le", end)
		}
	case Summary:
	}
	line("_sum", decimal(p.sum))
	line("_count", strconv.FormatInt(p.count, 10))
}

// labels returns labels, and one more, as they stand behind a name.
func labels(all []Label, more ...string) string {
	parts := make([]string, 0, len(all)+1)
	for _, l := range all {
		text := l.word
		if l.isNumber {
			text = strconv.FormatInt(l.number, 10)
		}
		parts = append(parts, l.shown+`="`+strings.ReplaceAll(escaped(text), `"`, `\"`)+`"`)
	}
	if len(more) > 0 {
		parts = append(parts, more[0]+`="`+more[1]+`"`)
	}
	if len(parts) == 0 {
		return ""
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// escaped returns a help text, or what stands in a label but for quotation marks.
func escaped(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "\n", `\n`)
}

func decimal(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }
