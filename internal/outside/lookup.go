package outside

import (
	"strings"
	"sync"
)

// rowsByWords is rows by their words.
var rowsByWords = sync.OnceValue(func() map[string]*row {
	out := make(map[string]*row, len(rows))
	for i := range rows {
		out[rows[i].words] = &rows[i]
	}
	return out
})

// sames are programs that are another one by a different name.
var sames = map[string]string{
	"pip3": "pip", "apt-get": "apt", "podman": "docker", "nerdctl": "docker",
}

// rowOf finds the row with the most words, past options in front of them.
func rowOf(args []string) (found *row, rest []string) {
	name := programName(args[0])
	if same, ok := sames[name]; ok {
		name = same
	}
	table := rowsByWords()
	words, rest := name, args[1:]
	found = table[words]
	left := rest
	for n := 0; n < 3 && len(left) > 0; n++ {
		skipped := 0
		if n == 0 && table[words+" "+left[0]] == nil {
			skipped = optionsBefore(name, left)
		}
		if skipped >= len(left) {
			break
		}
		words += " " + left[skipped]
		left = left[skipped+1:]
		if r := table[words]; r != nil {
			found, rest = r, left
		}
	}
	return found, rest
}

// optionValues are options in front of a subcommand that take a value.
var optionValues = map[string]string{
	"git": "-C -c --git-dir --work-tree --namespace --exec-path", "gh": "-R --repo --hostname",
	"glab": "-R --repo", "npm": "--prefix -C", "pnpm": "-C --dir --filter -F", "yarn": "--cwd",
	"docker":  "-H --context -c",
	"kubectl": "-n --namespace --context --kubeconfig", "helm": "-n --namespace --kube-context",
	"aws":   "--profile --region --endpoint-url --output",
	"cargo": "--manifest-path", "pip": "--proxy", "poetry": "-C --directory", "bundle": "", "apt": "-o", "brew": "",
}

// optionsBefore counts the options in front of a subcommand, with their values.
func optionsBefore(name string, args []string) int {
	values := strings.Fields(optionValues[name])
	i := 0
	for i < len(args) && strings.HasPrefix(args[i], "-") {
		for _, v := range values {
			if args[i] == v {
				i++
				break
			}
		}
		i++
	}
	return min(i, len(args))
}
