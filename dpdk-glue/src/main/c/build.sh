#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the DPDK shim into directory $1 where libdpdk is installed; elsewhere says in one line that there is none, and is content.
set -euo pipefail
here=$(dirname -- "${BASH_SOURCE[0]}")
out=$1/libmetaroce_dpdk.so
rm -f -- "$out"
for tool in gcc pkg-config; do
    if ! command -v "$tool" >/dev/null; then
        echo "without DPDK: no $tool (apt install libdpdk-dev gcc pkg-config)"
        exit 0
    fi
done
if ! pkg-config --exists libdpdk; then
    echo "without DPDK: libdpdk is not installed (apt install libdpdk-dev)"
    exit 0
fi
mkdir -p -- "$1"
# shellcheck disable=SC2046 # the flags are words
gcc -std=gnu11 -O2 -Wall -Wextra -fPIC -shared -fvisibility=hidden $(pkg-config --cflags libdpdk) \
    -o "$out" "$here/metaroce_dpdk.c" $(pkg-config --libs libdpdk)
