package outside

import (
	"slices"
	"strings"
)

// valueOf is the argument behind one of some options.
func valueOf(args []string, options ...string) string {
	for i, a := range args {
		if slices.Contains(options, a) && i+1 < len(args) {
			return args[i+1]
		}
		for _, o := range options {
			if v, ok := strings.CutPrefix(a, o+"="); ok && strings.HasPrefix(o, "--") {
				return v
			}
		}
	}
	return ""
}

// positional are the arguments that are no option and no value of one.
func positional(args []string, values string) []string {
	taking := strings.Fields(values)
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return append(out, args[i+1:]...)
		case slices.Contains(taking, a):
			i++
		case strings.HasPrefix(a, "-") && len(a) > 1:
		default:
			out = append(out, a)
		}
	}
	return out
}

// apart are arguments in which letters that are written together are by themselves: -so FILE is -s -o FILE.
func apart(name string, args []string) []string {
	if name != "curl" && name != "wget" {
		return args
	}
	taking := strings.Fields(fetchValues[name])
	var out []string
	for _, a := range args {
		if len(a) < 3 || a[0] != '-' || a[1] == '-' {
			out = append(out, a)
			continue
		}
		for i := 1; i < len(a); i++ {
			out = append(out, "-"+a[i:i+1])
			if slices.Contains(taking, "-"+a[i:i+1]) {
				if i+1 < len(a) {
					out = append(out, a[i+1:])
				}
				break
			}
		}
	}
	return out
}
