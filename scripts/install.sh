#!/usr/bin/env bash
# install.sh PACKAGE... installs Debian packages, without questions.
#
# It needs root or a sudo that asks for no password, and otherwise says so and
# fails. Everything it prints goes to standard error.
set -euo pipefail
exec >&2

if ! command -v apt-get >/dev/null; then
	echo "cannot install $*: there is no apt-get here"
	exit 1
fi
sudo=()
if [ "$(id -u)" != 0 ]; then
	if ! sudo -n true 2>/dev/null; then
		echo "cannot install $*: this needs root or sudo without a password"
		exit 1
	fi
	sudo=(sudo -n)
fi
as_root() { ${sudo[@]+"${sudo[@]}"} env DEBIAN_FRONTEND=noninteractive "$@"; }

# Debian's PostgreSQL makes and starts a cluster when it is installed. Nobody
# asked for one, so it is told not to while this script runs.
no_cluster=/etc/postgresql-common/createcluster.d/stemma-check.conf
case " $* " in
*" postgresql "*)
	as_root mkdir -p "$(dirname "$no_cluster")"
	trap 'as_root rm -f "$no_cluster"' EXIT
	echo 'create_main_cluster = false' | as_root tee "$no_cluster" >/dev/null
	;;
esac

as_root apt-get update -qq
as_root apt-get install -y -qq --no-install-recommends "$@"
