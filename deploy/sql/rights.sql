-- As the owner, in the database, after each `repay migrate`: what the service may, and no more. Once would do; again does no harm.
\set ON_ERROR_STOP on
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE ON TABLES TO repayment;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO repayment;
REVOKE UPDATE ON answer, answer_kind, log_entry, log_key FROM repayment;
REVOKE INSERT, UPDATE ON schema_migration, installation FROM repayment;
