package sentences

import (
	"slices"
	"strings"
	"testing"
)

// Each text is written with a bar where its sentences part.
var parted = []string{
	"Das Treffen ist am 5. März.",
	"Das Treffen ist am 5. März. | Es beginnt um 10 Uhr.",
	"Treffen 5. März, Bern.",
	"Am 1. Januar beginnt das 3. Quartal. | Wir planen z. B. den Umzug nach St. Gallen.",
	"Dr. Smith is here. | Mr. and Mrs. Jones left.",
	"Ask Dr. Who about it. | The rest can wait.",
	"Use a queue, e.g. Redis. | Avoid polling.",
	"Use a queue (e.g. this one, etc.) and go on. | Then stop.",
	"We have apples, pears, etc. | The rest is gone.",
	"Siehe Nr. 5 und Abs. 3 der Verordnung. | Danach weiter.",
	"See No. 5 and Fig. 3. | No. | It works.",
	"Release v1.2.3 is out. | It reads config.yaml. | Node.js is at 3.14. | Done.",
	"Wait... | What?! | \"Really.\" | He said \"no.\" | Then he left.",
	"Wait... and see.",
	"«Non.» | Il part.",
	"Er sagte: „Nein.“ | Dann ging er.",
	"Ludwig XIV. König von Frankreich war reich. | Das war im 17. Jahrhundert.",
	"Es war 1990. | Danach kam nichts.",
	"Wir nehmen Variante 5. | Die anderen sind zu teuer.",
	"J. R. R. Tolkien wrote it. | We read it.",
	"So do I. | Then we agree.",
	"The flag is set. | Time ran out. | In the end. | We go.",
	"Read the doc. | Mail me at bob@example.com. | Thanks.",
	"Он родился в 1990 г. в Москве, т. е. давно. | Потом уехал.",
	"Он живёт на ул. Ленина. | Он пьёт чай, кофе и т. д. | Потом спит.",
	"J'habite à Paris, p. ex. chez M. Dupont. | Il est né en 50 av. J.-C. et mort après.",
	"El Sr. García vive en EE. UU. desde 1990. | La Sra. Pérez no.",
	"Il sig. Rossi vive a Roma. | Il dott. Bianchi no.",
	"O Sr. Silva mora na Av. Paulista. | A Dra. Costa não.",
	"今日は晴れです。|明日は雨でしょう！|「そうですか？」|はい。",
	"我们用Postgres。|端口是3.14吗？|是的。",
	"هل هذا صحيح؟ | نعم. | شكرا.",
	"यह ठीक है। | वह नहीं है।",
	"In the U.S. Senate it failed. | We meet at 5 p.m. | The room is small.",
	"Acme Inc. | It was sold.",
	"It is Acme Inc. and others.",
	"i like it. | then we go. | use approx. five.",
	"I use Go. | you may like it, or Rust approx. as much. | we do.",
	"stemma is a tool. | it reads e.g. notes.",
	"It broke. | `go test` is red. | #12 is open.",
	"Yahoo! | Then Google. | \"Why?\" she asked.",
	"Der Wert ist ca. 5 bzw. Acht usw. und mehr. | Das reicht.",
	"Steps: 1. Install it. | 2. Run it.",
	"It is in Bern, 8080. | Yes. | Read config.yaml. | 5 tests ran v1.2. | #3 failed at 5 p.m. (CET).",
	"The U.K. Parliament meets on Jan. 5 in St. Helens. | It is in the U.K. | We watch.",
	"The date is 5. 3. 2024. | Fine.",
	"See https://example.org/a.b?c=d. | It has all.",
	"Is it safe? | Yes.",
}

func TestASentenceEndsWhereItsLanguageEndsIt(t *testing.T) {
	for _, p := range parted {
		var want []string
		for part := range strings.SplitSeq(p, "|") {
			want = append(want, strings.TrimSpace(part))
		}
		text := strings.ReplaceAll(strings.ReplaceAll(p, " | ", " "), "|", "")
		if got := Split(text); !slices.Equal(got, want) {
			t.Errorf("Split(%q) =\n%q, want\n%q", text, got, want)
		}
	}
}
