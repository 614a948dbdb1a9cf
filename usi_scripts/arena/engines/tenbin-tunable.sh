#!/bin/sh
# Tenbin with its hidden parameters among the options that it tells of: tuners set only those.
TENBIN_TUNING=1 exec target/release/tenbin
