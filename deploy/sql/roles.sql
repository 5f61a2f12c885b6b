-- As an administrator of the server, once, with psql. The roles of docs/database.md, and one that takes backups:
--   psql -f roles.sql -v owner=... -v service=... -v backup=...    (their passwords)
\set ON_ERROR_STOP on
CREATE ROLE repayment_owner LOGIN PASSWORD :'owner';
CREATE ROLE repayment LOGIN PASSWORD :'service';
CREATE ROLE repayment_backup LOGIN REPLICATION PASSWORD :'backup';
CREATE DATABASE repayment OWNER repayment_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
