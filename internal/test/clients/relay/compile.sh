#!/bin/sh
# Writes __generated__ from documents.js and the schema, which relay-compiler wants below its root.
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/src"
cp documents.js "$tmp/src"
cp ../../../../schema.graphqls "$tmp/schema.graphql"
cat >"$tmp/config.json" <<'END'
{"src": "src", "schema": "schema.graphql", "language": "javascript", "eagerEsModules": true}
END
(cd "$tmp" && ${RELAY_COMPILER:-npx --yes relay-compiler@21.0.1} config.json)
rm -rf __generated__
mv "$tmp/src/__generated__" .
