import { randomUUID } from 'node:crypto';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';
import type { Desk } from '#test/support/desk.js';
import { seedApplication, seedToken } from '#test/support/seed.js';

/** Responses per page. Fewer would mean more pages and a slower test. */
const ANSWERS_TOGETHER = 13;

/** Inserts records with all `payloads`, past validation: pages must be safe whatever is stored. Returns their paths. */
export async function leaveStrangeRecords(desk: Desk, payloads: readonly string[]): Promise<string[]> {
  await leaveAgents(desk, payloads);
  await leaveApplications(desk, payloads);
  return [
    ...(await leaveFiles(desk, payloads)),
    ...(await leaveWebhooks(desk, payloads)),
    ...(await leaveAnswers(desk, payloads)),
  ];
}

async function leaveAgents({ sql, account }: Desk, payloads: readonly string[]): Promise<void> {
  await sql.query(
    `insert into agents (id, account_id, email, first_name, last_name, role, state, created_at, updated_at)
     select gen_random_uuid(), $1, 'strange' || n || '@acme.test', word, word, 'agent', 'active', now(), now()
     from unnest($2::text[]) with ordinality as strange(word, n)`,
    [account.id, payloads],
  );
}

async function leaveApplications({ sql, account }: Desk, payloads: readonly string[]): Promise<void> {
  for (const payload of payloads) {
    const applicationId = await seedApplication(sql, payload);
    await seedToken(sql, { accountId: account.id, agentId: account.owner.id, applicationId });
  }
}

/** A ticket with a file for each payload, assigned to an agent with a hostile name. */
async function leaveFiles(desk: Desk, payloads: readonly string[]): Promise<string[]> {
  const { sql, account } = desk;
  const wanted = { body: 'See the files.', from: 'files@client.example', to: account.mailbox.email };
  const { number } = (await desk.client().post('/v1/tickets', wanted)).body.ticket;
  const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
  await sql.query(
    `insert into attachments (id, account_id, message_id, name, content_type, size, created_at)
     select gen_random_uuid(), $1, $2, word, word, 7, now() from unnest($3::text[]) word`,
    [account.id, messages[0].id, payloads],
  );
  await desk.client().put(`/v1/tickets/${number}/assignee`, { assignee: 'strange1@acme.test' });
  return [`/tickets/${number}?folder=open`, `/messages/${messages[0].id}`];
}

async function leaveWebhooks({ sql, account }: Desk, payloads: readonly string[]): Promise<string[]> {
  const ids = payloads.map(() => randomUUID());
  await sql.query(
    `insert into webhooks (id, account_id, event, url, state, created_at, updated_at)
     select id, $1, 'ticket_closed', 'https://example.com/' || word, 'active', now(), now()
     from unnest($2::uuid[], $3::text[]) as strange(id, word)`,
    [account.id, ids, payloads],
  );
  return ids.slice(0, 10).map((id) => `/settings/webhooks/${id}`);
}

/** Receivers’ responses and connection errors. */
async function leaveAnswers(desk: Desk, payloads: readonly string[]): Promise<string[]> {
  const { id: webhook } = await desk.webhook('ticket_moved', 'https://example.com/answers');
  const groups = Array.from({ length: Math.ceil(payloads.length / ANSWERS_TOGETHER) }, (_, place) =>
    payloads.slice(place * ANSWERS_TOGETHER, (place + 1) * ANSWERS_TOGETHER),
  );
  const deliveries = await insertPastDeliveries(
    desk,
    webhook,
    groups.map(() => 'exhausted' as const),
  );
  for (const [place, group] of groups.entries())
    await desk.sql.query(
      `insert into attempts (id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status, error,
         error_detail, response_body, request_headers, next_reason)
       select gen_random_uuid(), $1, $2, $3, n, now(), 5, 500, null, word, $5, jsonb_build_object(word, word), word
       from unnest($4::text[]) with ordinality as strange(word, n)`,
      [desk.account.id, webhook, deliveries[place], group, group.join('\n')],
    );
  return [`/settings/webhooks/${webhook}`, ...deliveries.map((id) => `/settings/deliveries/${id}`)];
}
