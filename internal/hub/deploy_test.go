package hub

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What alerts and the dashboard ask for is there, with the labels that they name; and the dashboard shows all there is.
func TestAlertsAndDashboardAskForWhatIsThere(t *testing.T) {
	p := counting(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil)
	r.Header.Set("Authorization", "Bearer token")
	w := httptest.NewRecorder()
	p.server.showMetrics(w, r)
	there, labels := map[string]bool{}, map[string]bool{"instance": true, "job": true}
	for line := range strings.Lines(w.Body.String()) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, _ := strings.Cut(strings.Fields(line)[0], "{")
		there[name] = true
		for _, m := range regexp.MustCompile(`(\w+)="`).FindAllStringSubmatch(rest, -1) {
			labels[m[1]] = true
		}
	}
	read := func(name string) string {
		text, err := os.ReadFile("../../deploy/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	alerts, shown := read("alerts.yaml"), read("dashboard.json")
	if !json.Valid([]byte(shown)) {
		t.Error("dashboard.json is no JSON")
	}
	metric, label := regexp.MustCompile(`stemma_hub_\w+`), regexp.MustCompile(`(\w+)=~?\\?"|by \((\w+)\)|on \((\w+)\)`)
	for file, text := range map[string]string{"alerts.yaml": alerts, "dashboard.json": shown} {
		asked := metric.FindAllString(text, -1)
		if len(asked) < 8 {
			t.Errorf("%s asks for %v alone", file, asked)
		}
		for _, name := range asked {
			if !there[name] {
				t.Errorf("%s asks for %s, which /metrics does not show", file, name)
			}
		}
		for _, m := range label.FindAllStringSubmatch(text, -1) {
			if name := m[1] + m[2] + m[3]; !labels[name] {
				t.Errorf("%s asks for the label %q, which nothing has", file, name)
			}
		}
	}
	for name := range there {
		if name != "stemma_spans_dropped_total" && !slices.Contains(metric.FindAllString(shown, -1), name) {
			t.Errorf("the dashboard does not show %s", name)
		}
	}
}
