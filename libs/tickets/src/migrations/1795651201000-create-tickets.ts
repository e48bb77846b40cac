import type { MigrationInterface, QueryRunner } from '#libs/database';

/** `lists/ticket-orders.ts` has the same expressions; with others PostgreSQL would sort instead of using the index. */
const WAITING = `(case when state in ('closed', 'spam') then timestamptz '9999-12-31 00:00:00+00'
        else coalesce(waiting_since, timestamptz '9999-12-31 00:00:00+00') end)`;

/** The row of `ticket_recency` for a ticket. `lists/recency.ts` computes the same rank and folder. */
const recencyOf = (ticket: string): string =>
  `${ticket}.id, ${ticket}.account_id, ${ticket}.number,
     coalesce(array_position(array['low', 'medium', 'high', 'urgent'], ${ticket}.priority), 0),
     case when ${ticket}.merged_into_id is not null then 'merged'
       when ${ticket}.deleted_at is not null then 'deleted' when ${ticket}.snoozed_until is not null then 'snoozed'
       when ${ticket}.state in ('closed', 'spam') then ${ticket}.state else 'open' end,
     ${ticket}.updated_at, ${ticket}.changed_in`;

/**
 * Each index serves one way to list, in the order of that list, so a page is read and not sorted. Among indexes of equal
 * cost PostgreSQL takes the one made first, so their order matters. A page is never read by parallel workers: starting
 * them takes longer than reading it. Indexed words start with their account, so words of other accounts can neither slow
 * a search down nor be measured by it.
 *
 * Foreign keys to rows that are never deleted are left out where messages are written: each costs a lock of the account
 * or agent for every message. See docs/decisions/writes-of-a-message.md.
 */
