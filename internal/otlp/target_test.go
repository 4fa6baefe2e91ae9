package otlp

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// The variables mean for each signal what they mean elsewhere. They are written here as
// of traces, and tried for metrics too.
func TestFromEnv(t *testing.T) {
	type env = map[string]string
	for _, tt := range []struct {
		env  env
		want string // SIGNAL stands for the signal's name
		says string
	}{
		{nil, "", ""},
		{env{"OTEL_SERVICE_NAME": "x"}, "", ""},
		{env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://c.example.org/otel/"}, "https://c.example.org/otel/v1/SIGNAL", ""},
		{
			env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://b/in"},
			"http://b/in", "",
		},
		{env{"OTEL_EXPORTER_OTLP_OTHER_ENDPOINT": "http://b/in"}, "", ""},
		{env{"OTEL_EXPORTER_OTLP_ENDPOINT": "c.example.org:4317"}, "", "OTEL_EXPORTER_OTLP_ENDPOINT is"},
		{env{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "c.example.org"}, "", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is"},
		{env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://me:secret@c"}, "", "without a user"},
		{
			env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "",
			"OTEL_EXPORTER_OTLP_PROTOCOL is grpc",
		},
		{
			env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc"}, "",
			"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is grpc",
		},
		{
			env{
				"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
				"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf",
			},
			"http://a/v1/SIGNAL", "",
		},
		{env{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_RESOURCE_ATTRIBUTES": "broken"}, "", ""}, // nothing is sent anyway
		{
			env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_RESOURCE_ATTRIBUTES": "broken"},
			"http://a/v1/SIGNAL", "OTEL_RESOURCE_ATTRIBUTES is",
		},
		{env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_SDK_DISABLED": "True"}, "", ""},
		{env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_TRACES_EXPORTER": "none"}, "", ""},
		{env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_OTHER_EXPORTER": "none"}, "http://a/v1/SIGNAL", ""},
	} {
		for signal, upper := range map[string]string{"traces": "TRACES", "metrics": "METRICS"} {
			others := map[string]string{"TRACES": "METRICS", "METRICS": "TRACES"}[upper]
			getenv := func(k string) string {
				return tt.env[strings.NewReplacer(upper, "TRACES", others, "OTHER").Replace(k)]
			}
			var said error
			o := FromEnv(signal, getenv, "1", func(err error) { said = errors.Join(said, err) })
			want, says := strings.ReplaceAll(tt.want, "SIGNAL", signal), strings.ReplaceAll(tt.says, "TRACES", upper)
			if o.Endpoint != want || (said != nil) != (says != "") || says != "" && !strings.Contains(said.Error(), says) {
				t.Errorf("FromEnv(%s, %v) = %q, %v, want %q, %q", signal, tt.env, o.Endpoint, said, want, says)
			}
			if said != nil && strings.Contains(said.Error(), "secret") {
				t.Errorf("a password is said: %v", said)
			}
		}
	}
}

// Of headers what is meant for one signal goes before what is meant for all.
func TestHeaders(t *testing.T) {
	env := map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_HEADERS": "a=b%20c, d = e,broken",
		"OTEL_EXPORTER_OTLP_METRICS_HEADERS": "A=of metrics",
	}
	for signal, want := range map[string]string{"traces": "b c", "metrics": "of metrics"} {
		o := FromEnv(signal, func(k string) string { return env[k] }, "", nil)
		if len(o.Headers) != 2 || o.Headers["A"] != want || o.Headers["D"] != "e" {
			t.Errorf("headers of %s: %v", signal, o.Headers)
		}
	}
}

// A process says its name and the same number each time.
func TestResource(t *testing.T) {
	got := fmt.Sprint(Target{Version: "1"}.Resource())
	if want := fmt.Sprint(Target{Service: "stemma", Version: "1"}.Resource()); got != want ||
		!strings.Contains(got, instance()) || len(instance()) != len("xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx") {
		t.Errorf("%s, want %s", got, want)
	}
}

// What the variables say of whoever sends is sent; a name of its own goes before the one
// among the attributes, and a list that is not one says nothing. What must be absent is
// nothing that a random instance id could have.
func TestNamed(t *testing.T) {
	for _, tt := range []struct{ list, service, has, not string }{
		{"", "", "service.name=stemma", ""},
		{
			"service.name=memory,deployment.environment=test%20bed, host.name = a ", "",
			"service.name=memory deployment.environment=test bed host.name=a", "",
		},
		{"service.name=memory,service.instance.id=7", "hub", "service.name=hub service.instance.id=7", "memory"},
		{"service.version=9", "", "service.version=1", "version=9"},
		{"a=bad value,c", "", "service.name=stemma", "bad value"},
		{"=bad value", "", "service.name=stemma", "=bad value"},
		{"odd.one=%zz", "", "service.name=stemma", "odd.one"},
		{"odd.one=%ff", "", "service.name=stemma", "odd.one"},
	} {
		said := 0
		env := map[string]string{"OTEL_RESOURCE_ATTRIBUTES": tt.list, "OTEL_SERVICE_NAME": tt.service}
		target := Named(func(k string) string { return env[k] }, "1", func(error) { said++ })
		var got []string
		for _, a := range target.Resource()["attributes"].([]Object) {
			got = append(got, fmt.Sprintf("%s=%s", a["key"], a["value"].(Object)["stringValue"]))
		}
		all := strings.Join(got, " ")
		for _, want := range strings.Split(strings.ReplaceAll(tt.has, "test bed", "test_bed"), " ") {
			if !strings.Contains(all, strings.ReplaceAll(want, "_", " ")) {
				t.Errorf("%q: %s lacks %s", tt.list, all, want)
			}
		}
		if tt.not != "" && strings.Contains(all, tt.not) || said > 1 || (said == 1) != (target.Besides == nil) {
			t.Errorf("%q: %s, and %d were said to be wrong", tt.list, all, said)
		}
	}
}
