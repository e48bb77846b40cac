import type { MigrationInterface, QueryRunner } from '#libs/database';

/**
 * Partitioned by week, by time-ordered ids: retention drops tables instead of rows. The default partition takes weeks
 * without one.
 */
export class CreateWebhooks1795651203000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Changes when the database is restored or another server takes over, because transaction ids may then start
      -- again from an earlier number. Some providers forbid one of these functions, so each may fail.
      create function database_history() returns text language plpgsql stable as $$
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
          return substr(md5(concat_ws('-', cluster, timeline, 'change_marks'::regclass::oid,
            (select max(number) from restores))), 1, 12);
        end
      $$;

      create function event_microseconds() returns bigint language sql as $$
        select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint
      $$;

      -- Numbers events by the time in microseconds. A counter shared by accounts would show each how busy the others are.
      -- event_clock is at most 10 ms behind the latest time that was used, and never goes back, even if the clock of the
      -- server does. While the clock is behind event_clock, transactions of one account wait for each other.
      create function event_sequence(account uuid, place bigint) returns bigint language plpgsql strict as $$
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

      create sequence event_clock;

      create table events (
        id uuid primary key,
        account_id uuid not null,
        sequence bigint not null,
        kind text not null,
        payload text not null,
        transaction_id bigint not null,
        test boolean not null default false,
        request_id text,
        cause json not null default '{"type": "system"}',
        changes json,
        traceparent text,
        created_at timestamptz not null
      ) partition by range (id);
      create table events_default partition of events default;
      create index events_account_id_transaction_id_sequence_idx on events (account_id, transaction_id, sequence);

      -- Fills and empties all the time, so it is vacuumed by number of dead rows. An express event goes from the commit
      -- straight into the queue, so the relay leaves it in the outbox.
      create table outbox (
        account_id uuid not null,
        event_id uuid not null,
        webhook_ids uuid[] not null,
        express boolean not null default false
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
      create index outbox_relay_idx on outbox (account_id, event_id) where not express;
      -- Finds late express events without reading a burst of others.
      create unique index outbox_express_idx on outbox (event_id) where express;
      -- The relay's claim does not name the second condition, or PostgreSQL would read all events for those of an account.
      create unique index outbox_event_idx on outbox (event_id) where not express and cardinality(webhook_ids) > 0;
      -- Logical replication needs it, because the table has no primary key.
      alter table outbox replica identity full;

      create table webhooks (
        id uuid primary key,
        account_id uuid not null references accounts,
        application_id uuid references applications,
        grant_id uuid references grants,
        event text not null,
        url text not null,
        state text not null,
        disabled_reason text,
        failing_since timestamptz,
        retry_after_until timestamptz,
        slow_until timestamptz,
        agent_id uuid references agents,
        registration_key bytea,
        publicly_signed boolean not null default false,
        name text,
        key text,
        request_id uuid,
        filter text,
        filter_all text[],
        filter_none text[],
        header_names text[] not null default '{}',
        authentication_type text,
        headers_id uuid,
        warned_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index webhooks_account_id_event_idx on webhooks (account_id, event);
      create index webhooks_account_id_id_idx on webhooks (account_id, id);
      create unique index webhooks_registration_idx on webhooks (account_id, registration_key);
      create unique index webhooks_key_idx on webhooks (account_id, coalesce(application_id, agent_id), key);

      create table webhook_secrets (
        id uuid primary key,
        account_id uuid not null references accounts,
        webhook_id uuid not null references webhooks on delete cascade,
        sealed bytea not null,
        key_id text not null,
        signs boolean not null default true,
        created_at timestamptz not null,
        expires_at timestamptz
      );
      create index webhook_secrets_webhook_id_idx on webhook_secrets (webhook_id);

      -- The fillfactor leaves room for the update that settles each delivery, so its indexes are not written again.
      -- A delivery that its first attempt settles has no row in attempts: only_attempt saves three index entries.
      create table deliveries (
        id uuid primary key,
        account_id uuid not null,
        webhook_id uuid not null,
        event_id uuid not null,
        kind text not null,
        state text not null,
        attempts integer not null default 0,
        next_attempt_at timestamptz,
        last_status integer,
        last_error text,
        finished_at timestamptz,
        created_at timestamptz not null,
        only_attempt json
      ) partition by range (id);
      create table deliveries_default partition of deliveries default with (fillfactor = 45);
      create index deliveries_webhook_id_id_idx on deliveries (webhook_id, id);
      create index deliveries_event_id_idx on deliveries (event_id);

      create table owed_deliveries (
        delivery_id uuid primary key,
        account_id uuid not null,
        webhook_id uuid not null,
        event_id uuid not null,
        attempts integer not null,
        queued boolean not null,
        due_at timestamptz not null
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
      create index owed_deliveries_webhook_id_queued_due_at_idx on owed_deliveries (webhook_id, queued, due_at);
      create index owed_deliveries_retrying_idx on owed_deliveries (webhook_id, due_at) where attempts > 0;

      create table attempts (
        id uuid primary key,
        account_id uuid not null,
        webhook_id uuid not null,
        delivery_id uuid not null,
        number integer not null,
        started_at timestamptz not null,
        duration_ms integer not null,
        status integer,
        error text,
        error_detail text,
        response_body text,
        request_headers json not null,
        next_reason text,
        next_attempt_at timestamptz
      ) partition by range (id);
      create table attempts_default partition of attempts default;
      create index attempts_delivery_id_number_idx on attempts (delivery_id, number);

      create table replays (
        id uuid primary key,
        account_id uuid not null references accounts,
        webhook_id uuid not null,
        agent_id uuid not null references agents,
        choice text not null,
        since timestamptz not null,
        before timestamptz not null,
        state text not null,
        total integer not null default 0,
        redelivered integer not null default 0,
        position uuid,
        next_step_at timestamptz not null,
        created_at timestamptz not null,
        finished_at timestamptz,
        last_response text
      );
      create index replays_webhook_id_id_idx on replays (webhook_id, id);
      create unique index replays_one_at_a_time_idx on replays (webhook_id) where finished_at is null;
      create index replays_next_idx on replays (next_step_at) where finished_at is null;

      -- Updated all the time; the fillfactor leaves room for new versions of a row.
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

      create table idempotency_keys (
        account_id uuid not null references accounts,
        grant_id uuid not null,
        key text not null,
        request_hash bytea not null,
        status integer,
        location text,
        body text,
        created_at timestamptz not null,
        primary key (account_id, grant_id, key)
      );
      create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

      create table upkeep_tasks (
        name text primary key,
        due_at timestamptz not null,
        finished_at timestamptz,
        report jsonb
      );

      create table worker_heartbeats (
        id uuid primary key,
        host text not null,
        pid integer not null,
        version text not null,
        started_at timestamptz not null,
        seen_at timestamptz not null,
        skew_ms integer
      );

      -- Clocks of APIs that differ from this server's.
      create table api_clocks (
        host text not null,
        pid integer not null,
        seen_at timestamptz not null,
        skew_ms integer not null,
        primary key (host, pid)
      );

      -- Restores that PostgreSQL cannot notice, such as a copy of its files. The operator reports them.
      create table restores (
        number integer generated always as identity primary key,
        noted_at timestamptz not null
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table
        events, outbox, webhooks, webhook_secrets, deliveries, owed_deliveries, attempts, replays, delivery_counts,
        backlog_hours, idempotency_keys, upkeep_tasks, worker_heartbeats, api_clocks, restores;
      drop sequence event_clock;
      drop function
        database_history, event_microseconds, event_sequence;
    `);
  }
}
