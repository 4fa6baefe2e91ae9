package folder

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stemma-memory/stemma/api"

	"github.com/stemma-memory/stemma/memory"
)

// What is laid out in a file is read again as it was.
func FuzzLayOut(f *testing.F) {
	f.Add("Find out", "It was so\n## Lessons\n\\## Outcome", "dig\n\n  deep", "- a")
	f.Add("# one", "## Lessons", "1. a", "x")
	f.Fuzz(func(t *testing.T, text, outcome, lesson, avoid string) {
		for _, d := range []api.Draft{
			{
				Kind: string(memory.KindEpisode), Text: text, Outcome: outcome, Lessons: []string{lesson, avoid},
				Avoid: []string{avoid}, OutcomeType: "success",
			},
			{Kind: string(memory.KindValue), Name: text, Text: outcome},
			{Kind: string(memory.KindBelief), Text: outcome},
			{
				Kind: string(memory.KindPlaybook), Text: text, When: outcome, Steps: []string{lesson},
				FailureModes: []string{avoid},
			},
		} {
			d := tidied(d)
			got := readText(api.Draft{Kind: d.Kind, OutcomeType: d.OutcomeType}, layOut(d))
			if !reflect.DeepEqual(got, d) {
				t.Errorf("%+v comes back as %+v from\n%s", d, got, layOut(d))
			}
		}
	})
}

// tidied returns a draft whose texts have no blanks around, as those of files.
func tidied(d api.Draft) api.Draft {
	tidy := func(s *string) {
		*s = strings.TrimSpace(plainLines(*s))
	}
	tidy(&d.Text)
	tidy(&d.Name)
	tidy(&d.Outcome)
	tidy(&d.When)
	for _, list := range []*[]string{&d.Lessons, &d.Avoid, &d.Steps, &d.FailureModes} {
		var kept []string
		for _, s := range *list {
			if tidy(&s); s != "" {
				kept = append(kept, s)
			}
		}
		*list = kept
	}
	return d
}
