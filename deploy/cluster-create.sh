#!/bin/sh
# Makes a Redis Cluster of empty nodes, given as address:port, with one replica for each master, and returns when it
# works. Nodes that already know each other are only waited for, at most a minute.
set -eu
first=$1

info() {
	redis-cli -h "${first%:*}" -p "${first##*:}" cluster info
}

if info | grep -q '^cluster_known_nodes:1[^0-9]'; then
	redis-cli --cluster create "$@" --cluster-replicas 1 --cluster-yes
fi
tries=0
until info | grep -q '^cluster_state:ok'; do
	tries=$((tries + 1))
	if [ $tries -gt 300 ]; then
		echo "the cluster does not work:" >&2
		info >&2
		exit 1
	fi
	sleep 0.2
done
