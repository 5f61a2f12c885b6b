#!/bin/sh
# Makes the settings and secrets of one machine with systemd, once: none that is there is replaced. Keep a copy of the folder
# elsewhere: without the pepper no key works any more, and without the signing key the log stands.
#   secrets.sh <name that callers use, such as api.example.org> [<folder> [<group that may read the service's own>]]
set -eu
umask 077
name=$1
folder=${2:-/etc/repayment}
group=${3:-repayment}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ -e "$folder" ]; then
  echo "$folder exists already; nothing was changed" >&2
  exit 1
fi
random() { openssl rand -hex 32; }
owner=$(random)
service=$(random)
taker=$(random)
mkdir -m 750 "$folder"

# The service's account may read it, for the command `repay`. The secrets are on sed's standard input,
# because other users can read a program's arguments.
sed -f /dev/stdin "$here/service.env.example" >"$folder/service.env" <<END
s/api\.example\.org/$name/
s/of-the-service/$service/
s/^SECRET_PEPPER=.*/SECRET_PEPPER=$(random)/
s/^LOG_SIGNING_KEY=.*/LOG_SIGNING_KEY=$(random)/
END
chmod 640 "$folder/service.env"
chgrp "$group" "$folder" "$folder/service.env"

# For migrations alone.
echo "OWNER_URL=postgres://repayment_owner:$owner@127.0.0.1:5432/repayment" >"$folder/owner.env"

# For psql on standard input, once.
cat >"$folder/roles.sql" <<END
\set owner '$owner'
\set service '$service'
\set backup '$taker'
\i $here/../sql/roles.sql
END

# For whoever takes backups: his password, which is his alone, and where the log's checkpoint is.
echo "127.0.0.1:*:replication:repayment_backup:$taker" >"$folder/pgpass"
echo "PUBLIC_URL=https://$name" >"$folder/backup.env"
