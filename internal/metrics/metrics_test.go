package metrics

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

var began = time.Unix(1_700_000_000, 5)

func list() List {
	of := Word("op", "stemma.operation", "search")
	return List{Began: began, Now: began.Add(1500 * time.Millisecond), Metrics: []Metric{
		{
			Kind: Gauge, Shown: "a_seconds", Sent: "a", Unit: "s", Help: "A time.",
			Points: []Point{Seconds(0), Seconds(1500*time.Millisecond, of)},
		},
		{
			Kind: Counter, Shown: "b_total", Sent: "b", Unit: "{b}", Help: "Not\nless \\ \"more\".",
			Points: []Point{Whole(1<<53+1, of, Status(404))},
		},
		{
			Kind: Histogram, Shown: "c_seconds", Sent: "c", Unit: "s",
			Points: []Point{Spread([]float64{0.5, 1}, []int64{1, 0, 2}, 20.5, of)},
		},
		{Kind: Summary, Shown: "d_seconds", Sent: "d", Unit: "s", Points: []Point{Total(3, 4, Word("w", "w", "\"\\\n"))}},
		{Kind: Counter, Shown: "e_total", Sent: "e", Help: "Nothing yet."},
	}}
}

func TestPrometheus(t *testing.T) {
	const want = `# HELP a_seconds A time.
# TYPE a_seconds gauge
a_seconds 0
a_seconds{op="search"} 1.5
# HELP b_total Not\nless \\ "more".
# TYPE b_total counter
b_total{op="search",status="404"} 9007199254740993
# HELP c_seconds 
# TYPE c_seconds histogram
c_seconds_bucket{op="search",le="0.5"} 1
c_seconds_bucket{op="search",le="1"} 1
c_seconds_bucket{op="search",le="+Inf"} 3
c_seconds_sum{op="search"} 20.5
c_seconds_count{op="search"} 3
# HELP d_seconds 
# TYPE d_seconds summary
d_seconds_sum{w="\"\\\n"} 4
d_seconds_count{w="\"\\\n"} 3
# HELP e_total Nothing yet.
# TYPE e_total counter
`
	if got := list().Prometheus(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Whole numbers of 64 bits are texts, a gauge has no beginning, sums grow, a summary is a
// histogram of one step, and what has no points is not there.
func TestOTLP(t *testing.T) {
	const (
		until = `"timeUnixNano":"1700000001500000005"`
		from  = `"startTimeUnixNano":"1700000000000000005"`
		op    = `"attributes":[{"key":"stemma.operation","value":{"stringValue":"search"}}`
		end   = `]`
	)
	want := `{"description":"A time.","gauge":{"dataPoints":[{"asDouble":0,"attributes":[],` + until +
		`},{"asDouble":1.5,` + op + end + `,` + until + `}]},"name":"a","unit":"s"},` +
		`{"description":"Not\nless \\ \"more\".","name":"b","sum":{"aggregationTemporality":2,` +
		`"dataPoints":[{"asInt":"9007199254740993",` + op +
		`,{"key":"http.response.status_code","value":{"intValue":"404"}}],` + from + `,` + until +
		`}],"isMonotonic":true},"unit":"{b}"},` +
		`{"description":"","histogram":{"aggregationTemporality":2,"dataPoints":[{` + op + end +
		`,"bucketCounts":["1","0","2"],"count":"3","explicitBounds":[0.5,1],` + from + `,"sum":20.5,` + until +
		`}]},"name":"c","unit":"s"},` +
		`{"description":"","histogram":{"aggregationTemporality":2,"dataPoints":[{"attributes":[{"key":"w",` +
		`"value":{"stringValue":"\"\\\n"}}],"bucketCounts":["3"],"count":"3","explicitBounds":[],` +
		from + `,"sum":4,` + until + `}]},"name":"d","unit":"s"}`
	to := otlp.Target{Service: "team", Version: "1"}
	resource, err := json.Marshal(to.Resource())
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(list().OTLP(to))
	if err != nil {
		t.Fatal(err)
	}
	if want = `{"resourceMetrics":[{"resource":` + string(resource) + `,"scopeMetrics":[{"metrics":[` + want +
		`],"scope":{"name":"stemma"}}]}]}`; string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
