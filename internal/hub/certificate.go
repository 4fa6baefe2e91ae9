package hub

import (
	"crypto/tls"
	"log/slog"
	"os"
	"sync"
	"time"
)

// looksAgain is how often the files of a certificate are looked at, while connections come.
const looksAgain = time.Second

// A certificate is read from its files, and read again when they change: whoever renews it need not restart the hub.
type certificate struct {
	cert, key string
	log       *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	looked time.Time
	is     [2]version
}

// A version tells a file from what it was.
type version struct {
	changed time.Time
	size    int64
}

// read reads both files.
func (c *certificate) read() error {
	is := c.versions()
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.pair, c.is = &pair, is
	return nil
}

func (c *certificate) versions() (out [2]version) {
	for i, name := range []string{c.cert, c.key} {
		if info, err := os.Stat(name); err == nil {
			out[i] = version{info.ModTime(), info.Size()}
		}
	}
	return out
}

// get returns the certificate for a connection. While the files do not fit together, as between the writing of one and
// of the other, it is the last that did; the log says so.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= looksAgain {
		c.looked = now
		if c.versions() != c.is {
			if err := c.read(); err != nil {
				c.log.Warn("the new certificate is not used", "error", err.Error())
			} else {
				c.log.Info("the certificate was read again")
			}
		}
	}
	return c.pair, nil
}
