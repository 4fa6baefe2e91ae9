package hosts

import (
	"fmt"
	"slices"
	"strings"
)

// A sharedFile is ours alone, and read by several hosts. Its first line names those that
// it is there for.
type sharedFile struct {
	host string
	body func(hosts []string) string
}

// copilotHooks is the file of hooks that Copilot CLI and VS Code both run.
func (p Place) copilotHooks(host string) sharedFile {
	return sharedFile{host, func(named []string) string {
		list := object{}
		for _, h := range p.hooks(named[0], 1) {
			one := append(object{{"type", "command"}, {"command", h.command}}, h.extra...)
			list = append(list, pair{h.event, []any{one}})
		}
		about := fmt.Sprintf("made by 'stemma init %s'; --remove takes it away", strings.Join(named, "' and 'stemma init "))
		return format(object{{"description", about}, {"hooks", list}}, "  ", 0, "\n") + "\n"
	}}
}

// named are the hosts that a text names.
func (sharedFile) named(text string) []string {
	var out []string
	about, _, _ := strings.Cut(text, "--remove")
	for _, host := range Names() {
		if strings.Contains(about, "'"+ownFile+" "+host+"'") {
			out = append(out, host)
		}
	}
	return out
}

func (f sharedFile) put(text string) (string, error) {
	if _, err := (whole{}).put(text); err != nil {
		return "", err
	}
	named := append(f.named(text), f.host)
	slices.Sort(named)
	return f.body(slices.Compact(named)), nil
}

func (f sharedFile) take(text string) (string, error) {
	named := f.named(text)
	if !slices.Contains(named, f.host) {
		return text, nil
	}
	if named = slices.DeleteFunc(named, func(n string) bool { return n == f.host }); len(named) > 0 {
		return f.body(named), nil
	}
	return "", nil
}

func (f sharedFile) shared(text string) bool { return len(f.named(text)) > 0 }
func (sharedFile) empty(text string) bool    { return text == "" }
