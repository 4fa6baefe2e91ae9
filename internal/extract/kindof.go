package extract

import (
	"cmp"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// The kinds of what a name names. They are worked out when they are read, and never stored.
const (
	kindPerson       = "person"
	kindOrganisation = "organisation"
	kindPlace        = "place"
	kindSoftware     = "software"
	kindFile         = "file"
	kindOther        = "other"
)

// Kinds of entities, the likelier first where texts give as many hints for both.
var kindOrder = []string{kindPerson, kindOrganisation, kindPlace, kindSoftware, kindFile}

// KindOf returns the kind of what a name names, by its form, by lists of names, and by the texts in which it stands.
// What none of them tells is "other".
func KindOf(name string, texts []string) string {
	if kind := kindOfForm(name); kind != "" {
		return kind
	}
	kind, sure := kindOfList(name)
	if sure {
		return kind
	}
	hints := map[string]int{kind: 1}
	if firstNames.Has(strings.ToLower(name)) {
		hints[kind]++
	}
	for _, text := range texts {
		for _, s := range sentences(text) {
			s.standing(name, func(i, j int) { hints[s.hint(i, j)]++ })
		}
	}
	best := kindOther
	for _, k := range kindOrder {
		if hints[k] > 0 && (best == kindOther || hints[k] > hints[best] || hints[k] == hints[best] && best == kind) {
			best = k
		}
	}
	return best
}

// Nameless reports whether a memory's name names nothing by itself: the speaker whom no one named, "my wife", and the
// mark of a secret.
func Nameless(name string) bool {
	low := strings.ToLower(name)
	first, rest, two := strings.Cut(low, " ")
	return isUser(low) || strings.HasPrefix(strings.TrimLeft(low, "[("), strings.ToLower(redactedMark)) ||
		two && (first == "my" || first == "our") && owned.Has(rest)
}

// standing calls do with the places of a sentence where a name stands.
func (s sentence) standing(name string, do func(i, j int)) {
	list := strings.Fields(strings.ToLower(name))
	for i := 0; len(list) > 0 && i+len(list) <= len(s.words); i++ {
		n := 0
		for n < len(list) && strings.TrimSuffix(s.words[i+n].low, "'s") == strings.TrimRight(list[n], ".") {
			n++
		}
		if n == len(list) {
			do(i, i+n)
		}
	}
}

// kindOf is the kind of a name in the words from i up to j.
func (s sentence) kindOf(name string, i, j int) string {
	if kind := kindOfForm(name); kind != "" {
		return kind
	}
	kind, sure := kindOfList(name)
	if !sure {
		if hint := s.hint(i, j); hint != kindOther {
			return hint
		}
	}
	return cmp.Or(kind, kindOther)
}

// fileNames are files that are known without an ending.
var fileNames = lazy.Words(`dockerfile makefile jenkinsfile vagrantfile procfile gemfile rakefile readme
	license licence changelog contributing gnumakefile justfile .env .gitignore .bashrc .zshrc codeowners`)

// kindOfForm tells what the form of a name gives away.
func kindOfForm(name string) string {
	switch {
	case handle.Get().MatchString(name):
		return kindPerson
	case fileNames.Has(strings.ToLower(name)), fileEnd.Get().MatchString(name),
		filePath.Get().MatchString(name) && !strings.HasPrefix(name, "@"):
		return kindFile
	case codeName.Get().MatchString(name) && (!isCapital(name) || strings.ContainsAny(name, "_.:(")):
		return kindSoftware
	}
	return ""
}

var fileEnd = lazy.Regexp(`^[\w./@-]*\w\.(?:go|py|ts|tsx|js|jsx|rs|java|rb|c|h|cc|cpp|sql|ya?ml|toml|json|md|txt|` +
	`sh|proto|html|css|mod|sum|lock|csv|pdf|docx?|xlsx?|pptx?|png|jpe?g|svg|zip|gz|log|env|ini|cfg|conf|xml|ipynb|key)$`)

var (
	titles = lazy.Words(`mr mrs ms miss dr prof professor herr frau monsieur madame mme sir uncle aunt grandma
		grandpa`)
	bodies = lazy.Words(`inc corp corporation gmbh ag kg se sa ltd llc plc university college labs foundation
		bank agency institute ministry hospital clinic school academy society association committee council
		department group holding airlines airways bahn verein e.v stiftung universität sparkasse team guild union
		church museum orchestra`)
	ways = lazy.Words(`street road avenue lane square platz straße strasse allee weg gasse boulevard airport
		station park lake river valley beach island islands mountains bridge county city`)
	wayHeads = lazy.Words(`rue avenue boulevard place lake mount lac san santa saint-denis mont port bad`)
	programs = lazy.Words(`server studio db sdk cli api js os ide framework browser linux`)
)

// kindOfList returns the kind that the lists have for a name, and whether they leave no doubt.
func kindOfList(name string) (kind string, sure bool) {
	low := strings.ToLower(name)
	all := strings.Fields(low)
	if len(all) == 0 {
		return "", false
	}
	first, last := strings.Trim(all[0], "."), strings.Trim(all[len(all)-1], ".")
	if len(all) > 1 {
		switch {
		case all[0] == "my" || all[0] == "our":
			return kindOfOwned(last), true
		case titles.Has(first):
			return kindPerson, true
		case bodies.Has(last) || last == "cook" && first == "thomas":
			return kindOrganisation, true
		case ways.Has(last) || wayHeads.Has(first) || knownPlaces.Has(last) && !firstNames.Has(first):
			return kindPlace, true
		case firstNames.Has(first):
			return kindPerson, true
		case tools.Has(first) || programs.Has(last):
			return kindSoftware, true
		case companies.Has(first):
			return kindOrganisation, true
		}
		return "", false
	}
	if low != name && codeName.Get().MatchString(name) && !companies.Has(low) {
		return kindSoftware, tools.Has(low)
	}
	for _, l := range []struct {
		set  *lazy.Set
		kind string
	}{{tools, kindSoftware}, {companies, kindOrganisation}, {knownPlaces, kindPlace}, {firstNames, kindPerson}} {
		if l.set.Has(low) {
			if kind != "" {
				return kind, false
			}
			kind = l.kind
		}
	}
	return kind, kind != "" && kind != kindPerson
}

// kindOfOwned is the kind of what somebody calls my or our.
func kindOfOwned(w string) string {
	switch w {
	case "team", "company", "startup":
		return kindOrganisation
	case "api", "backend", "frontend", "server", "website", "app", "repo":
		return kindSoftware
	case "dog", "cat", "project":
		return kindOther
	}
	return kindPerson
}

// Words before a name, and words before those, that say what it names.
var (
	inPlace   = lazy.Words(`in near through across around outside towards toward`)
	atCompany = lazy.Words(`at joined left quit joins leaves founded customer client supplier competitor sued
		acquired`)
	toPerson = lazy.Words(`met meet meets friend told tell tells asked ask asks owe owes owed called thanked
		thank visited married mr mrs dr named congratulate remind invited hugged`)
	useSoftware = lazy.Words(`using use uses used chose install installed installs run runs adopted adopt
		upgraded tried configure configured choose deploy debug restart restarted`)
	going = lazy.Words(`moved move moves moving flew fly flies flight flights drove drive drives trip trips
		train ferry bus travelled traveled travel travels went go goes going commute commutes back relocated
		relocate journey way walk visit visits return returned came come comes live lives`)
	speaking = lazy.Words(`talk talked talking talks spoke speak speaks reports report wrote writes listened
		gave lent sold belongs belong happened introduced`)
	switching = lazy.Words(`switch switched switching migrate migrated migrating migration upgrade upgraded
		ported deploy deployed deploys reported export exported push pushed uploads upload`)
	origins = lazy.Words(`is am are was i'm he's she's they're comes came born originally`)
	papers  = lazy.Words(`parcel package delivery invoice offer contract contracts bill order deal letter quote
		money proposal meeting call price agreement agreed partnership competes works worked work working consultant
		signed negotiated`)
	building = lazy.Words(`hashed built written tested made done deployed managed monitored stored tracked drawn
		implemented configured generated`)
)

// hint returns the kind that the words around a name suggest; other where they suggest none.
func (s sentence) hint(i, j int) string {
	before, earlier := s.before(i), s.before(i-1)
	switch {
	case useSoftware.Has(before), before == "in" && s.mentions("store", "stored", "stores", "keep", "kept", "tracked"),
		switching.Has(earlier) && (before == "to" || before == "from"),
		building.Has(earlier) && (before == "with" || before == "in" || before == "by"):
		return kindSoftware
	case relatives.Has(before) && before != "client", before == "is" && relatives.Has(earlier), toPerson.Has(before),
		before == "to" && speaking.Has(earlier), before == "called" && (earlier == "is" || earlier == "was"):
		return kindPerson
	case atCompany.Has(before), before == "for" && papers.Has(earlier),
		(before == "from" || before == "with" || before == "by") && papers.Has(earlier):
		return kindOrganisation
	case inPlace.Has(before), (before == "to" || before == "from") && (going.Has(earlier) || s.goes(i)):
		return kindPlace
	case before == "from" && origins.Has(earlier):
		return kindPlace
	case before == "from":
		return kindOther
	case before == "with" && s.personLike(i, j):
		return kindPerson
	case before == "" || before == "and" || before == "that" || before == "because" || s.skip(0) == i:
		if s.human(j) || j+1 < len(s.words) && s.words[j].low == "and" && s.words[j+1].low == "i" {
			return kindPerson
		}
		return s.deed(j)
	case s.human(j):
		return kindPerson
	}
	return kindOther
}

// before returns the word before word i in the same clause.
func (s sentence) before(i int) string {
	if i <= 0 || i > len(s.words) || s.words[i-1].after != 0 {
		return ""
	}
	return s.words[i-1].low
}

// goes reports whether a way is told before word i: moved from A to B.
func (s sentence) goes(i int) bool {
	for _, w := range s.words[:i] {
		if going.Has(w.low) {
			return true
		}
	}
	return false
}

// personLike reports whether a name is one word, or two as people have them, and no abbreviation.
func (s sentence) personLike(i, j int) bool {
	return j-i <= 2 && strings.ToUpper(s.words[i].text) != s.words[i].text
}

var (
	companyDeeds = lazy.Words(`bought buys acquired acquires sells hired hires fired charges sued announced
		delivers raised`)
	softwareDeeds = lazy.Words(`crashes crashed fails failed runs restarts restarted supports shows stores needs
		sends closes scrapes returns logs opens handles requires accepts listens timeouts hangs compiles parses
		renders caches indexes writes reads exports imports depends loads blocks`)
)

// deed returns the kind of what does what the words from j on tell.
func (s sentence) deed(j int) string {
	if j >= len(s.words) || s.words[j-1].after != 0 {
		return kindOther
	}
	switch w := s.words[j].low; {
	case companyDeeds.Has(w):
		return kindOrganisation
	case softwareDeeds.Has(w):
		return kindSoftware
	}
	return kindOther
}

// Deeds of people, which neither programs nor companies do, and deeds of all that have a name.
var (
	personDeeds = lazy.Words(`said says told tells thinks thought believes wants wanted likes loves hates
		prefers enjoys liked loved hated preferred enjoyed dislikes lives lived moved works worked joined quit
		resigned retired studies studied teaches taught wrote met married divorced called asked found approved
		agreed owes knows knew plays played goes went came takes took bought sent spoke speaks fixed leads led
		manages managed owns owned suggested reviewed complained promised decided left got became graduated commutes
		visited attended volunteered knitted painted`)
	ownDeeds = lazy.Words(`uses used released ships shipped adopted chose picked switched migrated deprecated
		launched built created reported hosts hosted wins won lost signed open-sourced published maintains
		maintained investigated debugged deployed reverted merged hired fired acquired announced offered sponsors
		sponsored supports organised organized`)
)

// human reports whether the words behind a name are such as tell of people, and not of programs or companies.
func (s sentence) human(j int) bool {
	if strings.HasSuffix(s.words[j-1].low, "'s") && j < len(s.words) {
		w := s.words[j].low
		return relatives.Has(w) || owned.Has(w) || w == "birthday" || w == "house"
	}
	j = s.verbAt(j)
	if j >= len(s.words) {
		return false
	}
	if w := s.words[j].low; w != "is" && w != "was" {
		return personDeeds.Has(w)
	}
	return j+1 < len(s.words) && (statuses.Has(s.words[j+1].low) || s.isOne(j+1, relatives, roles))
}

// doer reports whether the words behind a name are such as tell of what has one: a person, a company, a product.
func (s sentence) doer(j int) bool {
	v := s.verbAt(j)
	if v < len(s.words) && loose.Has(s.words[v].low) {
		return works.Has(s.words[v].low) && v+1 < len(s.words) && toward.Has(s.words[v+1].low)
	}
	if s.human(j) {
		return true
	}
	if j = v; j >= len(s.words) {
		return false
	}
	w := s.words[j].low
	return ownDeeds.Has(w) || companyDeeds.Has(w) || (w == "is" || w == "was") && s.isOne(j+1, things)
}

// loose are verbs of people that tell as well of things: the train went, caffeine took its toll. Works at tells more.
var (
	loose  = lazy.Words(`takes took goes went came got left became decided leads led works worked moved`)
	works  = lazy.Words(`works worked moved`)
	toward = lazy.Words(`at for to as from`)
)

// verbAt is the place of the verb behind a name that ends before word j.
func (s sentence) verbAt(j int) int {
	if s.words[j-1].after != 0 {
		return len(s.words)
	}
	if n := s.is(j, "no longer"); n > 0 {
		j += n
	}
	for j < len(s.words) && adverbs.Has(s.words[j].low) {
		j++
	}
	return j
}

// isOne reports whether the words from i on say that something is one of these: the owner, Ann's new manager.
func (s sentence) isOne(i int, sets ...*lazy.Set) bool {
	if i >= len(s.words) || !articles.Has(s.words[i].low) && !strings.HasSuffix(s.words[i].low, "'s") {
		return false
	}
	for _, w := range s.words[i+1 : min(len(s.words), i+4)] {
		for _, set := range sets {
			if set.Has(w.low) {
				return true
			}
		}
	}
	return false
}

// things are what something with a name may be.
var things = lazy.Words(`service product app application library database framework startup company supplier
	customer vendor bank project client agency competitor tool codename`)

var roles = lazy.Words(`owner nurse designer engineer developer programmer writer painter architect adviser
	advisor consultant director lead leader head ceo cto founder musician singer actor chef cook pilot scientist
	researcher professor electrician plumber carpenter journalist photographer vegetarian vegan runner reviewer
	maintainer author tenant guest analyst dentist surgeon vet pharmacist midwife judge translator tester
	administrator admin`)
