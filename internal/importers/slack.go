package importers

import (
	"cmp"
	"html"
	"path"
	"strings"

	"github.com/stemma-memory/stemma/internal/lazy"
)

// isSlack reports whether a file is of an export of Slack: the messages of a channel on a day, or a list of
// people or channels.
func isSlack(s *sight) bool {
	return s.listed && s.is("type", "message") && s.has("ts") ||
		s.listed && s.tree.dir && s.has("id") && (s.has("profile", "name") ||
			s.list("members") && s.any("created", "creator"))
}

// readSlack reads what was said in channels, with the names of people.
func readSlack(r *reading, files []*file) error {
	names := make(map[string]string)
	var days []*file
	for _, f := range files {
		if !f.seen.has("profile") && !f.seen.list("members") {
			days = append(days, f)
			continue
		}
		if err := r.each(f, "entry", nil, func(e element) error {
			if profile, ok := e.members["profile"].(map[string]any); ok {
				p := members(profile)
				names[e.peek("id")] = cmp.Or(p.peek("real_name"), p.peek("display_name"), e.peek("real_name"), e.peek("name"))
			} else {
				names["#"+e.peek("id")] = e.peek("name")
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return r.eachFile(days, func(f *file) error {
		h := newHeap()
		channel := path.Base(path.Dir(f.name))
		if channel == "." {
			channel = strings.TrimSuffix(f.base(), f.ext())
		}
		if known := names["#"+channel]; known != "" {
			channel = known
		}
		if err := r.each(f, "message", nil, func(e element) error {
			return slackTurn(h, e, channel, names)
		}); err != nil {
			return err
		}
		return r.part(h)
	})
}

// notices are messages that Slack writes itself, or that are no more.
func notice(kind string) bool {
	switch kind {
	case "", "bot_message", "me_message", "thread_broadcast", "file_share", "file_comment", "reply_broadcast":
		return false
	}
	return true
}

func slackTurn(h *heap, e element, channel string, names map[string]string) error {
	if notice(e.peek("subtype")) {
		h.lost.leaveOut("notices of Slack, such as who joined")
		return nil
	}
	t := &taker{m: e.members}
	at := t.need("ts")
	if t.err != nil {
		return t.err
	}
	who := names[e.peek("user")]
	if profile, ok := e.members["user_profile"].(map[string]any); ok && who == "" {
		who = cmp.Or(members(profile).peek("real_name"), members(profile).peek("name"))
	}
	who = cmp.Or(who, e.peek("username"), e.peek("user"), e.peek("bot_id"))
	turn := said{
		row: e.row, alias: "slack:" + channel + ":" + at, speaker: who, text: slackText(e.peek("text"), names),
		when: at, session: "slack:" + channel, tags: []string{channel}, ext: with(nil, "channel", channel),
	}
	if thread := e.peek("thread_ts"); thread != "" {
		turn.session += ":" + thread
	}
	if edited, ok := e.members["edited"].(map[string]any); ok {
		turn.ext = with(turn.ext, "updated_at", members(edited).peek("ts"))
	}
	for _, one := range asList(e.members["files"]) {
		h.lost.leaveOut("attachments")
		if file, ok := one.(map[string]any); ok {
			turn.ext = with(turn.ext, "attachments", append(asList(turn.ext["attachments"]), members(file).peek("name")))
		}
	}
	return h.say(turn)
}

// marked is how Slack writes people, channels and addresses: <@U1>, <#C1|name>, <https://…|words>, <!here>.
var marked = lazy.Regexp(`<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>`)

func slackText(text string, names map[string]string) string {
	text = marked.Get().ReplaceAllStringFunc(text, func(s string) string {
		m := marked.Get().FindStringSubmatch(s)
		sign, id, label := m[1], m[2], m[3]
		switch sign {
		case "@":
			return "@" + cmp.Or(label, names[id], id)
		case "#":
			return "#" + cmp.Or(label, names["#"+id], id)
		case "!":
			return "@" + cmp.Or(label, id)
		}
		if label != "" && label != id {
			return label + " (" + id + ")"
		}
		return id
	})
	return html.UnescapeString(text)
}
