// Package otlp posts to an OpenTelemetry collector: OTLP over HTTP in JSON.
package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Object is an object of the protocol's JSON, in which whole numbers of 64 bits are texts.
type Object = map[string]any

// Client returns a client for a collector. Who runs the server names the collector; where
// it sends elsewhere, nothing follows.
func Client() *http.Client {
	return &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Post sends one message to an address. It waits as long as ctx does.
func Post(ctx context.Context, client *http.Client, address string, headers map[string]string, message Object) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for key, text := range headers {
		r.Header.Set(key, text)
	}
	r.Header.Set("Content-Type", "application/json")
	got, err := client.Do(r)
	if err != nil {
		if wrong := (*url.Error)(nil); errors.As(err, &wrong) {
			err = fmt.Errorf("%s: %w", r.URL.Host, wrong.Err) // the rest of the address may hold a key
		}
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
