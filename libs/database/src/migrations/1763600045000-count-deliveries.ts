import type { MigrationInterface, QueryRunner } from 'typeorm';

const MAX_COUNTED = 500_000;

/**
 * What became of attempts is counted as it happens, by the hour, so that no page reads the history to draw it. What was
 * attempted lately is counted now, as far as that takes seconds. The counts are written again and again, so each page of them keeps
 * room for the next version of a row.
 */
export class CountDeliveries1763600045000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table delivery_counts (
        webhook_id uuid not null,
        hour timestamptz not null,
        shard smallint not null,
        account_id uuid not null,
        delivered integer not null,
        retried integer not null,
        given_up integer not null,
        duration_ms bigint not null,
        longest_ms integer not null,
        primary key (webhook_id, hour, shard)
      ) with (fillfactor = 50);
      create index delivery_counts_account_id_hour_idx on delivery_counts (account_id, hour);
      create index delivery_counts_hour_idx on delivery_counts (hour);

      create table backlog_hours (
        account_id uuid not null,
        hour timestamptz not null,
        owed integer not null,
        oldest_seconds integer not null,
        primary key (account_id, hour)
      );
      create index backlog_hours_hour_idx on backlog_hours (hour);

      create index owed_deliveries_retrying_idx on owed_deliveries (webhook_id, feed_at) where attempts > 0;

      insert into delivery_counts (webhook_id, hour, shard, account_id, delivered, retried, given_up, duration_ms, longest_ms)
      select webhook_id, date_trunc('hour', started_at, 'UTC'), 0, account_id, count(*) filter (where next_reason is null),
        count(*) filter (where next_reason in ('schedule', 'retry_after')),
        count(*) filter (where next_reason in ('exhausted', 'gone')), sum(duration_ms), max(duration_ms)
      from (select * from attempts where id >= uuid_at(now() - interval '8 days') order by id desc limit ${MAX_COUNTED}) a
      group by webhook_id, account_id, date_trunc('hour', started_at, 'UTC');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index owed_deliveries_retrying_idx;
      drop table backlog_hours, delivery_counts;
    `);
  }
}
