package secrets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A sample is a text with one secret in it.
type sample struct {
	kind, place, text, secret string
	at                        int
}

// places are where secrets stand. %N is the name, %E the variable, %e the same in small letters, %S the secret.
var places = []struct{ name, form string }{
	{"prose", "Alice said on Tuesday that the %N is %S, and to rotate it by Friday."},
	{"json", `{"service":"%N","%e":"%S","retries":3}`},
	{"env", "PORT=8080\n%E=%S\nLOG_LEVEL=debug\n"},
	{"shell", "  512  export %E='%S' && ./deploy.sh --region eu-west-1"},
	{"address", "GET https://api.example.net/v1/items?%e=%S&page=2 returned 403"},
	{"escaped", `{"tool":"bash","output":"$ cat .env\nDEBUG=1\n%E=%S\nPORT=80\n","exit":0}`},
	{"yaml", "services:\n  web:\n    environment:\n      %e: %S\n      port: 80\n"},
	{"code", "client := api.New(config{Region: \"eu\"})\nconst %e = \"%S\"\n"},
	{"bare", "try (%S) instead; it worked for me"},
}

var blockPlaces = []string{
	"%S", "Here is the file:\n\n%S\n\nPlease keep it.", "{\"tool\":\"read\",\"text\":\"%J\"}", "> quoted\n%S\n> end",
	"before %S after",
}

// sampleOf makes the text of a kind in the n-th place that suits it.
func sampleOf(r *rand.Rand, k kind, n int) sample {
	text := k.make(r)
	secret := text
	if k.secret != nil {
		secret = k.secret(text)
	}
	form, place := "", "block"
	if k.whole {
		form = blockPlaces[n%len(blockPlaces)]
	} else {
		usable := len(places)
		if !k.plain {
			usable-- // nobody knows it bare
		}
		form, place = places[n%usable].form, places[n%usable].name
	}
	if strings.Contains(form, "%J") {
		quoted := strings.ReplaceAll(text, "\n", `\n`)
		form = strings.ReplaceAll(form, "%J", quoted)
		secret = strings.ReplaceAll(secret, "\n", `\n`)
	}
	form = strings.NewReplacer("%N", k.name, "%E", k.env, "%e", strings.ToLower(k.env), "%S", text).Replace(form)
	return sample{k.name + " " + k.env, place, form, secret, strings.Index(form, secret)}
}

func corpus(seed uint64, kinds []kind, n int) []sample {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]sample, n)
	for i := range out {
		out[i] = sampleOf(r, kinds[i%len(kinds)], i/len(kinds)+i+int(seed))
	}
	return out
}

// slack is how many bytes around a secret may be taken with it: its name in a URL, a quote.
const slack = 40

// judged says what is wrong with what is found in a sample, or "".
func judged(s sample) string {
	end, found := s.at+len(s.secret), Find(s.text)
	for i := s.at; i < end; {
		within := false
		for _, f := range found {
			if f.Start <= i && i < f.End {
				if f.End > end+slack || f.Start < s.at-slack {
					return fmt.Sprintf("too much: %s takes %d to %d", f.Rule, f.Start, f.End)
				}
				i, within = f.End, true
				break
			}
		}
		if !within {
			return fmt.Sprintf("byte %d of %d of the secret stays", i-s.at, len(s.secret))
		}
	}
	return ""
}

func TestSecretsOfFortyKindsAreFound(t *testing.T) {
	const secrets, seeds, atLeast, atLeastOfKind = 220, 10, 0.95, 0.9
	if got := len(fortyKinds); got != 40 {
		t.Fatalf("%d kinds, want 40", got)
	}
	for _, set := range []struct {
		name  string
		kinds []kind
	}{{"forty kinds", fortyKinds}, {"more kinds", moreKinds}} {
		missed, all := map[string]int{}, map[string]int{}
		total := 0
		for seed := range uint64(seeds) {
			inOne := 0
			for _, s := range corpus(seed, set.kinds, secrets) {
				all[s.kind]++
				if wrong := judged(s); wrong != "" {
					missed[s.kind]++
					inOne++
					t.Logf("%s, %s: %s", s.kind, s.place, wrong)
				}
			}
			total += inOne
			if got := 1 - float64(inOne)/secrets; got < atLeast {
				t.Errorf("%s, seed %d: %.3f are found, want %v", set.name, seed, got, atLeast)
			}
		}
		for k, n := range missed {
			if got := 1 - float64(n)/float64(all[k]); got < atLeastOfKind {
				t.Errorf("%s: %.2f are found, want %v", k, got, atLeastOfKind)
			}
		}
		t.Logf("%s: %.2f %% of %d are found", set.name, 100-100*float64(total)/(seeds*secrets), seeds*secrets)
	}
}

func TestNoCanaryStays(t *testing.T) {
	r := rand.New(rand.NewPCG(40, 1))
	for i, k := range fortyKinds {
		s := sampleOf(r, k, i%8) // every place but the bare one
		got, found := Redact(s.text)
		if strings.Contains(got, s.secret) || len(found) == 0 {
			t.Errorf("%s, %s: the secret is still there", s.kind, s.place)
		}
	}
}
