#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The demo between two network namespaces joined by four veth pairs, one a plane, with random loss by nftables.
# Usage: namespaces.sh LAUNCHER MTU 4|6 MEBIBYTES [demo options]. Needs root, ip and nft. Cleans up after itself.
set -euo pipefail

launcher=$1 mtu=$2 family=$3 mebibytes=$4
shift 4
planes=4
sender=metaroce-s$$ receiver=metaroce-r$$

cleanup() {
    ip netns delete "$sender" 2>/dev/null || true
    ip netns delete "$receiver" 2>/dev/null || true
}
trap cleanup EXIT

ip netns add "$sender"
ip netns add "$receiver"
sender_addresses='' receiver_addresses=''
for namespace in "$sender" "$receiver"; do
    ip -n "$namespace" link set lo up
done
for ((plane = 0; plane < planes; plane++)); do
    ip -n "$sender" link add "s$plane" mtu "$mtu" type veth peer name "r$plane" mtu "$mtu" netns "$receiver"
    if [[ $family == 6 ]]; then
        from=fd00:$plane::1 to=fd00:$plane::2 length=64
    else
        from=10.77.$plane.1 to=10.77.$plane.2 length=24
    fi
    ip -n "$sender" address add "$from/$length" dev "s$plane"
    ip -n "$receiver" address add "$to/$length" dev "r$plane"
    ip -n "$sender" link set "s$plane" up
    ip -n "$receiver" link set "r$plane" up
    sender_addresses+=${sender_addresses:+,}$from
    receiver_addresses+=${receiver_addresses:+,}$to
done
for namespace in "$sender" "$receiver"; do
    for _ in {1..50}; do # IPv6 addresses can be used once they are known to be unique
        ip -n "$namespace" address show tentative | grep -q inet6 || break
        sleep 0.1
    done
    ip netns exec "$namespace" nft -f - <<RULES
table inet metaroce {
    counter lost { }
    chain in {
        type filter hook input priority 0
        meta l4proto udp numgen random mod 1000 < 10 counter name lost drop
    }
}
RULES
done

"$launcher" demo --json --size "${mebibytes}M" --deadline 80 "$@" \
    --sender-exec "ip netns exec $sender" --sender-addresses "$sender_addresses" \
    --receiver-exec "ip netns exec $receiver" --receiver-addresses "$receiver_addresses"

lost=0
for namespace in "$sender" "$receiver"; do
    packets=$(ip netns exec "$namespace" nft list counter inet metaroce lost | grep -o 'packets [0-9]*')
    lost=$((lost + ${packets#packets }))
done
echo "packets dropped by nftables: $lost" >&2
((lost > 0))
