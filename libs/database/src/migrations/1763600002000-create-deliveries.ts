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
      create index events_account_id_sequence_idx on events (account_id, sequence);
      create table outbox (
        event_id uuid primary key,
        account_id uuid not null references accounts,
        webhook_ids uuid[] not null
      );
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
        failures integer not null default 0,
        paced_until timestamptz,
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
      create table deliveries_default partition of deliveries default;
      create index deliveries_webhook_id_id_idx on deliveries (webhook_id, id);
      create index deliveries_event_id_idx on deliveries (event_id);
      create index deliveries_owed_idx on deliveries (next_attempt_at) where state = 'pending';
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
      drop table attempts, deliveries, webhook_secrets, webhooks, outbox, events;
      drop sequence events_sequence_seq;
      drop function uuid_at;
    `);
  }
}
