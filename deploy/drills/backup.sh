#!/bin/sh
# Takes and verifies one base backup, and deletes the oldest beyond the number to keep.
# wal.sh archives the write-ahead log. From its folder, what is older than the oldest base is deleted.
#   backup.sh <connection> <folder> [how many to keep] [folder of wal.sh]
# If PUBLIC_URL is set, it also saves the log's checkpoint for `repay audit --checkpoint`. Without an
# answer there, it fails, and the backup stays.
set -eu
umask 077
connection=$1
folder=$2
keep=${3:-7}
wal=${4:-}

# Debian installs pg_verifybackup only in the version's own folder, which is not on the PATH.
for programs in /usr/lib/postgresql/*/bin; do PATH=$PATH:$programs; done

mkdir -p "$folder"
now=$(date -u +%Y%m%dT%H%M%SZ)
# Two of one second would have one name, and the second would land in the first.
while [ -e "$folder/base-$now" ]; do
  sleep 1
  now=$(date -u +%Y%m%dT%H%M%SZ)
done
# The final name appears only once the backup is complete and verified.
draft=$folder/.unfinished-$now
trap 'rm -rf "$draft"' EXIT
pg_basebackup --dbname="$connection" --pgdata="$draft" --checkpoint=fast --wal-method=stream
pg_verifybackup --quiet "$draft"
mv "$draft" "$folder/base-$now"

# The names contain the time, so they sort oldest first.
count=$(find "$folder" -maxdepth 1 -name 'base-*' | wc -l)
find "$folder" -maxdepth 1 -name 'base-*' | sort | head -n "$((count > keep ? count - keep : 0))" | while read -r old; do
  rm -rf "$old"
done
if [ -n "$wal" ]; then
  oldest=$(find "$folder" -maxdepth 1 -name 'base-*' | sort | head -n 1)
  pg_archivecleanup "$wal" "$(sed -n 's/^START WAL LOCATION: .*file \([0-9A-F]*\).*/\1/p' "$oldest/backup_label")"
fi
echo "$folder/base-$now"

if [ -n "${PUBLIC_URL:-}" ]; then
  draft=$folder/.unfinished-checkpoint-$now
  if ! curl --silent --show-error --fail --max-time 10 --output "$draft" "$PUBLIC_URL/log/checkpoint"; then
    echo "the base backup is complete, but $PUBLIC_URL gave no checkpoint" >&2
    exit 1
  fi
  mv "$draft" "$folder/checkpoint-$now"
fi
