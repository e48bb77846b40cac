import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A number that all accounts drew from told each of them, by its gaps, how busy the others were. The time tells nothing:
 * microseconds of the database's clock, and `place` keeps the events of one transaction apart and in order. No lock, as
 * one for each account would be held until the commit.
 */
export class TellNothingOfOthers1763600019000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function event_sequence(place bigint) returns bigint language sql volatile strict parallel safe as $$
        select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint + place
      $$;
      drop sequence events_sequence_seq;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create sequence events_sequence_seq;
      drop function event_sequence;
    `);
  }
}
