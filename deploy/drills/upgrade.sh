#!/bin/sh
# Upgrades the database to a new release: migrates as the owner, grants the service its rights, and
# runs `repay doctor` as the service's role. Before it, stop the old services and take a backup;
# after it, start the new ones.
# Environment: OWNER_URL and DATABASE_URL (the database as the owner and as the service), the other
# settings of the service, and REPAY if the new release's command is not called `repay`.
set -eu
rights=$(dirname "$0")/../sql/rights.sql

DATABASE_URL=$OWNER_URL ${REPAY:-repay} migrate --table
# Other users can read a program's arguments, so psql gets the password in PGPASSWORD instead.
address=$(echo "$OWNER_URL" | sed 's|^\([a-z]*://[^:@/]*\):[^@/]*@|\1@|')
PGPASSWORD=$(echo "$OWNER_URL" | perl -ne 'm|^[a-z]*://[^:@/]*:([^@/]*)@| and print $1 =~ s/%(..)/chr hex $1/ger')
PGPASSWORD=$PGPASSWORD psql --no-psqlrc --quiet --dbname="$address" --file="$rights"
exec ${REPAY:-repay} doctor --table
