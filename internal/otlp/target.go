package otlp

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Target is where a server sends one signal, and how it names itself there.
type Target struct {
	Endpoint string            // the whole address; "" is nowhere
	Headers  map[string]string // for the collector, such as a key
	Service  string            // "" is what Besides says, or stemma
	Version  string
	Besides  map[string]string // what else is said of who sends
}

// Named returns a target that is none yet, as the variables name whoever sends. A list of
// attributes in which one is wrong is left aside, as the specification has it.
func Named(getenv func(string) string, version string, say func(error)) Target {
	t := Target{Version: version, Service: getenv("OTEL_SERVICE_NAME")}
	list, err := pairs(getenv("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil {
		say(
			fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES is NAME=VALUE,…, with %%XX for special characters: %w; it is ignored", err),
		)
		return t
	}
	t.Besides = list
	return t
}

// pairs reads a list of names with values.
func pairs(list string) (map[string]string, error) {
	out := make(map[string]string)
	for pair := range strings.SplitSeq(list, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, text, ok := strings.Cut(pair, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, fmt.Errorf("%.40q has no name or no value", pair)
		}
		plain, err := url.PathUnescape(strings.TrimSpace(text))
		if err != nil || !utf8.ValidString(plain) {
			return nil, fmt.Errorf("the value of %.40q is badly written", key)
		}
		out[key] = plain
	}
	return out, nil
}

// FromEnv reads what OpenTelemetry's variables say of a signal, "traces" or "metrics".
// What is wrong is told, and does not keep a server from running.
func FromEnv(signal string, getenv func(string) string, version string, say func(error)) Target {
	upper := strings.ToUpper(signal)
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_"+upper+"_EXPORTER") == "none" {
		return Target{}
	}
	const all = "OTEL_EXPORTER_OTLP_ENDPOINT"
	name := "OTEL_EXPORTER_OTLP_" + upper + "_ENDPOINT"
	endpoint := getenv(name)
	if base := getenv(all); endpoint == "" && base != "" {
		name, endpoint = all, Below(base, signal)
	}
	if endpoint == "" {
		return Target{}
	}
	t := Named(getenv, version, say)
	for _, name := range []string{"OTEL_EXPORTER_OTLP_" + upper + "_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if spoken := getenv(name); spoken == "grpc" {
			say(
				fmt.Errorf(
					"%s is grpc, and only HTTP is spoken here: name the collector's port for that, 4318 mostly, and http/json: "+
						"no %s are sent",
					name, signal,
				),
			)
			return t
		} else if spoken != "" {
			break // of HTTP a collector takes either form at one address
		}
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		say(fmt.Errorf("%s is http://HOST:PORT or https://HOST, without a user: no %s are sent", name, signal))
		return t
	}
	t.Endpoint, t.Headers = endpoint, make(map[string]string)
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_" + upper + "_HEADERS"} {
		for pair := range strings.SplitSeq(getenv(name), ",") {
			key, text, ok := strings.Cut(pair, "=")
			if plain, err := url.PathUnescape(strings.TrimSpace(text)); ok && err == nil {
				t.Headers[http.CanonicalHeaderKey(strings.TrimSpace(key))] = plain
			}
		}
	}
	return t
}

// Below returns the address of a signal at a collector.
func Below(collector, signal string) string {
	return strings.TrimSuffix(collector, "/") + "/v1/" + signal
}

// Post sends one message there. It waits as long as ctx does.
func (t Target) Post(ctx context.Context, client *http.Client, message Object) error {
	return Post(ctx, client, t.Endpoint, t.Headers, message)
}

// Resource says who sends. Of several processes with one name each counts for itself, so
// each has a number of its own, which is drawn when it begins.
func (t Target) Resource() Object {
	said := map[string]string{"service.name": "stemma", "service.instance.id": instance()}
	maps.Copy(said, t.Besides)
	said["service.version"] = t.Version
	if t.Service != "" {
		said["service.name"] = t.Service
	}
	var out []Object
	for _, key := range slices.Sorted(maps.Keys(said)) {
		out = append(out, Text(key, said[key]))
	}
	return Object{"attributes": out}
}

var (
	draw  sync.Once
	drawn string
)

// instance returns the number of this process, as a UUID that is random.
func instance() string {
	draw.Do(func() {
		var id [16]byte
		_, _ = rand.Read(id[:]) // never fails
		const version, variant = 0x40, 0x80
		id[6], id[8] = id[6]&0x0f|version, id[8]&0x3f|variant
		drawn = fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	})
	return drawn
}

// Text returns an attribute that is a word.
func Text(key, value string) Object {
	return Object{"key": key, "value": Object{"stringValue": value}}
}

// Number returns an attribute that is a whole number.
func Number(key string, n int64) Object {
	return Object{"key": key, "value": Object{"intValue": Whole(n)}}
}

// Whole returns a whole number of 64 bits, which is a text.
func Whole(n int64) string { return strconv.FormatInt(n, 10) }
