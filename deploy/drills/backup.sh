#!/bin/sh
# Takes and verifies one base backup, and deletes the oldest beyond the number to keep.
# wal.sh archives the write-ahead log.
#   backup.sh <connection> <folder> [how many to keep]
# If PUBLIC_URL is set, it also saves the log's checkpoint for `repay audit --checkpoint`.
set -eu
umask 077
connection=$1
folder=$2
keep=${3:-7}

# Debian installs pg_verifybackup only in the version's own folder, which is not on the PATH.
for programs in /usr/lib/postgresql/*/bin; do PATH=$PATH:$programs; done

now=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"
# The final name appears only once the backup is complete and verified.
draft=$folder/.unfinished-$now
trap 'rm -rf "$draft"' EXIT
pg_basebackup --dbname="$connection" --pgdata="$draft" --checkpoint=fast --wal-method=stream
pg_verifybackup --quiet "$draft"
if [ -n "${PUBLIC_URL:-}" ]; then
  curl --silent --show-error --fail --max-time 10 "$PUBLIC_URL/log/checkpoint" >"$folder/checkpoint-$now"
fi
mv "$draft" "$folder/base-$now"

# The names contain the time, so they sort oldest first.
count=$(find "$folder" -maxdepth 1 -name 'base-*' | wc -l)
find "$folder" -maxdepth 1 -name 'base-*' | sort | head -n "$((count > keep ? count - keep : 0))" | while read -r old; do
  rm -rf "$old"
done
echo "$folder/base-$now"
