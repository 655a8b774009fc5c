#!/bin/sh
# Starts a redis-server on the data in the working directory, with redis.conf and the options given. After a crash the
# append-only file may end within a transaction, which Redis 7 does not always cut off whole: see docs/operating.md,
# "After a crash of your own Redis".
set -eu
manifest=appendonlydir/appendonly.aof.manifest
if [ -e "$manifest" ]; then
	yes | redis-check-aof --fix "$manifest"
fi
exec "${REDIS_SERVER:-redis-server}" "$(dirname "$0")/redis.conf" "$@"
