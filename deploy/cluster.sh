#!/usr/bin/env bash
# Starts a Redis Cluster of three masters and three replicas on this machine, and in front of it the program of the
# release, or bin/agora of the source, with demo data if the cluster is new. Ctrl-C stops everything. make cluster builds
# the server first.
#
#   deploy/cluster.sh [--only-redis] [flags of agora]
#
# CLUSTER_PORT  the first of the six ports, 7000 if unset; each node also takes its port + 10000
# CLUSTER_DIR   where the data are kept; if unset, a temporary directory that is removed at the end
# REDIS_SERVER  the redis-server to run
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=${CLUSTER_PORT:-7000}
only_redis=""
if [ "${1-}" = --only-redis ]; then
	only_redis=yes
	shift
fi
for program in "${REDIS_SERVER:-redis-server}" redis-cli redis-check-aof; do
	if ! command -v "$program" >/dev/null; then
		echo "$program is not installed (Debian's package redis-server has it)" >&2
		exit 1
	fi
done

nodes=()
server=""
temporary=""
# cleanup ends the server first, which answers what is in progress, then the nodes.
cleanup() {
	trap '' INT TERM
	if [ -n "$server" ]; then
		kill -TERM "$server" 2>/dev/null || true
		wait "$server" || true
	fi
	if [ ${#nodes[@]} -gt 0 ]; then
		kill -TERM "${nodes[@]}" 2>/dev/null || true
		wait "${nodes[@]}" || true
	fi
	if [ -n "$temporary" ]; then rm -rf "$temporary"; fi
}
trap cleanup EXIT
trap 'exit 0' INT TERM
# With job control each job is a process group of its own, so that Ctrl-C reaches only this script.
set -m

if [ -n "${CLUSTER_DIR-}" ]; then
	mkdir -p "$CLUSTER_DIR"
	dir=$(cd "$CLUSTER_DIR" && pwd)
else
	temporary=$(mktemp -d)
	dir=$temporary
fi
new=""
if [ ! -e "$dir/$port/nodes.conf" ]; then new=yes; fi

addresses=()
for n in 0 1 2 3 4 5; do
	at=$((port + n))
	addresses+=("127.0.0.1:$at")
	mkdir -p "$dir/$at"
	(
		cd "$dir/$at"
		exec "$here/redis-start.sh" --port $at --bind 127.0.0.1 --cluster-enabled yes \
			--cluster-node-timeout 2000 --cluster-require-full-coverage no
	) >>"$dir/$at/redis.log" 2>&1 </dev/null &
	nodes+=($!)
done
for n in 0 1 2 3 4 5; do
	at=$((port + n))
	until [ "$(redis-cli -p $at ping 2>/dev/null)" = PONG ]; do
		if ! kill -0 "${nodes[n]}" 2>/dev/null; then
			echo "the node at port $at has ended:" >&2
			tail -n 5 "$dir/$at/redis.log" >&2
			exit 1
		fi
		sleep 0.05
	done
done
"$here/cluster-create.sh" "${addresses[@]}" >"$dir/create.log" || {
	cat "$dir/create.log" >&2
	exit 1
}
url="redis+cluster://$(IFS=,; echo "${addresses[*]}")"
echo "REDIS_URL=$url (data in $dir)"

if [ -n "$only_redis" ]; then
	wait "${nodes[@]}"
	exit
fi
flags=("$@")
if [ -n "$new" ]; then flags+=(--demo); fi
program=$here/../bin/agora
if [ ! -e "$program" ]; then program=$here/../agora; fi
REDIS_URL=$url "$program" ${flags[@]+"${flags[@]}"} </dev/null &
server=$!
status=0
wait "$server" || status=$?
server=""
exit $status
