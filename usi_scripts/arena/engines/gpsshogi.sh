#!/bin/sh
# GPSshogi ends at `go movetime`: it gets a long byoyomi instead and thinks for a fixed number of nodes, about half a
# second's worth on one core.
sed -u 's/^go movetime .*/go btime 0 wtime 0 byoyomi 60000/' |
    exec /usr/games/gpsusi -N 1 --node-count-hard-limit "${GPSSHOGI_NODES:-160000}"
