#!/bin/sh
# The image of PostgreSQL runs this once, on an empty volume.
set -eu

# On standard input, because other processes can read a program's arguments.
psql --no-psqlrc --username=postgres <<'END'
\set owner `cat /run/secrets/owner_password`
\set service `cat /run/secrets/service_password`
\set backup `cat /run/secrets/backup_password`
\i /sql/roles.sql
END
# The image lets nobody replicate who is not in the same container.
echo "host replication repayment_backup samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
