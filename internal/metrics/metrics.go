// Package metrics shows what a server counts: one list, as Prometheus reads it and as
// OpenTelemetry's collectors take it. It holds names and numbers of our own: never a word
// of a memory, and no one's id.
package metrics

import (
	"slices"
	"time"
)

// A List is what a server counted from when it began until now.
type List struct {
	Began, Now time.Time
	Metrics    []Metric
}

// A Metric is one thing that is counted or measured. It has two names, since what
// Prometheus was shown before the other face was made does not follow from its names.
type Metric struct {
	Kind  Kind
	Shown string // to Prometheus
	Sent  string // to OpenTelemetry
	Unit  string // as UCUM writes it, such as "s" or "{request}"
	Help  string
	// Points are its values, in the order in which they are shown.
	Points []Point
}

// Kind says what the values of a metric are.
type Kind int

// The kinds.
const (
	Gauge     Kind = iota // what is now
	Counter               // what only grows
	Histogram             // how many were how large
	Summary               // how many and how much together
)

// A Point is one value and what it is of. Whole, Seconds, Spread and Total make one.
type Point struct {
	labels []Label
	whole  int64
	real   float64
	isReal bool

	count  int64
	sum    float64
	bounds []float64 // the ends of the steps
	steps  []int64   // one more than bounds; what is in one step is not in the next
}

// Whole returns the point of a gauge or a counter.
func Whole(n int64, of ...Label) Point { return Point{whole: n, labels: of} }

// Seconds returns the point of a gauge that is a time.
func Seconds(d time.Duration, of ...Label) Point {
	return Point{real: d.Seconds(), isReal: true, labels: of}
}

// Spread returns the point of a histogram: how many there were of each step, and their sum.
// There is one step more than there are bounds.
func Spread(bounds []float64, steps []int64, sum float64, of ...Label) Point {
	p := Point{bounds: bounds, steps: slices.Clone(steps), sum: sum, labels: of}
	for _, n := range steps {
		p.count += n
	}
	return p
}

// Total returns the point of a summary: how many there were, and their sum.
func Total(count int64, sum float64, of ...Label) Point {
	return Point{count: count, sum: sum, steps: []int64{count}, labels: of}
}

// A Label says what a point is of. Like a metric it has two names.
type Label struct {
	shown, sent string
	word        string
	number      int64
	isNumber    bool
}

// Word labels by a word of a closed set: the name of an operation, a direction. What a
// person or a model wrote is no such word.
func Word(shown, sent, word string) Label { return Label{shown: shown, sent: sent, word: word} }

// Status labels by the status of an answer over HTTP.
func Status(code int) Label {
	return Label{shown: "status", sent: "http.response.status_code", number: int64(code), isNumber: true}
}

// Dropped counts the spans that no collector took, of whoever makes them.
func Dropped(n int64) Metric {
	return Metric{
		Kind: Counter, Shown: "stemma_spans_dropped_total", Sent: "stemma.spans.dropped", Unit: "{span}",
		Help: "Spans that were made and not delivered.", Points: []Point{Whole(n)},
	}
}
