export const BARE_CHANNEL = 'bare_events';

export const CREATE_BARE_TABLES = `
  create table if not exists bare_messages (
    id bigint generated always as identity primary key, body text not null, created_at timestamptz not null default now()
  );
  create table if not exists bare_outbox (id bigint generated always as identity primary key, payload text not null)`;
