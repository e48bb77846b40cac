import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDesk1763600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table accounts (
        id uuid primary key,
        name text not null,
        last_ticket_number integer not null default 0,
        created_at timestamptz not null
      );
      create table agents (
        id uuid primary key,
        account_id uuid not null references accounts,
        email text not null,
        first_name text not null,
        last_name text not null,
        role text not null,
        state text not null,
        password_hash text,
        invited_at timestamptz,
        archived_at timestamptz,
        last_seen_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index agents_account_id_email_idx on agents (account_id, email);
      create index agents_email_idx on agents (email);
      create table groups (
        id uuid primary key,
        account_id uuid not null references accounts,
        name text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index groups_account_id_name_idx on groups (account_id, name);
      create table group_members (
        group_id uuid not null references groups on delete cascade,
        agent_id uuid not null references agents,
        account_id uuid not null references accounts,
        primary key (group_id, agent_id)
      );
      create index group_members_account_id_agent_id_idx on group_members (account_id, agent_id);
      create table mailboxes (
        id uuid primary key,
        account_id uuid not null references accounts,
        name text not null,
        email text not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index mailboxes_account_id_email_idx on mailboxes (account_id, email);
      create unique index mailboxes_account_id_name_idx on mailboxes (account_id, name);
      create table customers (
        id uuid primary key,
        account_id uuid not null references accounts,
        email text not null,
        first_name text not null default '',
        last_name text not null default '',
        about text,
        twitter_username text,
        title text,
        company_name text,
        phone_number text,
        location text,
        website_url text,
        linkedin_username text,
        custom jsonb not null default '{}',
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index customers_account_id_email_idx on customers (account_id, email);
      create table tickets (
        id uuid primary key,
        account_id uuid not null references accounts,
        number integer not null,
        title text,
        state text not null,
        priority text,
        assignee_id uuid references agents,
        assigned_group_id uuid references groups,
        mailbox_id uuid not null references mailboxes,
        customer_id uuid not null references customers,
        tags text[] not null default '{}',
        summary text not null default '',
        message_count integer not null default 0,
        closed_by_id uuid references agents,
        resolution_time integer,
        snoozed_until timestamptz,
        deleted_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index tickets_account_id_number_idx on tickets (account_id, number);
      create table messages (
        id uuid primary key,
        account_id uuid not null references accounts,
        ticket_id uuid not null references tickets on delete cascade,
        author_agent_id uuid references agents,
        author_customer_id uuid references customers,
        note boolean not null,
        body text not null,
        plain_text_body text not null,
        sent_at timestamptz,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create index messages_ticket_id_id_idx on messages (ticket_id, id);
      create index messages_author_customer_id_idx on messages (author_customer_id);
      create table attachments (
        id uuid primary key,
        account_id uuid not null references accounts,
        message_id uuid not null references messages on delete cascade,
        name text not null,
        content_type text not null,
        size integer not null,
        created_at timestamptz not null
      );
      create index attachments_message_id_id_idx on attachments (message_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table attachments, messages, tickets, customers, mailboxes, group_members, groups, agents,
        accounts
    `);
  }
}
