#!/bin/sh
# Puts GraphiQL and React into dist/, gzipped, for the binary to embed.
# It needs npm, but only while a file is missing or differs from assets.sha256.
# To move to another version: change $packages, fetch, and let the error tell the new sums.
set -eu
cd "$(dirname "$0")"
here=$PWD
packages="graphiql@4.1.2 react@18.2.0 react-dom@18.2.0"

sha256() { # prints the SHA-256 of standard input
	if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

complete() { # tells whether dist/ holds every listed file with the listed content
	while read -r sum file; do
		[ -f "dist/$file.gz" ] || return 1
		[ "$(gzip -dc "dist/$file.gz" 2>/dev/null | sha256)" = "$sum" ] || return 1
	done <assets.sha256
}

fail() {
	echo "playground: $*" >&2
	exit 1
}

if complete; then exit 0; fi
command -v npm >/dev/null || fail "npm is not installed: the server will show its small page instead of GraphiQL"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$tmp" # so that npm neither reads nor writes anything in the repository

# The words of $packages are meant to be split.
# shellcheck disable=SC2086
npm pack --silent --ignore-scripts --no-update-notifier $packages >/dev/null </dev/null ||
	fail "npm could not fetch $packages"

for package in $packages; do
	name=${package%@*}
	mkdir "$name"
	tar -xzf "$name-${package##*@}.tgz" -C "$name" --strip-components 1
done

while read -r sum file; do
	[ -f "$file" ] || fail "$file is not in the package"
	got=$(sha256 <"$file")
	[ "$got" = "$sum" ] || fail "$file has SHA-256 $got; assets.sha256 says $sum"
done <"$here/assets.sha256"

while read -r _ file; do
	mkdir -p "$here/dist/$(dirname "$file")"
	gzip -9nc "$file" >"$file.gz"
	mv "$file.gz" "$here/dist/$file.gz"
done <"$here/assets.sha256"
echo "playground: GraphiQL is in place" >&2
