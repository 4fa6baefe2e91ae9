package extract

import (
	"testing"
	"time"
)

// What stands where a name could, and is none.
func TestNoNames(t *testing.T) {
	for _, text := range []string{
		"We celebrated the birthday with a concert", "Gina built a new website for customers to make orders",
		"We made great memories",
	} {
		entities, _ := RememberBy("Ann", text, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
		for _, e := range entities {
			if e.Name == "We" || e.Name == "make" {
				t.Errorf("%q names %+v", text, e)
			}
		}
	}
}

// What begins a sentence without an article, and what replaces a secret, name no one.
func TestEverydayWordsAreNoNames(t *testing.T) {
	for _, text := range []string{
		"Standup is at 9.", "Rent is 900 euros.", "Rent was raised in May.", "Lunch is on Thursday.", "Yoga is on Tuesday.",
		"Breakfast is at 8.", "Staging is down.", "Revenue was 40,000.", "Training starts at six.", "Heating costs 910.",
		"Documentation is missing.", "Rent's due on the first.", "The token is [REDACTED:github-pat].",
		"REDACTED:aws-key was rotated.", "Choir is in the hall.", "Monitoring is broken.",
		"Mildew is growing in the shower.", "Porridge is cheap.", "Kindergarten starts in September.",
		"Typos were fixed.", "Dogs hated the vet.", "Squirrels found the nuts.", "Caffeine took its toll.",
		"Sourdough needs patience.", "Idempotency is required for all handlers.", "The CEO resigned.", "We use an API.",
		"Good tests are short.", "The Italian restaurant has moved.", "Release Notes are on the wiki.",
	} {
		found, drafts := RememberBy("Ann", text, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
		for _, e := range found {
			if e.Name != "Ann" {
				t.Errorf("%q names %+v", text, e)
			}
		}
		for _, d := range drafts {
			for _, name := range d.About {
				if name != "Ann" {
					t.Errorf("%q is about %q", text, name)
				}
			}
		}
	}
	for text, want := range map[string]string{
		"Mira is at home.": "Mira", "Jenkins is down.": "Jenkins", "Wenke said that the boiler leaks.": "Wenke",
		"Choose Python for scripts.": "Python", "We met Ludwig van der Berg.": "Ludwig van der Berg",
		"Helios is our payment service.": "Helios",
	} {
		found, _ := RememberBy("Ann", text, time.Time{})
		if len(found) == 0 || found[len(found)-1].Name != want {
			t.Errorf("%q names %+v, want %s", text, found, want)
		}
	}
}
