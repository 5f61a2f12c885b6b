#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, once: none that is there is replaced. Keep a copy elsewhere: without the
# pepper no key works any more, and without the signing key the log stands.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "secrets exists already; nothing was changed" >&2
  exit 1
fi
# The folder keeps others out; in the containers other accounts read the files.
umask 022
mkdir -m 700 secrets
cd secrets
random() { openssl rand -hex 32; }

for role in postgres owner service backup; do random >"${role}_password"; done
pepper=$(random)
cat >owner.env <<END
DATABASE_URL=postgres://repayment_owner:$(cat owner_password)@database:5432/repayment
SECRET_PEPPER=$pepper
END
cat >service.env <<END
DATABASE_URL=postgres://repayment:$(cat service_password)@database:5432/repayment
SECRET_PEPPER=$pepper
LOG_SIGNING_KEY=$(random)
# To sell and to mail keys:
# STRIPE_WEBHOOK_SECRET=whsec_...
# STRIPE_PRICE=price_...
# PAYMENT_LINK=https://buy.stripe.com/...
# SMTP_URL=smtps://user:password@mail.example.org
END
