package tracing

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

// Options say where spans go and which are made. FromEnv reads them.
type Options struct {
	otlp.Target
	Sampler Sampler
	Say     func(error) // is told what went wrong, once in a row
	Now     func() time.Time
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
		return Sampler{}, fmt.Errorf(
			"OTEL_TRACES_SAMPLER %.40q is unknown; use always_on, always_off, traceidratio or one of them after parentbased_: "+
				"all traces are sent",
			name,
		)
	}
	return s, nil
}

// FromEnv reads what OpenTelemetry's variables say. What is wrong is told, and does not
// keep a server from running.
func FromEnv(getenv func(string) string, version string, say func(error)) Options {
	o := Options{Target: otlp.FromEnv("traces", getenv, version, say), Say: say}
	name := getenv("OTEL_TRACES_SAMPLER")
	if o.Endpoint == "" || name == "" {
		return o
	}
	var err error
	if o.Sampler, err = sampler(name, getenv("OTEL_TRACES_SAMPLER_ARG")); err != nil {
		say(err)
	}
	return o
}
