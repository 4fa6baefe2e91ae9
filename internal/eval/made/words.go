package made

// A topic is things that people speak of together, and what can be said about them.
type topic struct{ things, about []string }

var topics = []topic{
	{[]string{"boiler", "radiator", "thermostat", "chimney", "insulation"},
		[]string{"pressure", "warranty", "heating bill", "draught", "maintenance"}},
	{[]string{"greenhouse", "compost", "tomato bed", "hedge", "rain barrel"},
		[]string{"frost", "soil", "watering", "shade", "harvest"}},
	{[]string{"canoe", "paddle", "life jacket", "trailer", "boathouse"},
		[]string{"current", "storage", "season ticket", "weather", "safety"}},
	{[]string{"violin", "bow", "music stand", "metronome", "recital programme"},
		[]string{"practice", "tuning", "audience", "tempo", "rehearsal"}},
	{[]string{"bicycle", "saddle", "chain", "pannier", "pump"},
		[]string{"commute", "puncture", "gears", "lights", "route"}},
	{[]string{"oven", "sourdough", "mixer", "cookbook", "larder"},
		[]string{"flour", "temperature", "recipe", "crust", "proving"}},
	{[]string{"parser", "test suite", "build server", "cache", "release script"},
		[]string{"latency", "coverage", "regression", "rollback", "deployment"}},
	{[]string{"telescope", "tripod", "eyepiece", "star map", "observatory pass"},
		[]string{"focus", "moonlight", "alignment", "visibility", "exposure"}},
	{[]string{"sofa", "bookcase", "carpet", "floor lamp", "curtain"},
		[]string{"fabric", "delivery", "colour scheme", "layout", "discount"}},
	{[]string{"tent", "sleeping bag", "stove", "backpack", "headlamp"},
		[]string{"weight", "campsite", "altitude", "forecast", "permit"}},
	{[]string{"loom", "yarn", "spinning wheel", "shawl", "dye kit"},
		[]string{"pattern", "tension", "texture", "workshop", "guild"}},
	{[]string{"aquarium", "filter", "coral", "heater", "shrimp tank"},
		[]string{"salinity", "algae", "cycling", "lighting", "acclimation"}},
}

// A deed is what somebody does with a thing.
type deed struct{ base, past, other string }

var deeds = []deed{
	{"sell", "sold", "get rid of"}, {"repair", "repaired", "fix"}, {"paint", "painted", "colour"},
	{"borrow", "borrowed", "lend out"}, {"replace", "replaced", "swap"},
	{"clean", "cleaned", "wash"}, {"measure", "measured", "size up"}, {"order", "ordered", "buy"},
	{"return", "returned", "bring back"}, {"lose", "lost", "misplace"},
}

var (
	people = []string{"Marta", "Jonas", "Priya", "Tobias", "Elena", "Kwame", "Yuki", "Bruno"}
	days   = []string{
		"last Monday", "on Tuesday", "yesterday", "two weeks ago", "in March",
		"on 12 October", "this morning",
	}
	numbers = []string{"three", "five", "12", "seven", "40", "eight"}
	colours = []string{"red", "blue", "green", "grey", "brown"}
	reasons = []string{
		"since the old one gave up", "because my neighbour talked me into it", "as the landlord kept asking",
		"mostly to save money", "before the guests came", "so that it is done at last",
	}
	openings = []string{"Guess what,", "Well,", "Oh, before I forget:", "You know,", "Finally,"}
	replies  = []string{"Really?", "Oh nice!", "Ha, good for you.", "Was it expensive?",
		"I had no idea.", "Sounds familiar, no?"}
	asides = []string{
		"The %s always makes me think about the %s.", "My sister says that a %s is all about %s.",
		"I never know whether the %s or the %s matters more.", "People here talk a lot about the %s and its %s.",
		"With the %s I mostly care for the %s.", "Somebody at work has the same %s and complains of the %s.",
	}
	murmurs = []string{
		"the %s again, and the %s", "that %s, always the %s", "no %s without %s",
		"about the %s, or the %s?", "the %s is fine, the %s is not",
	}
	advices = []string{
		"It is usually a good idea to look at the %s first, because the %s depends on it more than on the %s.",
		"Many people underestimate how much the %s contributes to %s, especially next to an older %s.",
		"If you are unsure about the %s, write down the %s for a few weeks and compare it with that of your %s.",
		"A well kept %s rarely causes trouble with %s, while a neglected %s often does.",
		"When you repair, replace or clean a %s, keep an eye on the %s and on whatever connects it to the %s.",
		"There are two schools of thought about the %s: one begins with the %s, the other with the %s.",
		"Before you order or sell a %s, ask for the %s in writing, and measure the %s twice.",
	}
)
