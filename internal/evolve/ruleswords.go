package evolve

import (
	"strings"
	"sync"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// Words by what they do in a sentence. All are in lower case and unstemmed.
var (
	// emptyWords say nothing of what a sentence is about.
	emptyWords = lazy.Words(`a an the this that these those there here it its itself he him his himself she her hers ` +
		`herself they them their theirs i me my mine myself
		we us our ours you your yours one ones who whom whose which what when where why how
		am is are was were be been being do does did doing done have has had having can could shall should will would may ` +
		`might must ought need needs
		and or but nor if then else so than because as while though although since until till unless
		of to in on at by for from with into onto about between through during within over under up out off down near per ` +
		`via upon against around
		any some each both all every most more other another such same own too very just also only again ever once
		really quite rather exactly actually currently still already even much many lot lots bit about around roughly ` +
		`some almost nearly well indeed simply
		one's s etc eg ie ok yes please let lets get gets got getting go goes going went come comes came make makes made ` +
		`take takes took
		something anything everything someone anyone everybody everyone somebody anybody thing things way
		today tomorrow yesterday tonight week month year last next ago early late recently lately soon later
		says said say tells told tell claims claimed thinks thought think believes heard hears note fyi kind sort part`)

	negators = lazy.Words(
		`not no never nobody none nothing neither nor cannot without hardly rarely seldom nowhere zero lacks lack isnt ` +
			`arent cant dont doesnt didnt wont`,
	)

	conjunctions = lazy.Words(`but because so although though while whereas unless and`)

	determiners = lazy.Words(`a an the this that these those my your his her its our their some any no every each all`)

	prepositions = lazy.Words(
		`of to in on at by for from with into onto about between through during within over under near per via upon ` +
			`against around behind as until till since after before like without`,
	)

	auxiliaries = lazy.Words(
		`am is are was were be been being do does did have has had can could shall should will would may might must ` +
			`ought cannot = :`,
	)

	copulas = lazy.Words(`am is are was were be been being = :`)

	pronouns = lazy.Words(
		`i we you he she it they me us him them there this that these those everybody everyone nobody somebody anyone ` +
			`someone what who it's`,
	)

	// reporters stand between who says something and what is said.
	reporters = lazy.Words(`says said say claims claimed claim thinks believes heard hears reported swears insists ` +
		`insisted mentions mentioned notes
		noted warns warned argues argued explained announced confirmed confirms reckons maintains assures assured told ` +
		`tells suspects`)

	// supposing words begin what is not claimed.
	supposing = lazy.Words(`if suppose supposing imagine imagined dreamt dreamed dream novel film movie story song ` +
		`joke poem fiction wish wishes wonder wonders wondering
		perhaps maybe might considering proposal proposed proposes suggests suggested hypothetically unless whether would ` +
		`could rumour rumor hopes hoping wants plans`)

	// intensifiers and manners say how, not what.
	manners = lazy.Words(`fluent fluently strictly absolutely completely totally fully always usually generally ` +
		`typically normally often sometimes mostly
		mainly finally eventually directly immediately officially together whole entire single least first second word ` +
		`bit fine`)

	// strangers are function words of other languages.
	strangers = lazy.Words(`der die das und ist nicht ein eine mit auf für nach wird sind bei arbeitet wohnt el la ` +
		`los las que en es una con por para trabaja vive le les des est une
		dans avec pas chez travaille il che di non per è lavora och att är inte ett som på het een van niet op werkt ` +
		`jest nie w na o não um uma ele ela je ne`)

	// falseFriends of these are English after all.
	falseFriends = lazy.Words(`die o w en es la di per van het na um je le an on`)
)

// people begin to speak of somebody beside the one named: Tomas's sister.
var kin = lazy.Words(`sister brother mother father mum mom dad son daughter wife husband partner girlfriend ` +
	`boyfriend cousin uncle aunt friend neighbour neighbor
	boss colleague manager team teacher roommate flatmate flat-mate flatmates dog cat nephew niece grandmother ` +
	`grandfather parents kids children child assistant deputy landlord`)

// verbForms are the forms a finite verb of the common kind may have, by base form; the others
// are listed as they are.
func verbForms() map[string]bool { forms, _ := verbs(); return forms }

// baseVerbs are the base forms alone.
func baseVerbs() map[string]bool { _, bases := verbs(); return bases }

var verbs = sync.OnceValues(func() (forms, bases map[string]bool) {
	forms, bases = map[string]bool{}, map[string]bool{}
	for w := range strings.FieldsSeq(`accept add adopt agree allow answer apply approve ask assign attend avoid ban ` +
		`base begin believe belong block book bother break bring build buy cache
		call cancel care carry cause chair change charge check claim clean climb close collect come commit complete ` +
		`compress connect contain convert cook copy cost cover crash create cut
		cycle decide delete deliver depend deploy detest disable discuss dislike do drink drive drop earn eat enable ` +
		`encrypt end enjoy enforce expire export extend face fail fall
		feel fetch find finish fire fit fix fly follow force forget format freeze get give go grow guard handle happen ` +
		`hate have hear help hold host ignore import include increase
		indent index install join keep kill know land last launch lead learn leave let lie like limit link list listen ` +
		`live load lock log look lose love lower mail maintain make manage match mean measure
		meet mention merge migrate miss move need occur offer open order own panic park pass pay pin play point post ` +
		`prefer prevent print produce protect publish pull push put quit
		raise read rebuild receive reduce refuse reject release rely remain remove rename render rent replace reply ` +
		`report require resign resolve rest retire return review ride rise roll rotate round run
		save say schedule see seem sell send serve set share ship show shut sign sing sit skip sleep slip smoke sort ` +
		`speak spend split stand start stay stop store study succeed support survive swear swim switch
		take talk teach tell terminate test think throw time track trade train transfer travel treat trust try turn type ` +
		`understand update upgrade upload use validate verify visit wait wake walk want wash
		watch wear weigh win work worry wrap write`) {
		bases[w] = true
		forms[w] = true
		switch {
		case strings.HasSuffix(w, "e"):
			forms[w+"s"], forms[w+"d"] = true, true
		case strings.HasSuffix(w, "y") && !strings.ContainsRune("aeiou", rune(w[len(w)-2])):
			forms[w[:len(w)-1]+"ies"], forms[w[:len(w)-1]+"ied"] = true, true
		case strings.HasSuffix(w, "s") || strings.HasSuffix(w, "sh") || strings.HasSuffix(w, "ch") ||
			strings.HasSuffix(w, "x") || strings.HasSuffix(w, "o"):
			forms[w+"es"], forms[w+"ed"] = true, true
		default:
			forms[w+"s"], forms[w+"ed"], forms[w+string(w[len(w)-1])+"ed"] = true, true, true
		}
	}
	for w := range strings.FieldsSeq(`began begun broke broken brought built bought came caught chose chosen cost cut ` +
		`did done drank drove driven ate eaten fell fallen felt found flew forgot froze got gave given
		went gone grew grown had heard held hid hurt kept knew known led learnt left lost made meant met paid ran rang ` +
		`read rode rose said sold sent shook shut slept spoke spoken
		spent stood swam swore sworn took taken taught told thought threw thrown understood woke won wore worn wrote ` +
		`written slipped quit became lies dies died`) {
		forms[w] = true
	}
	return forms, bases
})

// attributes are nouns that have one value.
var attributes = lazy.Words(`name colour color type format owner version language default database limit port ` +
	`capital lead birthplace cause reason key password address email file branch
	strategy mode level backend framework tool library editor engine provider region plan method algorithm encoding ` +
	`protocol host hostname user username url path directory folder manager
	boss head chair birthday deadline timezone zone currency maintainer author surname nickname job title profession ` +
	`breed model brand licence license config policy size shell os platform
	limit deadline price cost size length retention threshold interval gate quota status state rate number count ` +
	`budget date start due schedule plan queue broker linter formatter runner registry cache encoding order charset ` +
	`nationality religion diet instrument major subject band film book team dish drink sport season code runtime ` +
	`driver dentist doctor`)

// single are verbs that have one object at a time, after the preposition if any.
var single = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`born grew died raised caused written built made decided lives listens stored ` +
		`kept returns opens closes starts ends located belongs hosted named called based pinned takes lasts
	uses runs owned managed maintained created founded invented designed signed led run chaired encoded sorted indexed ` +
		`packed compressed licensed implemented formatted mounted parked buried printed installed scheduled set stands ` +
		`sits sleeps reports stays resides wrote won owns composed painted discovered built works trained taught comes ` +
		`came due decided chose
	points faces deployed released published stands expires resolves logs writes reads parses uses meets begins`) {
		m[w], m[stemOf(w)] = true, true
	}
	return m
})

