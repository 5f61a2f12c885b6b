#!/bin/sh
# Grants the service its rights (rights.sql) as the owner of the tables, whose address is OWNER_URL.
set -eu
# Other users can read a program's arguments, so psql gets the password in PGPASSWORD instead.
address=$(echo "$OWNER_URL" | sed 's|^\([a-z]*://[^:@/]*\):[^@/]*@|\1@|')
PGPASSWORD=$(echo "$OWNER_URL" | perl -ne 'm|^[a-z]*://[^:@/]*:([^@/]*)@| and print $1 =~ s/%(..)/chr hex $1/ger')
export PGPASSWORD
exec psql --no-psqlrc --quiet --dbname="$address" --file="$(dirname "$0")/rights.sql"
