-- As an administrator, in the database, once it is migrated: a role that only reads, for `repay audit`, lists and `doctor`.
--   psql -d repayment -f reader.sql, and then \password repayment_reader
\set ON_ERROR_STOP on
CREATE ROLE repayment_reader LOGIN;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO repayment_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE repayment_owner IN SCHEMA public GRANT SELECT ON TABLES TO repayment_reader;
