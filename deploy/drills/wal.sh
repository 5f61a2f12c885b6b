#!/bin/sh
# Receives the write-ahead log from now on, without an end: with a base backup (backup.sh) every moment since can be
# restored. Where synchronous_standby_names of the server is 'pg_receivewal', no answer leaves before it is here too; then
# nothing is recorded while this does not run.
#   wal.sh <connection> <folder>      the connection of repayment_backup, such as "host=db1 user=repayment_backup"
set -eu
umask 077
connection=$1
folder=$2

mkdir -p "$folder"
# The server keeps for the slot what was not received yet: a pause of this program leaves no gap, but takes the server's disk.
pg_receivewal --dbname="$connection" --slot=repayment_wal --create-slot --if-not-exists
exec pg_receivewal --dbname="$connection" --slot=repayment_wal --directory="$folder" --synchronous
