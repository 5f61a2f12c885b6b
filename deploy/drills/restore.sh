#!/bin/sh
# Puts a base backup and the write-ahead log behind it into an empty data folder, to the end of what was received or to a
# moment. Run it as the account of the server, with all services stopped; then start the server.
#   restore.sh <base backup> <folder of wal.sh> <data folder> [moment, such as "2026-11-22 11:30:00+00"]
set -eu
umask 077
base=$1
wal=$2
data=$3
moment=${4:-}

if [ -e "$data" ] && [ -n "$(ls -A "$data")" ]; then
  echo "$data is not empty: move it away, it may be all that there is" >&2
  exit 1
fi
# Debian has pg_verifybackup in the folder of its version alone.
for programs in /usr/lib/postgresql/*/bin; do PATH=$PATH:$programs; done
pg_verifybackup --quiet "$base"
mkdir -p "$data"
cp -R "$base/." "$data/"
chmod 700 "$data"

# The segment that was being received is named .partial.
{
  echo "restore_command = 'cp \"$wal/%f\" \"%p\" || cp \"$wal/%f.partial\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # Nobody receives from the new server yet, and it would wait for him. Set it again once wal.sh runs, into a new folder.
  echo "synchronous_standby_names = ''"
  [ -z "$moment" ] || echo "recovery_target_time = '$moment'"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
echo "Restored. Start the server, then: repay audit --checkpoint <one that was kept>, repay doctor, and the services."
