#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# perf between two processes whose ports are the two ends of a DPDK memif, in memory, without any device.
# Usage: dpdk-perf.sh LAUNCHER perf-client-options... The client's JSON goes to standard output.
set -euo pipefail

launcher=$1
shift
directory=$(mktemp -d)
server=
cleanup() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    rm -rf -- "$directory"
}
trap cleanup EXIT

port() { # ROLE
    printf '%s\n' --set "ports[0].kind=dpdk" --set "ports[0].options.mtu=9000" --set \
        "ports[0].options.device=net_memif0,role=$1,socket=$directory/memif,socket-abstract=no,bsize=9216"
}
mapfile -t server_port < <(port server)
mapfile -t client_port < <(port client)

"$launcher" perf server --once -p 18741 --bind 192.0.2.1 --set control.bind=127.0.0.1 "${server_port[@]}" \
    >"$directory/server.log" 2>&1 &
server=$!
for _ in {1..100}; do
    grep -q 'Waiting for clients' "$directory/server.log" && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
if ! "$launcher" perf client 127.0.0.1 write_bw -p 18741 --bind 192.0.2.2 "${client_port[@]}" --json "$@"; then
    cat -- "$directory/server.log" >&2
    exit 1
fi
wait "$server" && server=
