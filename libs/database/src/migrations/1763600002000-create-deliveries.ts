import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Events, deliveries and attempts are partitioned by their time-ordered ids, a week each: retention drops a table
 * instead of deleting rows. The default partition takes what no week has been made for yet.
 */
export class CreateDeliveries1763600002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function uuid_at(moment timestamptz) returns uuid language sql immutable strict parallel safe as $$
        select (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      $$;
      create function new_uuid_at(moment timestamptz) returns uuid language sql volatile strict parallel safe as $$
        select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
          placing substring(int8send(floor(extract(epoch from moment) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
      $$;
      create sequence events_sequence_seq;
      create table events (
        id uuid primary key,
        account_id uuid not null,
        sequence bigint not null,
        kind text not null,
        payload text not null,
        transaction_id bigint not null,
        test boolean not null default false,
        request_id text,
        created_at timestamptz not null
      ) partition by range (id);
      create table events_default partition of events default;
      create index events_account_id_transaction_id_sequence_idx on events (account_id, transaction_id, sequence);
      create table outbox (
        account_id uuid not null,
        event_id uuid not null,
        webhook_ids uuid[] not null,
        primary key (account_id, event_id)
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
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
        paced_until timestamptz,
        slow_until timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index webhooks_account_id_event_idx on webhooks (account_id, event);
      create table webhook_secrets (
        id uuid primary key,
        account_id uuid not null references accounts,
        webhook_id uuid not null references webhooks on delete cascade,
        sealed bytea not null,
        key_id text not null,
        created_at timestamptz not null,
        expires_at timestamptz
      );
      create index webhook_secrets_webhook_id_idx on webhook_secrets (webhook_id);
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
        created_at timestamptz not null
      ) partition by range (id);
      create table deliveries_default partition of deliveries default with (fillfactor = 70);
      create index deliveries_webhook_id_id_idx on deliveries (webhook_id, id);
      create index deliveries_event_id_idx on deliveries (event_id);
      create table owed_deliveries (
        delivery_id uuid primary key,
        account_id uuid not null,
        webhook_id uuid not null,
        event_id uuid not null,
        attempts integer not null,
        queued boolean not null,
        feed_at timestamptz not null
      ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
      create index owed_deliveries_webhook_id_queued_feed_at_idx on owed_deliveries (webhook_id, queued, feed_at);
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
        request_headers jsonb not null,
        next_reason text,
        next_attempt_at timestamptz
      ) partition by range (id);
      create table attempts_default partition of attempts default;
      create index attempts_delivery_id_number_idx on attempts (delivery_id, number);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table attempts, owed_deliveries, deliveries, webhook_secrets, webhooks, outbox, events;
      drop sequence events_sequence_seq;
      drop function uuid_at;
      drop function new_uuid_at;
    `);
  }
}
