import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `event_clock` is never further behind the latest time that was given out than a hundredth of a second, and never goes
 * back, whatever the server's clock does, or that of a standby which takes over. While the clock is behind it, an
 * account's events are numbered one after the other, each behind the last. Until the clock has caught up their commits
 * wait for each other, within one account.
 */
export class KeepSequencesGrowing1763600041001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create sequence event_clock;
      create function event_microseconds() returns bigint language sql volatile as $$
        select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint
      $$;
      create function event_sequence(account uuid, place bigint) returns bigint language plpgsql volatile strict as $$
        declare
          -- Read before the clock, so that it is ahead of the clock only if the clock went back.
          latest bigint := coalesce(pg_sequence_last_value('event_clock'), 0);
          clock bigint := event_microseconds();
          last bigint;
        begin
          if clock > latest + 10000 then
            perform setval('event_clock', clock);
          end if;
          if clock >= latest then
            return clock + place;
          end if;
          perform pg_advisory_xact_lock(hashtextextended('event_sequence ' || account, 0));
          select max(sequence) into last from (
            select sequence from events where account_id = account order by transaction_id desc, sequence desc limit 1000
          ) recent;
          last := greatest(last, clock) + place;
          -- The second leaves room for accounts that do the same at this moment.
          if last + 1000000 > latest then
            perform setval('event_clock', last + 1000000);
          end if;
          return last;
        end
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function event_sequence(uuid, bigint), event_microseconds;
      drop sequence event_clock;
    `);
  }
}