// ofPeople are those of them that hold for a person as well.
var ofPeople = lazy.Words(`studied born lives lived grew died resides works sits sleeps raised comes`)

// A concept is what several words say, each with a sign: like + and hate - are one.
type concept struct {
	key  string
	sign int8
}

// concepts by word. A line is: name, the words that affirm it, a bar, those that deny it.
// Words are unstemmed.
var concepts = sync.OnceValue(func() map[string]concept {
	m := map[string]concept{}
	for line := range strings.Lines(conceptLines) {
		sign := int8(1)
		key := ""
		for w := range strings.FieldsSeq(line) {
			switch {
			case w == "|":
				sign = -1
			case key == "":
				key = "=" + w
			default:
				m[w] = concept{key, sign}
			}
		}
	}
	return m
})

const conceptLines = `
allergic allergic allergy allergies |
like like likes liked liking love loves loved loving enjoy enjoys enjoyed enjoying adore adores adored favourite ` +
	`favorite fond fan keen | hate hates hated hating dislike dislikes disliked detest detests loathe loathes loathed ` +
	`despise despises avoid avoids avoided dull boring bored afraid scared fear fears frightened terrified phobia
prefer prefer prefers preferred preference preferring favour favours |
meat meat steak | vegetarian vegan
happy happy glad pleased satisfied content | unhappy sad dissatisfied displeased annoyed disappointed miserable upset
safe safe safely secure safety | unsafe dangerous insecure risky
enabled enabled enable enables active activated on | disabled disable disables inactive deactivated
public public | private
sync synchronous synchronously sync blocking | asynchronous asynchronously async
fast fast quick quickly faster speedy rapid | slow slowly slower sluggish
hot hot warm | cold cool chilly
cheap cheap cheaper inexpensive affordable | expensive costly pricey dear
easy easy easily simple trivial | hard difficult complicated tricky
open open opens opened | closed close closes shut closing
full full crowded busy packed | empty deserted
strong strong | weak
loud loud noisy | quiet silent
big big large huge spacious | small tiny little
tall tall high | low short
early early earlier | late later
before before | after
above above | below beneath
older older elder elderly | younger
old | new
first first | last
north north northern | south southern
east east eastern | west western
lefthand left-handed lefthanded | right-handed righthanded
require require requires required mandatory compulsory obligatory must need needs needed | optional unnecessary ` +
	`voluntary
allow allow allows allowed permit permits permitted may welcome okay acceptable | forbid forbids forbidden ` +
	`prohibited prohibit ban bans banned disallowed
accept accept accepts accepted | refuse refuses refused reject rejects rejected decline declined declines
pass pass passes passed succeed succeeds succeeded success successful successfully smoothly | fail fails failed ` +
	`failing failure unsuccessful flunked
work work works working worked | broken
keep keep keeps kept retain retains retained survive survives preserve preserved remain | delete deletes deleted ` +
	`deleting remove removes removed removing discard discards discarded split drops
win win wins won | lose loses lost
true true correct right valid | false wrong incorrect invalid untrue
always always | never
many many | few
all | none
marry married marriage wed | unmarried single divorced
alive alive living | dead died
employed employed | unemployed jobless
stable stable reliable steady dependable | unstable flaky unreliable
mutable mutable | immutable
static static statically | dynamic dynamically
internal internal internally | external externally
local local locally | remote remotely
manual manual manually hand | automatic automatically automated
online online | offline
encrypted encrypted | plaintext unencrypted
upper uppercase upper-case capital capitals capitalised capitalized upper | lowercase lower-case lower
sensitive sensitive | insensitive ignores ignore
raise throw throws raises |
monolith monolith monorepo | microservices
healthy healthy | ill unwell
light light bright | dark dim heavy
sweet sweet | bitter sour
wet wet humid damp | dry
clean clean tidy | dirty messy
deep deep | shallow
rich rich wealthy | poor
odd odd | even
thick thick | thin
legal legal | illegal
same same identical | different
honest honest truthful | dishonest liar lying
polite polite friendly kind | rude unfriendly
inside inside indoors | outside outdoors
day daytime | night
trust trust trusts trusted | distrust distrusts mistrusts
agree agree agrees agreed | disagree disagrees disagreed
include include includes included including contain contains | exclude excludes excluded omits omit
increase increase increases grows growing | decrease decreases shrinks shrinking
arrive arrive arrives arrived | depart departs departed
present present attended | absent missed
good well good great excellent | bad terrible awful lousy badly poorly
order ascending | descending
unpaid paid settled | unpaid outstanding
tall taller | shorter
sober teetotal teetotaller sober | drinker
documented documented | undocumented
tested tested | untested
typed typed | untyped
limited limited limit limits cap caps capped maximum max most | unlimited unbounded
retry retry retries retried retrying |
own own owns owned owner owners ownership |
write write writes wrote written author authored authors writing |
birth born birthday birth birthplace |
release release releases released |
home live lives lived living reside resides home flat house apartment address |
job work-at employed employer employee job |
store store stores stored kept storage retention |
cause cause causes caused cause due reason |
speak speak speaks spoke spoken speaking |
last last lasts lasted duration long lasting |
time timeout timeouts times timed |
report report reports reported reporting |
name name names named called |
lead lead leads led leader head heads headed chair chairs |
colour colour color coloured colored |
return return returns returned gives |
start start starts started begin begins began |
end end ends ended ending |
car car cars |
child child children kid kids |
cost cost costs price priced prices | free gratis
`
