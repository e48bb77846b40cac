import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A database that was put back without PostgreSQL knowing it, such as a copy of its files, has the history of before. So
 * the operator says so, and each time counts. Until the first one, cursors stay what they are.
 */
export class TellRestores1763600081000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table restores (
        number integer generated always as identity primary key,
        noted_at timestamptz not null
      )`);
    await runner.query(history('(select max(number) from restores)'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(history('null'));
    await runner.query('drop table restores');
  }
}

const history = (restores: string): string => `
  create or replace function database_history() returns text language plpgsql stable as $$
    declare
      cluster text := '';
      timeline text := '';
    begin
      begin
        select system_identifier::text into cluster from pg_control_system();
      exception when others then null;
      end;
      begin
        timeline := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
      exception when others then null;
      end;
      return substr(md5(concat_ws('-', cluster, timeline, 'change_marks'::regclass::oid, ${restores})), 1, 12);
    end $$`;
