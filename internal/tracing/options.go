package tracing

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Options say where spans go and which are made. FromEnv reads them.
type Options struct {
	Endpoint string            // the whole address; "" is nowhere
	Headers  map[string]string // for the collector, such as a key
	Service  string            // "" is stemma
	Version  string
	Sampler  Sampler
	Say      func(error) // is told what went wrong, once in a row
	Now      func() time.Time
}

// A Sampler decides which traces are told of. The zero value tells of all that others do
// not keep silent about.
type Sampler struct {
	alone bool   // what others decided does not count
	drops uint64 // of 1<<63 traces, how many are not told of
}

const wholeRatio = 1 << 63

// begins decides on a trace that begins here, by its id, so that all who see it decide
// alike.
func (s Sampler) begins(id [16]byte) bool {
	const half = 8
	return binary.BigEndian.Uint64(id[half:])>>1 >= s.drops
}

// within decides on a trace that began elsewhere.
func (s Sampler) within(t trace) bool {
	if s.alone {
		return s.begins(t.id)
	}
	return t.sampled
}

// samplers are those of the specification, by name; the ratio is the argument's.
func sampler(name, arg string) (Sampler, error) {
	base, parent := strings.CutPrefix(name, "parentbased_")
	s := Sampler{alone: !parent}
	switch base {
	case "always_on":
	case "always_off":
		s.drops = wholeRatio
	case "traceidratio":
		ratio := 1.0
		if arg != "" {
			var err error
			if ratio, err = strconv.ParseFloat(arg, 64); err != nil || math.IsNaN(ratio) || ratio < 0 || ratio > 1 {
				return Sampler{}, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is a number from 0 to 1, got %.40q: all traces are sent", arg)
			}
		}
		s.drops = uint64((1 - ratio) * wholeRatio)
	default:
		return Sampler{}, fmt.Errorf("OTEL_TRACES_SAMPLER %.40q is none of always_on, always_off, traceidratio and parentbased_ with one of them: all traces are sent", name)
	}
	return s, nil
}

// FromEnv reads what OpenTelemetry's variables say. What is wrong is told, and does not
// keep a server from running.
func FromEnv(getenv func(string) string, version string, say func(error)) Options {
	o := Options{Version: version, Say: say, Service: getenv("OTEL_SERVICE_NAME"), Headers: make(map[string]string)}
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return o
	}
	endpoint := getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if base := getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); endpoint == "" && base != "" {
		endpoint = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if endpoint == "" {
		return o
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		say(fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT is http://HOST:PORT or https://HOST, without a user: no traces are sent"))
		return o
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		for pair := range strings.SplitSeq(getenv(name), ",") {
			key, text, ok := strings.Cut(pair, "=")
			if plain, err := url.PathUnescape(strings.TrimSpace(text)); ok && err == nil {
				o.Headers[strings.TrimSpace(key)] = plain
			}
		}
	}
	if name := getenv("OTEL_TRACES_SAMPLER"); name != "" {
		if o.Sampler, err = sampler(name, getenv("OTEL_TRACES_SAMPLER_ARG")); err != nil {
			say(err)
		}
	}
	o.Endpoint = endpoint
	return o
}
