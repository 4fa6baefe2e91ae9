package outside

import "strings"

// A wrapper is a program that runs another one, which its arguments name.
type wrapper struct {
	words  string // its first words
	values string // options that take a value of their own
	skip   int    // words between it and the program
	after  string // the word behind which alone a program is named
}

const composeRun = "-e -u -w -v -p --env --user --workdir --volume --publish --name --entrypoint"

var wrappers = []wrapper{
	{words: "sudo", values: "-u -g -h -p -C -r -t -T -U -D -R --user --group --chdir"},
	{words: "doas", values: "-u -C"},
	{words: "env", values: "-u -C --unset --chdir"},
	{words: "time", values: "-f -o"},
	{words: "gtime", values: "-f -o"},
	{words: "nice", values: "-n --adjustment"},
	{words: "ionice", values: "-c -n -p"},
	{words: "nohup"},
	{words: "setsid"},
	{words: "stdbuf", values: "-i -o -e"},
	{words: "timeout", values: "-s -k --signal --kill-after", skip: 1},
	{words: "gtimeout", values: "-s -k", skip: 1},
	{words: "command"},
	{words: "builtin"},
	{words: "exec", values: "-a"},
	{words: "strace", values: "-e -o -p -s -u"},
	{words: "ltrace", values: "-e -o -p -s -u"},
	{words: "unbuffer"},
	{words: "chronic"},
	{words: "caffeinate", values: "-t -w"},
	{words: "flock", values: "-w -E", skip: 1},
	{words: "watch", values: "-n --interval"},
	{words: "xargs", values: "-I -n -P -L -d -a -s -E --max-args --max-procs --replace --delimiter --arg-file"},
	{words: "parallel", values: "-j --jobs -I -a -N --delay --timeout"},
	{words: "chroot", skip: 1},
	{words: "proxychains"},
	{words: "proxychains4"},
	{words: "torsocks"},
	{words: "busybox"},
	{words: "systemd-run", values: "-p --unit -u"},
	{words: "cross-env"},
	{words: "dotenv", values: "-f -e --file"},
	{words: "dotenvx run", values: "-f --env-file"},
	{words: "direnv exec", skip: 1},
	{words: "poetry run"},
	{words: "pipenv run"},
	{words: "pdm run"},
	{words: "rye run"},
	{words: "hatch run"},
	{words: "uv run", values: "--with --python -p --project --directory --group --extra --env-file --package"},
	{words: "conda run", values: "-n -p --name --prefix"},
	{words: "bundle exec"},
	{words: "mise exec", after: "--"},
	{words: "mise x", after: "--"},
	{words: "asdf exec"},
	{words: "op run", after: "--"},
	{words: "doppler run", after: "--"},
	{words: "aws-vault exec", after: "--"},
	{words: "nix develop", after: "-c"},
	{words: "nix shell", after: "-c"},
	{words: "docker exec", values: "-e -u -w --env --user --workdir --env-file", skip: 1},
	{words: "docker compose exec", values: "-e -u -w --env --user --workdir --index", skip: 1},
	{words: "docker-compose exec", values: "-e -u -w --env --user --workdir --index", skip: 1},
	{words: "docker compose run", values: composeRun, skip: 1},
	{words: "docker-compose run", values: composeRun, skip: 1},
	{
		words: "docker run", skip: 1,
		values: `-e -u -w -v -p -m -l -h --env --user --workdir --volume --publish --name --network --net --env-file
			--mount --platform --memory --cpus --label --hostname --add-host --entrypoint --gpus --pull --restart
			--shm-size --ulimit --tmpfs --log-driver --cap-add --security-opt --ipc --pid`,
	},
	{words: "kubectl exec", after: "--"},
	{words: "kubectl run", after: "--"},
	{words: "oc exec", after: "--"},
}

// inner is the command that one runs for another, nil for none.
func (c *command) inner() *command {
	name := programName(c.args[0])
	if same, ok := sames[name]; ok {
		name = same
	}
	for i := range wrappers {
		w := &wrappers[i]
		first, more, _ := strings.Cut(w.words, " ")
		if first != name {
			continue
		}
		rest := c.args[1:]
		if more != "" {
			rest = rest[optionsBefore(name, rest):]
			n := len(strings.Fields(more))
			if len(rest) < n || strings.Join(rest[:n], " ") != more {
				continue
			}
			rest = rest[n:]
		}
		if args := w.program(rest); len(args) > 0 {
			in := *c
			in.args = args
			in.handed = c.handed || name == "xargs" || name == "parallel"
			return &in
		}
	}
	return nil
}

// program are the words from the inner program on.
func (w *wrapper) program(args []string) []string {
	if w.after != "" {
		for i, a := range args {
			if a == w.after || w.after == "-c" && a == "--command" {
				return args[i+1:]
			}
		}
		return nil
	}
	values := strings.Fields(w.values)
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			args = args[i+1:]
			if len(args) <= w.skip {
				return nil
			}
			return args[w.skip:]
		case w.words == "command" && (a == "-v" || a == "-V"):
			return nil // it says where a program lies
		case strings.HasPrefix(a, "-") && len(a) > 1:
			for _, v := range values {
				if a == v {
					i++
					break
				}
			}
		case assigns(a) && (w.words == "env" || w.words == "cross-env" || w.words == "sudo" || w.words == "doas"):
		default:
			if len(args) <= i+w.skip {
				return nil
			}
			return args[i+w.skip:]
		}
	}
	return nil
}

// assigns reports whether a word sets a variable: NAME=value.
func assigns(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		if !isLetter(name[i]) && name[i] != '_' && (i == 0 || name[i] < '0' || name[i] > '9') {
			return false
		}
	}
	return true
}
