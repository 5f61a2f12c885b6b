-- As an administrator of the server, once. The roles of docs/database.md, and one that takes
-- backups. Give psql the passwords on standard input, because others can read its arguments:
--   \set owner '...'
--   \set service '...'
--   \set backup '...'
--   \i roles.sql
\set ON_ERROR_STOP on
CREATE ROLE repayment_owner LOGIN PASSWORD :'owner';
CREATE ROLE repayment LOGIN PASSWORD :'service';
CREATE ROLE repayment_backup LOGIN REPLICATION PASSWORD :'backup';
CREATE DATABASE repayment OWNER repayment_owner TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
