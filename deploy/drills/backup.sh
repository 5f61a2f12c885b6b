#!/bin/sh
# One base backup, checked, in a folder of its own. Keeps the newest ones; write-ahead log is wal.sh's.
#   backup.sh <connection> <folder> [how many to keep]
# With PUBLIC_URL set it also keeps the log's checkpoint, for `repay audit --checkpoint` after a restore.
set -eu
umask 077
connection=$1
folder=$2
keep=${3:-7}

# Debian has pg_verifybackup in the folder of its version alone.
for programs in /usr/lib/postgresql/*/bin; do PATH=$PATH:$programs; done

now=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"
# Under a name that no restore takes until it is whole.
draft=$folder/.unfinished-$now
trap 'rm -rf "$draft"' EXIT
pg_basebackup --dbname="$connection" --pgdata="$draft" --checkpoint=fast --wal-method=stream
pg_verifybackup --quiet "$draft"
if [ -n "${PUBLIC_URL:-}" ]; then
  curl --silent --show-error --fail --max-time 10 "$PUBLIC_URL/log/checkpoint" >"$folder/checkpoint-$now"
fi
mv "$draft" "$folder/base-$now"

# By their names the oldest come first.
count=$(find "$folder" -maxdepth 1 -name 'base-*' | wc -l)
find "$folder" -maxdepth 1 -name 'base-*' | sort | head -n "$((count > keep ? count - keep : 0))" | while read -r old; do
  rm -rf "$old"
done
echo "$folder/base-$now"
