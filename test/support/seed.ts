import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { uuidAt } from '#libs/database';
import type { AgentRole, Audience, Scope } from '#libs/entities';
import type { Client as PgClient } from 'pg';

export interface SeededAgent {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface SeededAccount {
  readonly id: string;
  readonly owner: SeededAgent;
  readonly mailbox: { id: string; email: string; name: string };
}

/** Inserts an account with an owner, a mailbox and a personal access token. Its replies are sent at once. */
export async function seedAccount(
  database: PgClient,
  { name = 'Acme', email = `owner-${randomUUID()}@acme.test` } = {},
): Promise<SeededAccount> {
  const id = uuidAt(new Date());
  await database.query('insert into accounts (id, name, undo_send_seconds, created_at) values ($1, $2, 0, now())', [
    id,
    name,
  ]);
  const mailbox = { id: uuidAt(new Date()), name: 'Support', email: 'support@acme.test' };
  await database.query(
    'insert into mailboxes (id, account_id, name, email, created_at, updated_at) values ($1, $2, $3, $4, now(), now())',
    [mailbox.id, id, mailbox.name, mailbox.email],
  );
  return { id, mailbox, owner: await seedAgent(database, id, { email, role: 'owner' }) };
}

export async function seedAgent(
  database: PgClient,
  accountId: string,
  {
    email = `agent-${randomUUID()}@acme.test`,
    role = 'agent',
    scopes,
  }: { email?: string; role?: AgentRole; scopes?: Scope[] } = {},
): Promise<SeededAgent> {
  const id = uuidAt(new Date());
  await database.query(
    `insert into agents (id, account_id, email, first_name, last_name, role, state, created_at, updated_at)
     values ($1, $2, $3, 'Maya', 'Lind', $4, 'active', now(), now())`,
    [id, accountId, email, role],
  );
  return { id, email, token: await seedToken(database, { accountId, agentId: id, ...(scopes && { scopes }) }) };
}

export async function seedToken(
  database: PgClient,
  {
    accountId,
    agentId,
    applicationId = null,
    scopes = ['read', 'write', 'webhooks', 'admin'] as Scope[],
    audiences = ['api'],
  }: {
    accountId: string;
    agentId: string;
    applicationId?: string | null;
    scopes?: Scope[];
    audiences?: Audience[];
  },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const grant = uuidAt(new Date());
  await database.query(
    "insert into grants (id, account_id, agent_id, application_id, name, scopes, created_at) values ($1, $2, $3, $4, 'tests', $5, now())",
    [grant, accountId, agentId, applicationId, scopes],
  );
  await database.query(
    `insert into tokens (hash, kind, grant_id, scopes, audiences, issued_at, expires_at)
     values ($1, case when $4::uuid is null then 'personal' else 'access' end, $2, $3, $5, now(), now() + interval '300 days')`,
    [createHash('sha256').update(token).digest(), grant, scopes, applicationId, audiences],
  );
  return token;
}

/** Creates an OAuth client as the operator does; returns its id. */
export async function seedApplication(database: PgClient, name: string): Promise<string> {
  const id = uuidAt(new Date());
  await database.query(
    `insert into applications (id, name, client_id, secret_hash, redirect_uris, scopes, approved_at, created_at, updated_at)
     values ($1::uuid, $2, $1::text, 'none', '{}', '{read,write,webhooks,admin}', now(), now(), now())`,
    [id, name],
  );
  return id;
}
