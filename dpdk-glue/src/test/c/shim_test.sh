#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs shim_test.c with the address and undefined-behaviour sanitizers; needs gcc and libdpdk.
set -euo pipefail
here=$(dirname -- "${BASH_SOURCE[0]}")
program=$(mktemp)
trap 'rm -f -- "$program"' EXIT
# shellcheck disable=SC2046 # the flags are words
gcc -std=gnu11 -g -O1 -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all $(pkg-config --cflags libdpdk) \
    -o "$program" "$here/shim_test.c" $(pkg-config --libs libdpdk)
# EAL keeps its memory until the process ends: that is no leak of ours.
ASAN_OPTIONS=detect_leaks=0 "$program"
