#!/usr/bin/env bash
# Keeps what later versions are tested with of the version that the changelog describes: its schema, and a site with demo
# data as its Redis and as an export have it. Run it once, with the commit that is released.
set -eu -o pipefail
cd "$(dirname "$0")/../../.."
.ci/build
version=$(bin/agora version | sed -n 's/^agora //p')
to=internal/test/releases/testdata/$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bin/agora --data "$work/site" --demo --quiet --addr 127.0.0.1:0 2>"$work/log" >"$work/said" &
server=$!
until grep -q 'Agora is ready' "$work/said" "$work/log"; do
	kill -0 $server || { cat "$work/log" >&2; exit 1; }
	sleep 0.2
done
kill $server
wait $server
bin/agora export --data "$work/site" --out "$work/site.jsonl"
rm -rf "$to"
mkdir -p "$to"
cp schema.graphqls "$to/"
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$work/site" -c appendonlydir | gzip -9nc >"$to/redis.tar.gz"
gzip -9nc "$work/site.jsonl" >"$to/site.jsonl.gz"
echo "kept $version in $to"
