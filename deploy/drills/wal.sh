#!/bin/sh
# Archives the write-ahead log continuously. With a base backup (backup.sh), any later point in time
# can be restored. If the server's synchronous_standby_names is 'pg_receivewal', every answer is
# archived before it is returned, and nothing can be recorded while this script is not running.
#   wal.sh <connection> <folder>
# The connection is that of repayment_backup, such as "host=db1 user=repayment_backup".
set -eu
umask 077
connection=$1
folder=$2

mkdir -p "$folder"
# The replication slot makes the server keep unreceived segments: a pause of this script leaves no
# gap, but fills the server's disk.
pg_receivewal --dbname="$connection" --slot=repayment_wal --create-slot --if-not-exists
exec pg_receivewal --dbname="$connection" --slot=repayment_wal --directory="$folder" --synchronous
