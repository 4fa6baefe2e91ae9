package metrics

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stemma-memory/stemma/internal/otlp"
)

// sending runs a sender against a collector until the function is through. The function
// may wait for what comes.
func sending(
	t *testing.T, o Options, counted func(context.Context) (List, error), answer http.HandlerFunc,
	do func(came <-chan string),
) {
	t.Helper()
	came := make(chan string, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // it was cut off at the end
		}
		came <- string(body)
		answer(w, r)
	}))
	o.Endpoint = s.URL
	ctx, end := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { Run(ctx, o, counted) })
	do(came)
	end()
	done.Wait()
	s.Close() // waits for a request that was cut off, which is still answered
	close(came)
}

func fine(http.ResponseWriter, *http.Request) {}

func counted(context.Context) (List, error) { return list(), nil }

// What is counted is sent again and again, and once at the end.
func TestRun(t *testing.T) {
	var last <-chan string
	sending(t, Options{Every: time.Millisecond}, counted, fine, func(came <-chan string) {
		for range 3 {
			if body := <-came; !strings.Contains(body, `"name":"c"`) {
				t.Errorf("sent: %s", body)
			}
		}
	})
	sending(t, Options{}, counted, fine, func(came <-chan string) { last = came })
	if n := len(last); n != 1 {
		t.Errorf("a server that ended at once sent %d times, want 1", n)
	}
}

// What goes wrong is said once in a row, and again once it was well in between.
func TestSaidOnceInARow(t *testing.T) {
	answers := []int{503, 503, 503, 200, 503, 503}
	var said []string
	var n atomic.Int32 // the last request may come while one that was cut off is answered
	sending(t, Options{
		Every: time.Millisecond, Say: func(err error) { said = append(said, err.Error()) },
	}, counted, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(answers[min(int(n.Add(1)), len(answers))-1])
	}, func(came <-chan string) {
		for range answers {
			<-came
		}
	})
	if len(said) != 2 || !strings.HasPrefix(said[0], "metrics are not delivered: ") || !strings.Contains(said[0], "503") {
		t.Errorf("said %q, want the same twice", said)
	}
}

// Where not all could be counted the rest goes, and it is said.
func TestNotAllIsCounted(t *testing.T) {
	var said []string
	o := Options{Every: time.Millisecond, Say: func(err error) { said = append(said, err.Error()) }}
	half := func(context.Context) (List, error) { return list(), errors.New("the database is away") }
	sending(t, o, half, fine, func(came <-chan string) {
		if body := <-came + <-came; !strings.Contains(body, `"name":"c"`) {
			t.Errorf("sent: %s", body)
		}
	})
	if len(said) != 1 || said[0] != "metrics are not complete: the database is away" {
		t.Errorf("said %q", said)
	}
}

// A collector that never answers does not keep a server from ending.
func TestTheLastOneIsShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		defer server.Close()
		go func() { _, _ = io.Copy(io.Discard, server) }() // it reads, and says nothing
		dial := http.DefaultTransport.(*http.Transport).DialContext
		http.DefaultTransport.(*http.Transport).DialContext = func(
			context.Context, string, string,
		) (net.Conn, error) {
			return client, nil
		}
		defer func() { http.DefaultTransport.(*http.Transport).DialContext = dial }()
		ctx, end := context.WithCancel(t.Context())
		end()
		var said error
		began := time.Now()
		Run(ctx, Options{Target: otlp.Target{Endpoint: "http://collector"}, Say: func(err error) { said = err }}, counted)
		if took := time.Since(began); said == nil || took != lastWithin {
			t.Errorf("it took %v, said %v", took, said)
		}
	})
}

// Where no place is set nothing is counted, and nothing sent.
func TestNothingWhereNothingIsSet(t *testing.T) {
	Run(t.Context(), Options{}, func(context.Context) (List, error) {
		t.Error("it was counted")
		return List{}, nil
	})
}

func TestFromEnv(t *testing.T) {
	const interval = "OTEL_METRIC_EXPORT_INTERVAL"
	env := map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_HEADERS": "key=secret",
		"OTEL_SERVICE_NAME": "team", interval: "1500",
	}
	getenv := func(k string) string { return env[k] }
	o := FromEnv("", getenv, "1", nil)
	if o.Endpoint != "http://a/v1/metrics" || o.Headers["Key"] != "secret" || o.Service != "team" ||
		o.Version != "1" || o.Every != 1500*time.Millisecond {
		t.Errorf("%+v", o)
	}
	env["OTEL_SDK_DISABLED"] = "true"
	o = FromEnv("https://named/otel/", getenv, "1", nil)
	if o.Endpoint != "https://named/otel/v1/metrics" || len(o.Headers) != 0 || o.Service != "team" ||
		o.Version != "1" || o.Every != 1500*time.Millisecond {
		t.Errorf("where another collector is named: %+v", o)
	}
	for _, text := range []string{"0", "-5", "soon", "1.5", "86400001", "99999999999999999999"} {
		env[interval] = text
		var said error
		if o = FromEnv("http://named", getenv, "1", func(err error) { said = err }); o.Every != time.Minute ||
			said == nil || !strings.Contains(said.Error(), interval) {
			t.Errorf("an interval of %q: %v, %v", text, o.Every, said)
		}
		if o = FromEnv(
			"", getenv, "1", func(err error) { t.Errorf("nothing is sent, and said: %v", err) },
		); o.Endpoint != "" {
			t.Errorf("%+v", o)
		}
	}
}
