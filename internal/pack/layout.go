package pack

// A Section is a part of a pack.
type Section struct {
	Name  string // in entries, in JSON and in what is said of omissions
	Title string
	Emoji string // before the title where pictures are wanted
	Mark  string // before each entry instead of its tier's mark: what is doubtful never gets a tick
	Share int    // percent of the room kept for the section; what it does not use goes to the others
	Loud  bool   // say at the section itself that something did not fit: its entries bind the reader
	Binds bool   // what is Late waits for all of it
	Late  bool   // it takes no place from what binds, nor from the best of what answers
}

// A Layout says which sections a pack has, the most important first.
type Layout struct {
	Name     string
	Sections []Section
}

// Context is the layout of what bears on a query.
var Context = Layout{Name: "stemma context", Sections: []Section{
	{Name: "needs", Title: "Needs verification", Emoji: "⚠", Mark: "⚠", Share: 20},
	{Name: "constraints", Title: "Constraints (always apply)", Emoji: "🚫", Mark: "•", Share: 25, Loud: true, Binds: true},
	{Name: "values", Title: "Values", Emoji: "🧭", Share: 3},
	{Name: "goals", Title: "Goals", Emoji: "🎯", Share: 3},
	{Name: "drives", Title: "Drives", Emoji: "🔥", Share: 2},
	{Name: "verified", Title: "Verified memories", Emoji: "💡", Share: 25},
	{Name: "observed", Title: "Observed, not approved", Emoji: "👁️", Share: 12},
	{Name: "unverified", Title: "Unverified (use with caution)", Emoji: "⚠️", Share: 10},
	{Name: "perhaps", Title: "Perhaps, in other words (use with caution)", Emoji: "❓", Mark: "?", Late: true},
}}

// Load is the layout of what an agent should know when its work begins. Hosts cut a
// long start, so what binds and what was decided come first.
var Load = Layout{Name: "stemma memory", Sections: []Section{
	{Name: "constraints", Title: "Constraints (always apply)", Emoji: "🚫", Mark: "•", Share: 20, Loud: true, Binds: true},
	{Name: "decisions", Title: "Decided", Emoji: "💡", Share: 22},
	{Name: "values", Title: "Values", Emoji: "🧭", Share: 6},
	{Name: "goals", Title: "Goals", Emoji: "🎯", Share: 6},
	{Name: "drives", Title: "Drives", Emoji: "🔥", Share: 3},
	{Name: "needs", Title: "Needs verification", Emoji: "⚠", Mark: "⚠", Share: 8},
	{Name: "conflicts", Title: "Open conflicts", Emoji: "⚡", Mark: "⚡", Share: 5},
	{Name: "undecided", Title: "Settle or ask (`correct OLD by NEW`, or leave both)", Emoji: "⚖", Mark: "⚖", Share: 3},
	{Name: "known", Title: "Preferred, agreed, fixed, known", Emoji: "📌", Share: 11},
	{Name: "relationships", Title: "People and projects", Emoji: "👥", Share: 6},
	{Name: "episodes", Title: "Recent episodes", Emoji: "📖", Share: 6},
	{Name: "open", Title: "Left open", Emoji: "⏳", Share: 4},
}}

// tierMark is the picture of a tier.
func tierMark(tier string) string {
	switch tier {
	case "grounded":
		return "✅"
	case "observed":
		return "👁️"
	case "inferred":
		return "🤖"
	case "hypothesis":
		return "💭"
	}
	return "•"
}
