package hub

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// putCertificate writes a certificate with a serial number, and its key.
func putCertificate(t *testing.T, cert, key string, serial int64) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, of, of, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: private},
	} {
		if name == "" {
			continue
		}
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Duration(serial) * time.Minute)
		if err := os.Chtimes(name, later, later); err != nil {
			t.Fatal(err)
		}
	}
}

// A renewed certificate is used without a restart; half of one, or none, is not.
func TestACertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	var log bytes.Buffer
	c := &certificate{cert: cert, key: key, log: slog.New(slog.NewTextHandler(&log, nil))}
	if err := c.read(); err == nil {
		t.Fatal("a certificate that is not there was read")
	}
	serial := func() int64 {
		t.Helper()
		c.looked = time.Time{}
		pair, err := c.get(nil)
		if err != nil {
			t.Fatal(err)
		}
		return pair.Leaf.SerialNumber.Int64()
	}
	putCertificate(t, cert, key, 1)
	if err := c.read(); err != nil || serial() != 1 {
		t.Fatal(err)
	}
	putCertificate(t, cert, "", 2) // its key is not there yet
	if got := serial(); got != 1 || !strings.Contains(log.String(), "the new certificate is not used") {
		t.Errorf("half of a new certificate gives number %d, and the log %q", got, log.String())
	}
	putCertificate(t, cert, key, 3)
	if got := serial(); got != 3 {
		t.Errorf("the renewed certificate is number %d, want 3", got)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if got := serial(); got != 3 {
		t.Errorf("without a key it is number %d, want 3", got)
	}
}

// While the database is away a hub is alive and not healthy.
func TestAHubLivesWithoutItsDatabase(t *testing.T) {
	p := serveHub(t, openHub(t, filepath.Join(t.TempDir(), "hub.db")))
	ask := func(path string) int {
		w := httptest.NewRecorder()
		p.server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w.Code
	}
	if live, ready := ask("/livez"), ask("/healthz"); live != 200 || ready != 200 {
		t.Errorf("a hub answers %d and %d", live, ready)
	}
	if err := p.store.Close(); err != nil {
		t.Fatal(err)
	}
	if live, ready := ask("/livez"), ask("/healthz"); live != 200 || ready != 503 {
		t.Errorf("without its database a hub answers %d and %d, want 200 and 503", live, ready)
	}
}
