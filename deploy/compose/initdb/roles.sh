#!/bin/sh
# The image of PostgreSQL runs this once, on an empty volume.
set -eu
secret() { cat "/run/secrets/$1"; }

psql --no-psqlrc --username=postgres --file=/sql/roles.sql \
  --set=owner="$(secret owner_password)" --set=service="$(secret service_password)" --set=backup="$(secret backup_password)"
# The image lets nobody replicate who is not in the same container.
echo "host replication repayment_backup samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
