#!/bin/sh
# Restores a base backup and the archived write-ahead log into an empty data folder, either to the
# end of the archive or to a point in time. Run it as the server's account with all services
# stopped; then start the server.
#   restore.sh <base backup> <folder of wal.sh> <data folder> [time]
# An example of a time is "2026-11-22 11:30:00+00".
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
# Debian installs pg_verifybackup only in the version's own folder, which is not on the PATH.
for programs in /usr/lib/postgresql/*/bin; do PATH=$PATH:$programs; done
pg_verifybackup --quiet "$base"
mkdir -p "$data"
cp -R "$base/." "$data/"
chmod 700 "$data"

# pg_receivewal names the segment that was still incomplete .partial.
{
  echo "restore_command = 'cp \"$wal/%f\" \"%p\" || cp \"$wal/%f.partial\" \"%p\"'"
  echo "recovery_target_action = 'promote'"
  # No receiver is attached to the restored server yet, so commits would block. Set this again once
  # wal.sh runs, with a new folder.
  echo "synchronous_standby_names = ''"
  [ -z "$moment" ] || echo "recovery_target_time = '$moment'"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
echo "Restored. Start the server, then: repay audit --checkpoint <one that was kept>, repay doctor, and the services."
