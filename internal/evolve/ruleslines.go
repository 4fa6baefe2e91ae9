package evolve

import "strings"

// changeVerbs say by themselves that something is not any more what it was. They are forms of the past, since
// "switch" and "move" are things too.
var changeVerbs = wordSet(`moved relocated transferred migrated switched swapped changed converted ported replaced superseded renamed rebranded upgraded downgraded updated bumped
	raised increased lowered reduced cut doubled tripled halved extended shortened postponed delayed slipped rescheduled shifted cancelled canceled abandoned dropped scrapped ditched
	removed deleted retired decommissioned deprecated discontinued dissolved disbanded merged closed shut reopened opened launched shipped rolled finished completed
	resolved fixed solved repaired quit left joined resigned fired promoted demoted stepped handed took inherited sold traded adopted gave stopped started began resumed divorced separated
	died graduated enrolled recovered healed grew grown rose risen fell fallen went turned enabled disabled reversed revoked lifted overturned repealed became become archived rewrote rewritten
	outsourced consolidated loosened tightened relaxed bought got broke phased pulled pushed brought forward expired ended reverted
	rotated reassigned redesigned rebuilt reorganised reorganized expanded shrank shrunk evolved transitioned swapped transitioned dumped sunset redirected rerouted
	laid hired appointed elected replaced-by landed gone emigrated settled converted unpinned uncapped stepped renewed paid`)

// changePhrases say it too, in several words. The strong ones need no more than a common matter.
var strongPhrases = phrases(`no longer|any more|anymore|any longer|from now on|as of|used to|these days|nowadays|no more|instead of|is gone|are gone|was gone|are now|is now|has now|have now
	since then|from today|starting next|changed our minds|changed my mind|changed his mind|changed her mind|gave up|given up|is off|are off|is over|are over|is dead
	was switched off|turned off|turned on|switched off|switched on|shut down|moved out|moved in|moves to|moves into|are up to|is up to|is down to|are down to|is back|are back|back from|moved to|moved from|moved away|stepped down|took over|rolled back|broke up|split up
	down to|up to now|went up|went down|got married|got divorced|rolled out|phased out|passed away|let go|has become|have become|became|new one|in place of|in favour of|in favor of
	taken over|handed over|went from|replaced by|replaced with|has since|have since|now uses|now lives|now works|now runs|until recently|for good|effective|going forward|by now|has been since
	pulled forward|pushed back|brought forward|put off|called off|back to|up from|down from|instead|rather than before|not yet anymore|starts at|retired|now`)

// phrases gives phrases by their first words.
func phrases(lines string) map[string][][]string {
	all := map[string][][]string{}
	for line := range strings.Lines(lines) {
		for p := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			words := strings.Fields(p)
			all[words[0]] = append(all[words[0]], words)
		}
	}
	return all
}

// matters are the states of which somebody or something has one at a time; words that
// begin, end or have one of a matter speak of the same.
var matters = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(matterLines) {
		name := ""
		for w := range strings.FieldsSeq(line) {
			if name == "" {
				name = w
				continue
			}
			m[w] = name
		}
	}
	return m
}()

const matterLines = `
job unemployed jobless work works worked working job joined quit resigned employed employer employee hired fired engineer developer manager teacher teaches nurse cook chef waiter consultant freelance freelancer freelances retired promoted career intern internship analyst accountant barista lawyer doctor pilot driver courier ceo cto director
home live lives lived living moved moves home flat house apartment address resides relocated rents stays lodges dorm
couple single engaged married divorced dating together wife husband widowed boyfriend girlfriend partner separated fiancé fiancée couple wedding
study studies student studying university college school graduated enrolled kindergarten grade degree undergraduate phd master's thesis
commute bus bike train car cycles drives rides walks tram subway commute commutes e-bike
diet vegetarian vegan meat pescatarian eats fish
`

// stages are states that follow one another and do not come back by themselves.
var stages = func() [][]map[string]bool {
	var all [][]map[string]bool
	for line := range strings.Lines(stageLines) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		var chain []map[string]bool
		for s := range strings.SplitSeq(line, "|") {
			chain = append(chain, wordSet(s))
		}
		all = append(all, chain)
	}
	return all
}()

const stageLines = `
single dating | engaged fiancé fiancée | married wed wedding | divorced separated widowed
open unresolved investigating ongoing reported broken | resolved closed fixed solved mitigated repaired
waiting review draft pending open wip | merged landed published accepted approved rejected
planned planning plans plan | booked started began cancelled
beta alpha preview prototype flag | shipped launched ga released generally
kindergarten nursery preschool | school | university college | graduated
learning learner lessons | licence license certified fluent passed
pregnant expecting | gave birth newborn baby
alive ill sick hospital | died dead funeral recovered discharged healed
student studies studying undergraduate | graduated graduate degree diploma
applied applying interview interviewing candidate | hired accepted rejected offer
progress todo backlog | done finished completed shipped
ordered backordered | delivered arrived received
building construction built | opened finished completed
writing drafting | published finished submitted
voting candidate running | elected won
saving | bought
unemployed jobless | job hired employed
unpaid outstanding | paid settled
unsigned | signed
looking searching hunting | found bought hired signed
`
