package hub

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// Two hundred machines behind one address join at the same moment. Who asks on and on is told to wait.
func TestACrowdJoinsFromOneAddress(t *testing.T) {
	everyHub(t, func(p *place) {
		p.server.doors = newDoors(func() time.Time { return p.now })
		began := time.Now()
		for i := range 200 {
			key := newKey(p, fmt.Sprint("machine ", i))
			if _, err := p.client("").Join(p.Context(), p.asksAs(key.DID(), key, p.invitation("", ""))); err != nil {
				p.Fatalf("machine %d: %v", i, err)
			}
		}
		p.Logf("200 joined in %v", time.Since(began))
		for i := range 101 {
			if _, err := p.client("").Challenge(p.Context()); (err == nil) != (i < 100) {
				p.Fatalf("stranger %d after the crowd: %v, want 100 at once", i, err)
			}
		}
	})
}

// The log names the token that was used by its public id, and never shows the token.
func TestTheLogNamesTheToken(t *testing.T) {
	p := serveHub(t, openHub(t, t.TempDir()+"/hub.db"))
	var log bytes.Buffer
	p.server.o.Log = slog.New(slog.NewJSONHandler(&log, nil))
	ann := newPerson(t, "ann")
	got := p.letIn(ann, "", "")
	log.Reset()
	if err := hello(p, ann); err != nil {
		t.Fatal(err)
	}
	p.http.Close() // waits until the request is logged
	if !strings.Contains(log.String(), `"token":"`+got.TokenID+`"`) || strings.Contains(log.String(), got.Token) {
		t.Errorf("the log says %s", log.String())
	}
}