export class CreateTickets1795651201000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function account_words(account uuid, words text[])
        returns text[] language sql immutable parallel safe as $$
        select coalesce(array_agg(right(account::text, 12) || ':' || lower(word)), '{}') from unnest(words) word
      $$;

      create function stray_file_of_attachment() returns trigger language plpgsql as $$
        begin
          insert into stray_files (id, account_id, due_at) values (old.id, old.account_id, now()) on conflict do nothing;
          return null;
        end
      $$;

      create table groups (
        id uuid primary key,
        account_id uuid not null references accounts,
        name text not null,
        members text[] not null default '{}',
        created_at timestamptz not null,
        updated_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      );
      create unique index groups_account_id_name_idx on groups (account_id, name);
      create index groups_account_id_changed_in_id_idx on groups (account_id, changed_in, id);

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
        email_since timestamptz not null default now(),
        replies_by_mail boolean not null default false,
        has_smtp boolean not null default false,
        signature text not null default '',
        authserv_id text,
        unknown_senders_day integer,
        unknown_senders_kib integer not null default 0,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      );
      create unique index mailboxes_account_id_email_idx on mailboxes (account_id, email);
      create unique index mailboxes_account_id_name_idx on mailboxes (account_id, name);
      create index mailboxes_account_id_changed_in_id_idx on mailboxes (account_id, changed_in, id);
      create index mailboxes_email_idx on mailboxes (email);

      create table customers (
        id uuid primary key,
        account_id uuid not null,
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
        external_id text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      );
      create unique index customers_account_id_email_idx on customers (account_id, email);
      create unique index customers_external_id_idx on customers (account_id, external_id) where external_id is not null;
      create index customers_account_id_created_at_id_idx on customers (account_id, created_at, id);
      create index customers_account_id_changed_in_id_idx on customers (account_id, changed_in, id);
      create index customers_account_id_updated_at_id_idx on customers (account_id, updated_at, id);

      -- Addresses that customers had before. Read only if no customer has the address now.
      create table former_emails (
        account_id uuid not null,
        email text not null,
        customer_id uuid not null references customers on delete cascade,
        primary key (account_id, email)
      );
      create index former_emails_customer_id_idx on former_emails (customer_id);

      -- The fillfactor leaves room for the next version of a ticket in its page.
      create table tickets (
        id uuid primary key,
        account_id uuid not null,
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
        waiting_since timestamptz,
        cc_addresses text[] not null default '{}',
        first_reply_at timestamptz,
        external_id text,
        custom jsonb,
        merged_into_id uuid references tickets on delete cascade,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      ) with (parallel_workers = 0, fillfactor = 85);
      create unique index tickets_account_id_number_idx on tickets (account_id, number);
      create index tickets_live_idx on tickets (account_id, created_at, number) where deleted_at is null;
      create index tickets_state_idx on tickets (account_id, state, created_at, number) where deleted_at is null;
      create index tickets_open_idx on tickets (account_id, created_at, number)
        where deleted_at is null and state not in ('closed', 'spam');
      create index tickets_unassigned_idx on tickets (account_id, created_at, number)
        where deleted_at is null and assignee_id is null and state not in ('closed', 'spam');
      create index tickets_priority_idx on tickets (account_id, priority, created_at, number)
        where deleted_at is null and priority is not null;
      create index tickets_assignee_id_created_at_number_idx on tickets (assignee_id, created_at, number);
      create index tickets_assigned_group_id_created_at_number_idx on tickets (assigned_group_id, created_at, number);
      create index tickets_mailbox_id_created_at_number_idx on tickets (mailbox_id, created_at, number);
      create index tickets_customer_id_created_at_number_idx on tickets (customer_id, created_at, number);
      create index tickets_deleted_idx on tickets (deleted_at) where deleted_at is not null and merged_into_id is null;
      create index tickets_merged_into_id_idx on tickets (merged_into_id) where merged_into_id is not null;
      create index tickets_tags_idx on tickets using gin (account_words(account_id, tags)) where tags <> '{}';
      create index tickets_deleted_created_idx on tickets (account_id, created_at, number)
        where deleted_at is not null and merged_into_id is null;
      create index tickets_snoozed_idx on tickets (account_id, created_at, number) where snoozed_until is not null;
      create unique index tickets_external_id_idx on tickets (account_id, external_id) where external_id is not null;
      create index tickets_wake_idx on tickets (snoozed_until) where snoozed_until is not null;
      create index tickets_waiting_idx on tickets (account_id, ${WAITING}, number) where deleted_at is null;
      create index tickets_open_waiting_idx on tickets (account_id, ${WAITING}, number)
        where deleted_at is null and state not in ('closed', 'spam');
      create index tickets_unread_assigned_idx on tickets (assignee_id)
        where state = 'unread' and deleted_at is null and snoozed_until is null;

      -- Copies what a message changes in its ticket, with the indexes of it, so that a message writes no index of
      -- tickets. With one range of an index for each folder, a list of spam or closed tickets reads no others.
      create table ticket_recency (
        ticket_id uuid not null,
        account_id uuid not null,
        ticket_number integer not null,
        rank smallint not null,
        folder text not null,
        touched_at timestamptz not null,
        changed_in bigint not null,
        primary key (account_id, changed_in, ticket_id)
      );
      create index ticket_recency_updated_idx on ticket_recency (account_id, folder, touched_at, ticket_number);
      create index ticket_recency_urgent_idx on ticket_recency (account_id, folder, rank, touched_at, ticket_number);

      create function copy_ticket_recency() returns trigger language plpgsql as $$
        declare
          place ticket_recency;
        begin
          if tg_op = 'DELETE' then
            delete from ticket_recency
              where account_id = old.account_id and changed_in = old.changed_in and ticket_id = old.id;
            return null;
          end if;
          place := (${recencyOf('new')});
          if tg_op = 'INSERT' then
            insert into ticket_recency select place.*;
          else
            update ticket_recency set rank = place.rank, folder = place.folder, touched_at = place.touched_at,
                changed_in = place.changed_in
              where account_id = old.account_id and changed_in = old.changed_in and ticket_id = old.id;
          end if;
          return null;
        end
      $$;

      create table messages (
        id uuid primary key,
        account_id uuid not null,
        ticket_id uuid not null references tickets on delete cascade,
        author_agent_id uuid,
        author_customer_id uuid references customers,
        application_id uuid,
        note boolean not null,
        body text not null,
        plain_text_body text not null,
        sent_at timestamptz,
        shown_as text,
        safe_html text,
        channel text,
        to_addresses text[] not null default '{}',
        cc_addresses text[] not null default '{}',
        created_at timestamptz not null,
        updated_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      );
      create index messages_ticket_id_id_idx on messages (ticket_id, id);
      create index messages_account_id_changed_in_id_idx on messages (account_id, changed_in, id);
      create index messages_account_id_updated_at_id_idx on messages (account_id, updated_at, id);
      create index messages_author_customer_id_id_idx on messages (author_customer_id, id)
        where author_customer_id is not null;
      -- Finds the last message of a ticket without reading the notes after it.
      create index messages_last_idx on messages (ticket_id, id) where not note;

      create table mentions (
        message_id uuid not null references messages on delete cascade,
        agent_id uuid not null references agents,
        account_id uuid not null references accounts,
        primary key (message_id, agent_id)
      );
      create index mentions_agent_id_message_id_idx on mentions (agent_id, message_id);

      create table attachments (
        id uuid primary key,
        account_id uuid not null,
        message_id uuid not null references messages on delete cascade,
        name text not null,
        content_type text not null,
        size integer not null,
        created_at timestamptz not null,
        changed_in bigint not null default this_transaction()
      );
      create index attachments_message_id_id_idx on attachments (message_id, id);
      create index attachments_account_id_changed_in_id_idx on attachments (account_id, changed_in, id);

      create table stray_files (
        id uuid primary key,
        account_id uuid not null,
        due_at timestamptz not null
      );
      create index stray_files_due_at_idx on stray_files (due_at);

      -- Folders with attachments, by host. With several folders, each host only finds its own files.
      create table attachment_folders (
        id uuid primary key,
        host text not null,
        seen_at timestamptz not null
      );

      create table saved_replies (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid references agents on delete cascade,
        name text not null,
        name_key text not null,
        body text not null,
        tags text[] not null default '{}',
        state text,
        assignee text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index saved_replies_name_idx on saved_replies (account_id, coalesce(agent_id, account_id), name_key);
      create index saved_replies_agent_id_idx on saved_replies (agent_id);

      create table saved_reply_uses (
        saved_reply_id uuid not null references saved_replies on delete cascade,
        agent_id uuid not null references agents on delete cascade,
        account_id uuid not null,
        used_at timestamptz not null,
        primary key (saved_reply_id, agent_id)
      );
      create index saved_reply_uses_agent_id_idx on saved_reply_uses (agent_id);

      create table drafts (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents on delete cascade,
        ticket_id uuid not null references tickets on delete cascade,
        note boolean not null,
        body text not null,
        after_sending text not null,
        revision integer not null,
        writer text not null,
        cc_addresses text[] not null default '{}',
        removed_cc text[] not null default '{}',
        saved_reply_id uuid references saved_replies on delete set null,
        updated_at timestamptz not null
      );
      create unique index drafts_agent_id_ticket_id_idx on drafts (agent_id, ticket_id);
      create index drafts_ticket_id_idx on drafts (ticket_id);
      create index drafts_saved_reply_id_idx on drafts (saved_reply_id);

      create table held_replies (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents on delete cascade,
        application_id uuid,
        origin json,
        ticket_id uuid references tickets on delete cascade,
        new_ticket jsonb,
        body text not null,
        then_change jsonb,
        saved_reply_id uuid references saved_replies on delete set null,
        after_sending text not null,
        due_at timestamptz,
        scheduled_at timestamptz,
        cc_addresses text[] not null default '{}'
      );
      create index held_replies_scheduled_idx on held_replies (account_id, due_at) where scheduled_at is not null;
      create index held_replies_due_at_idx on held_replies (due_at);
      create index held_replies_ticket_id_idx on held_replies (ticket_id);
      create index held_replies_agent_id_idx on held_replies (agent_id);
      create index held_replies_saved_reply_id_idx on held_replies (saved_reply_id);

      create table draft_files (
        id uuid primary key,
        account_id uuid not null references accounts,
        draft_id uuid references drafts on delete cascade,
        name text not null,
        content_type text not null,
        size integer not null,
        held_reply_id uuid references held_replies on delete cascade
      );
      create index draft_files_draft_id_idx on draft_files (draft_id);
      create index draft_files_held_reply_id_idx on draft_files (held_reply_id);

      create table saved_views (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid references agents on delete cascade,
        name text not null,
        name_key text not null,
        query text not null,
        position integer not null,
        created_at timestamptz not null
      );
      create unique index saved_views_account_name_idx on saved_views (account_id, name_key) where agent_id is null;
      create unique index saved_views_agent_name_idx on saved_views (agent_id, name_key) where agent_id is not null;
      create index saved_views_account_id_idx on saved_views (account_id);

      -- The last message that an agent has seen.
      create table read_marks (
        agent_id uuid not null references agents,
        ticket_id uuid not null references tickets on delete cascade,
        account_id uuid not null,
        message_id uuid not null,
        primary key (ticket_id, agent_id)
      );

      create unlogged table presences (
        account_id uuid not null references accounts,
        ticket_number integer not null,
        agent_id uuid not null references agents,
        viewing_until timestamptz not null,
        replying_until timestamptz,
        primary key (account_id, ticket_number, agent_id)
      );

      create table bulk_undos (
        id uuid primary key,
        account_id uuid not null references accounts,
        agent_id uuid not null references agents on delete cascade,
        former jsonb not null,
        created_at timestamptz not null
      );
      create index bulk_undos_account_id_created_at_idx on bulk_undos (account_id, created_at);
      create index bulk_undos_agent_id_idx on bulk_undos (agent_id);

      create table activities (
        id uuid not null,
        account_id uuid not null,
        ticket_id uuid,
        kind text not null,
        agent_id uuid,
        application_id uuid,
        subject text not null,
        detail jsonb not null default '{}',
        request_id text,
        created_at timestamptz not null,
        primary key (account_id, id)
      );
      create index activities_ticket_id_id_idx on activities (ticket_id, id);
      create index activities_of_no_ticket_idx on activities (id) where ticket_id is null;

      create table ticket_words (
        ticket_id uuid not null references tickets on delete cascade,
        source_id uuid not null,
        account_id uuid not null,
        words tsvector not null,
        primary key (ticket_id, source_id)
      ) with (parallel_workers = 0);
      create index ticket_words_words_idx on ticket_words using gin (words);

      create table customer_words (
        customer_id uuid primary key references customers on delete cascade,
        account_id uuid not null,
        words tsvector not null
      ) with (parallel_workers = 0);
      create index customer_words_words_idx on customer_words using gin (words);

      -- These functions use the index of words whatever the statistics of the tables say.
      create function customers_with_words(account uuid, wanted tsquery)
        returns setof uuid language sql stable rows 100 parallel safe set enable_seqscan to 'off'
        set enable_indexscan to 'off' set enable_indexonlyscan to 'off' as $$
        select customer_id from customer_words where account_id = account and words @@ wanted
      $$;

      create function tickets_with_words(account uuid, wanted tsquery)
        returns setof uuid language sql stable rows 100 parallel safe set enable_seqscan to 'off'
        set enable_indexscan to 'off' set enable_indexonlyscan to 'off' as $$
        select ticket_id from ticket_words where account_id = account and words @@ wanted
      $$;

      create trigger attachments_deleted after delete on attachments for each row
        execute function stray_file_of_attachment();
      create trigger attachments_mark_delete after delete on attachments referencing old table as gone
        for each statement execute function mark_deleted('attachment');
      create trigger attachments_mark_update before update on attachments for each row
        execute function mark_if_changed();
      create trigger customers_email_changed after update on customers for each row
        when (old.email is distinct from new.email)
        execute function mark_dependents('messages_by_customer', 'messages_to_customer', 'tickets_of_customer');
      create trigger customers_first_name_changed after update on customers for each row
        when (old.first_name is distinct from new.first_name or old.last_name is distinct from new.last_name)
        execute function mark_dependents('tickets_of_customer');
      create trigger customers_mark_delete after delete on customers referencing old table as gone for each statement
        execute function mark_deleted('customer');
      create trigger customers_mark_update before update on customers for each row execute function mark_if_changed();
      create trigger draft_files_deleted after delete on draft_files for each row
        execute function stray_file_of_attachment();
      create trigger groups_mark_delete after delete on groups referencing old table as gone for each statement
        execute function mark_deleted('group');
      create trigger groups_mark_update before update on groups for each row execute function mark_if_changed();
      create trigger groups_name_changed after update on groups for each row when (old.name is distinct from new.name)
        execute function mark_dependents('tickets_of_group');
      create trigger mailboxes_mark_delete after delete on mailboxes referencing old table as gone for each statement
        execute function mark_deleted('mailbox');
      -- All columns but the counters: clients that follow changes need not fetch a mailbox again because mail came in.
      create trigger mailboxes_mark_update before update of account_id, name, email, email_since, replies_by_mail, has_smtp,
        signature, authserv_id, created_at, updated_at on mailboxes
        for each row execute function mark_if_changed();
      create trigger mailboxes_name_changed after update on mailboxes for each row
        when (old.name is distinct from new.name) execute function mark_dependents('tickets_of_mailbox');
      create trigger messages_mark_delete after delete on messages referencing old table as gone for each statement
        execute function mark_deleted('message');
      -- The columns that the API shows: others change with each email that is sent.
      create trigger messages_mark_update before update of account_id, ticket_id, author_agent_id, author_customer_id, note,
        body, plain_text_body, sent_at, created_at, updated_at on messages
        for each row execute function mark_changed();
      create trigger tickets_assignee_id_changed after update on tickets for each row
        when (old.assignee_id is distinct from new.assignee_id)
        execute function mark_dependents('messages_to_assignee');
      create trigger tickets_customer_id_changed after update on tickets for each row
        when (old.customer_id is distinct from new.customer_id)
        execute function mark_dependents('messages_of_agents');
      create trigger tickets_copy_recency after insert or update or delete on tickets for each row
        execute function copy_ticket_recency();
      create trigger tickets_mark_delete after delete on tickets referencing old table as gone for each statement
        execute function mark_deleted_tickets('ticket');
      create trigger tickets_mark_update before update on tickets for each row execute function mark_if_changed();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table
        groups, group_members, mailboxes, customers, former_emails, tickets, ticket_recency, messages, mentions, attachments,
        stray_files, attachment_folders, drafts, held_replies, draft_files, saved_replies, saved_reply_uses, saved_views, read_marks,
        presences, bulk_undos, activities, ticket_words,
        customer_words;
      drop function
        account_words, copy_ticket_recency, customers_with_words, stray_file_of_attachment, tickets_with_words;
    `);
  }
}
