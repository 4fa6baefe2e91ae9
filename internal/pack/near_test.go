package pack

import (
	"strings"
	"testing"
)

// What meaning found in a long text is shown, whatever it is made of and wherever words of the question stand.
func TestWhatIsCutIsCutAroundWhatMeaningFound(t *testing.T) {
	log := strings.Repeat("2026-11-02T09:12:44Z INFO worker 7 took job 4471 of queue mail\n", 40)
	code := strings.Repeat("\tif err := s.flush(ctx, batch); err != nil {\n\t\treturn err\n\t}\n", 30)
	huge := strings.Repeat("and the men carried the boxes up the stairs ", 60)
	const found = "Her pacemaker must not come near the induction stove"
	for _, tt := range []struct{ name, text, near string }{
		{"log, then prose", log + "\n" + found + ".", strings.TrimSpace(log[len(log)-400:]) + "\n\n" + found + "."},
		{"code, then a comment", code + "\t// " + found + ".\n" + code, "// " + found + "."},
		{"another writing", strings.Repeat("会議では新しい建物の予定について話しました。", 60) + found + ".", found + "."},
		{"one sentence", huge + found + " " + huge, found + " " + huge[:300]},
		{"words of the question stand elsewhere", "Ask what caterers know about us. " + strings.Repeat("We met. ", 200) +
			found + ".", found + "."},
	} {
		if !strings.Contains(tt.text, tt.near) {
			t.Fatalf("%s: the passage is not in the text", tt.name)
		}
		for _, room := range []int{260, 300, 480} {
			got, of := Passage(tt.text, []string{"caterers", "know"}, tt.near, room)
			if of == 0 || !strings.Contains(got, "pacemaker") {
				t.Errorf("%s: in %d tokens %q", tt.name, room, got)
			}
		}
	}
}
