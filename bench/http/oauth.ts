import { createHash, randomBytes } from 'node:crypto';
import { uuidAt } from '#libs/database';
import { SCOPES } from '#libs/entities';
import type { LoadRequest } from './load.js';
import type { HttpBench } from './http-bench.js';

const COUNT = 2000;
const REDIRECT = 'https://app.example/callback';
const CLIENT = 'bench-client';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Code exchanges and refreshes per second, each with its own grant, compared with the cheapest request. */
export async function measureOAuth(stack: HttpBench) {
  const secret = randomBytes(32).toString('hex');
  const codes = await prepare(stack, secret);
  const client = { client_id: CLIENT, client_secret: secret };
  const exchanged = await stack.load(
    codes.map((code) => token({ ...client, grant_type: 'authorization_code', redirect_uri: REDIRECT, code })),
    { keepBodies: true },
  );
  const refreshTokens = (exchanged.bodies ?? []).map(
    (body) => (JSON.parse(body) as { refresh_token: string }).refresh_token,
  );
  const refreshed = await stack.load(
    refreshTokens.map((refresh_token) => token({ ...client, grant_type: 'refresh_token', refresh_token })),
  );
  const alive = await stack.load(
    Array.from({ length: COUNT }, () => ({ method: 'GET', path: '/healthz', headers: {} })),
  );
  return {
    baselineHealthz: { perSecond: alive.perSecond },
    codeExchange: {
      perSecond: exchanged.perSecond,
      p99: exchanged.p99,
      toHealthz: exchanged.perSecond / alive.perSecond,
    },
    refresh: { perSecond: refreshed.perSecond, p99: refreshed.p99, toHealthz: refreshed.perSecond / alive.perSecond },
  };
}

const token = (fields: Record<string, string>): LoadRequest => ({
  method: 'POST',
  path: '/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

async function prepare({ sql, account }: HttpBench, secret: string): Promise<string[]> {
  const application = uuidAt(new Date());
  await sql.query(
    `insert into applications (id, name, client_id, secret_hash, redirect_uris, scopes, created_at, updated_at)
     values ($1, 'Bench', $2, $3, $4, $5, now(), now())`,
    [application, CLIENT, digest(secret), [REDIRECT], [...SCOPES]],
  );
  const codes = Array.from({ length: COUNT }, () => randomBytes(32).toString('base64url'));
  const ids = codes.map(() => uuidAt(new Date()));
  // A person has one grant for an application.
  await sql.query(
    `insert into agents (id, account_id, email, first_name, last_name, role, state, created_at, updated_at)
     select id, $2, id || '@bench.test', 'Maya', 'Lind', 'agent', 'active', now(), now() from unnest($1::uuid[]) id`,
    [ids, account.id],
  );
  await sql.query(
    `insert into grants (id, account_id, agent_id, application_id, scopes, created_at)
     select id, $2, id, $3, $4, now() from unnest($1::uuid[]) id`,
    [ids, account.id, application, [...SCOPES]],
  );
  await sql.query(
    `insert into authorization_codes (hash, grant_id, scopes, scope_requested, audiences, redirect_uri, expires_at)
     select hash, id, $4, false, '{api}', $3, now() + interval '10 minutes'
     from unnest($1::bytea[], $2::uuid[]) as given (hash, id)`,
    [codes.map(digest), ids, REDIRECT, [...SCOPES]],
  );
  return codes;
}
