#!/bin/sh
# Puts GraphiQL and React into dist/, gzipped, for the binary to embed.
# It needs npm, but only while a file is missing or differs from assets.sha384.
# To change a version, edit assets.sha384 and fetch; the error shows the new sums.
set -eu
cd "$(dirname "$0")"
here=$PWD

sha384() { # prints the SHA-384 of standard input
	if command -v sha384sum >/dev/null; then sha384sum; else shasum -a 384; fi | cut -d ' ' -f 1
}

unversioned() { # prints package@version/file as package/file, which is where the file goes
	package=${1%%/*}
	echo "${package%@*}/${1#*/}"
}

complete() { # reports whether dist/ holds every listed file with the listed content
	while read -r sum path; do
		file=dist/$(unversioned "$path").gz
		[ -f "$file" ] || return 1
		[ "$(gzip -dc "$file" 2>/dev/null | sha384)" = "$sum" ] || return 1
	done <assets.sha384
}

fail() {
	echo "playground: $*" >&2
	exit 1
}

if complete; then exit 0; fi
command -v npm >/dev/null || fail "npm is not installed: the page will load GraphiQL from its CDN"
packages=$(while read -r _ path; do echo "${path%%/*}"; done <assets.sha384 | sort -u)

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp" # so that npm neither reads nor writes anything in the repository

# The lines of $packages are meant to be split.
# shellcheck disable=SC2086
npm pack --silent --ignore-scripts --no-update-notifier $packages >/dev/null </dev/null ||
	fail "npm could not fetch" $packages

for package in $packages; do
	mkdir "$package"
	tar -xzf "${package%@*}-${package##*@}.tgz" -C "$package" --strip-components 1
done

while read -r sum path; do
	[ -f "$path" ] || fail "$path is not in the package"
	got=$(sha384 <"$path")
	[ "$got" = "$sum" ] || fail "$path has SHA-384 $got; assets.sha384 says $sum"
done <"$here/assets.sha384"

while read -r _ path; do
	file=$here/dist/$(unversioned "$path").gz
	mkdir -p "$(dirname "$file")"
	gzip -9nc "$path" >"$path.gz"
	mv "$path.gz" "$file"
done <"$here/assets.sha384"
echo "playground: GraphiQL is in place" >&2
