package ownwords

// A place is where words of a host stand in a prompt.
type place string

const (
	beside  place = "beside"  // between two tags, before or after the person's words
	alone   place = "alone"   // between two tags, with nothing of the person's beside it
	opens   place = "opens"   // the prompt begins so, and all of it is the host's
	line    place = "line"    // a line of its own, before or after the person's words; a * is any words
	before  place = "before"  // from the beginning to a line, after which the person's words begin
	after   place = "after"   // from a line to another, behind the person's words
	wraps   place = "wraps"   // the person's words are between two tags, and nothing else is theirs
	command place = "command" // a command by its name; what stands behind the name is the person's
)

// A form is one way in which a host says something in its user's name.
type form struct {
	what  string // is said, for people
	where place
	begin string   // the name of a tag, or the words that it begins with
	ends  []string // lines with which it ends; behind what stands alone, words that belong to it
	till  string   // the line before which the person's words end, for before
	says  string   // how the words between two tags begin: then no line has to begin or end there
	by    Voice    // Host, if it is not said
	drop  bool     // it is not kept: our own words, or what a host says in each session
}

// A mark is a member of a payload that says whose words its prompt is.
type mark struct {
	member string   // members of members are joined by a dot
	is     []string // its values, any where there are none; one may end in *
	not    []string // or all values but these
	by     Voice
}

// marksOf are looked at first: a host that says so needs no reading of words.
var marksOf = map[string][]mark{
	claudeCode: {
		{member: "isSidechain", is: yes, by: Agent},
		{member: "agentId", by: Agent},
		{member: "agent_id", by: Agent},
		{member: "origin.kind", is: []string{"peer", "coordinator", "teammate"}, by: Agent},
		{member: "origin.kind", not: []string{"human"}, by: Host},
		{member: "commandMode", not: []string{"prompt"}, by: Host},
		{member: "promptSource", is: []string{"system", "suggestion_accepted"}, by: Host},
		{member: "prompt_source", is: []string{"system", "suggestion_accepted"}, by: Host},
		{member: "isMeta", is: yes, by: Host},
		{member: "is_meta", is: yes, by: Host},
		{member: "isCompactSummary", is: yes, by: Host},
		{member: "isVisibleInTranscriptOnly", is: yes, by: Host},
		{member: "isSynthetic", is: yes, by: Host},
		{member: "turnCompanion", is: yes, by: Host},
		{member: "sourceToolUseID", by: Host},
		{member: "toolUseResult", by: Host},
	},
	codex: {
		{member: "agent_id", by: Agent},
		{member: "source.subagent", by: Agent},
		{member: "source.subAgent", by: Agent},
		{member: "thread_source", is: []string{"subagent"}, by: Agent},
		{member: "parent_thread_id", by: Agent},
		{member: "content_item_kinds", not: []string{"user.*"}, by: Host},
	},
	copilot: {
		{member: "agent_id", by: Agent},
		{member: "agentId", by: Agent},
		{member: "parentToolCallId", by: Agent},
		{member: "source", is: []string{"system", "skill-*", "autopilot*"}, by: Host},
	},
	cursor: {{member: "agent_id", by: Agent}, {member: "subagent_id", by: Agent}},
	gemini: {{member: "agent_id", by: Agent}},
	openCode: {
		{member: "parent", by: Agent},
		{member: "synthetic", is: yes, by: Host},
		{member: "ignored", is: yes, by: Host},
	},
	qwen:   {{member: "agent_id", by: Agent}},
	vsCode: {{member: "agent_id", by: Agent}, {member: "subAgentInvocationId", by: Agent}},
}

var yes = []string{"true"}

// Names of hosts: those of package hosts, which are held to them by a test.
const (
	claudeCode = "claude-code"
	codex      = "codex"
	copilot    = "copilot"
	cursor     = "cursor"
	gemini     = "gemini"
	openCode   = "opencode"
	qwen       = "qwen"
	vsCode     = "vscode"
)

// Names returns the hosts that the table knows.
func Names() []string {
	return []string{claudeCode, codex, copilot, cursor, gemini, openCode, qwen, vsCode}
}
