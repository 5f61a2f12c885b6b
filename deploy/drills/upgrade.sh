#!/bin/sh
# From one release to the next: migrates as the owner, gives the service its rights, and looks whether all is well under the
# service's own role. Stop the services of the earlier release first, take a backup, and start those of the new one after it.
# It is told by the environment: OWNER_URL and DATABASE_URL (the database as the owner and as the service), the other
# settings of the service, and REPAY, how the new release's command is called, if that is not `repay`.
set -eu
rights=$(dirname "$0")/../sql/rights.sql

DATABASE_URL=$OWNER_URL ${REPAY:-repay} migrate --table
# A program's arguments can be seen by others, so psql is told the password apart from the address.
address=$(echo "$OWNER_URL" | sed 's|^\([a-z]*://[^:@/]*\):[^@/]*@|\1@|')
PGPASSWORD=$(echo "$OWNER_URL" | perl -ne 'm|^[a-z]*://[^:@/]*:([^@/]*)@| and print $1 =~ s/%(..)/chr hex $1/ger')
PGPASSWORD=$PGPASSWORD psql --no-psqlrc --quiet --dbname="$address" --file="$rights"
exec ${REPAY:-repay} doctor --table
