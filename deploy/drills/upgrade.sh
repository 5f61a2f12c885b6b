#!/bin/sh
# Upgrades the database to a new release: migrates as the owner, grants the service its rights, and
# runs `repay doctor` as the service's role. Before it, stop the old services and take a backup;
# after it, start the new ones.
# Environment: OWNER_URL and DATABASE_URL (the database as the owner and as the service), the other
# settings of the service, and REPAY if the new release's command is not called `repay`.
set -eu

DATABASE_URL=$OWNER_URL ${REPAY:-repay} migrate --table
sh "$(dirname "$0")/../sql/rights.sh"
exec ${REPAY:-repay} doctor --table
