import { SCOPES, type Scope, scopesMissing } from '#libs/entities';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { addGroup, addMailbox, inviteAgent, newEmail } from '#test/support/desk-records.js';
import { type Operation, requestPathOf, minimalValueOf, operationsOf } from '#test/support/openapi-operations.js';
import { type SeededAgent, seedAgent, seedToken } from '#test/support/seed.js';

const desk = await startDesk();
const operations = operationsOf((await desk.anonymous().get('/openapi.json')).body);
afterAll(() => desk.stop());

const READING: Scope[] = ['tickets:read', 'customers:read', 'people:read'];

/** Operations that show or send the body of a delivery. */
const REVEALS_RECORDS = new Set([
  'POST /v1/webhooks',
  'PATCH /v1/webhooks/{id}',
  'POST /v1/webhooks/preview',
  'PUT /v1/webhooks/by-key/{key}',
  'POST /v1/webhooks/{id}/replay',
  'GET /v1/deliveries/{id}',
  'POST /v1/deliveries/{id}/redeliver',
]);

const WRITING: Record<string, Scope[]> = {
  'POST /v1/tickets': ['tickets:write', 'messages:write'],
  'POST /v1/tickets/{number}/messages': ['messages:write'],
};

/** The contract, listed apart from the code. Each set of scopes grants access to the route. */
function waysFor({ method, path, name }: Operation): Scope[][] {
  const resource = path.split('/')[2]!;
  if (resource === 'me' || resource === 'event_kinds') return [];
  if (['events', 'changes'].includes(resource)) return [READING];
  if (name === 'POST /v1/replays') return [['webhooks', ...READING]];
  if (REVEALS_RECORDS.has(name)) return READING.map((scope) => ['webhooks', scope]);
  if (['webhooks', 'deliveries', 'replays'].includes(resource)) return [['webhooks']];
  if (/\/(imap|smtp)/.test(path)) return [['settings']];
  const isManaged = ['agents', 'groups', 'mailboxes'].includes(resource) && !isMail(path);
  if (isManaged) return [[method === 'GET' ? 'people:read' : 'settings']];
  if (resource === 'saved_replies') return [['messages:write']];
  if (resource === 'customers') return [[method === 'GET' ? 'customers:read' : 'customers:write']];
  if (method === 'GET') return [['tickets:read']];
  return [WRITING[name] ?? [['messages', 'attachments'].includes(resource) ? 'messages:write' : 'tickets:write']];
}

/** Bridges of mail providers submit emails without managing the mailbox. */
const isMail = (path: string): boolean => path.endsWith('/raw');

/** Uses names of no existing record, so that an allowed request changes nothing. */
async function ask(token: string | undefined, operation: Operation): Promise<ApiResponse> {
  const client = token === undefined ? desk.anonymous() : desk.client(token);
  const address = requestPathOf(
    operation,
    operation.inPath.map(({ name }) => (name === 'number' ? '999999' : 'nobody@acme.test')),
  );
  return client.send(operation.method, address, operation.body && {});
}

const tokenWith = (scopes: Scope[]): Promise<string> =>
  seedToken(desk.sql, { accountId: desk.account.id, agentId: desk.account.owner.id, scopes });

const told = ({ status, body, headers }: ApiResponse) => [
  status,
  body?.error,
  /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1],
];

const scopeNamed = ({ headers }: ApiResponse) => / scope="([\w: ]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];

describe('every route', () => {
  it('requires a valid token', async () => {
    for (const operation of operations) {
      const { name } = operation;
      expect([name, ...told(await ask(undefined, operation))]).toEqual([name, 401, 'unauthorized', undefined]);
      expect([name, ...told(await ask('nonsense', operation))]).toEqual([name, 401, 'invalid_token', 'invalid_token']);
    }
  });

  it('documents its scope in OpenAPI', () => {
    const documented = Object.fromEntries(operations.map(({ name, ways }) => [name, ways]));

    expect(documented).toEqual(Object.fromEntries(operations.map((operation) => [operation.name, waysFor(operation)])));
  });

  it('refuses a token without a required scope, and names the scope', async () => {
    for (const operation of operations) {
      const ways = waysFor(operation);
      const needed = new Set(ways.length > 1 ? ways.map((way) => way[0]!) : ways.flat());
      for (const lacking of needed) {
        const others = SCOPES.filter((one) => scopesMissing([one], [lacking]).length > 0);
        const answer = await ask(await tokenWith(others), operation);
        expect([operation.name, ...told(answer), scopeNamed(answer)]).toEqual([
          operation.name,
          403,
          'insufficient_scope',
          'insufficient_scope',
          lacking,
        ]);
      }
    }
  });

  it('names every missing scope', async () => {
    const answer = await desk.client(await tokenWith(['write'])).post('/v1/webhooks', {});

    expect([answer.status, scopeNamed(answer)]).toEqual([403, 'webhooks tickets:read']);
    expect(answer.body.detail).toBe('This needs a token with the scopes webhooks and tickets:read.');
  });

  it('accepts a token with one of the sets of scopes', async () => {
    for (const operation of operations) {
      const ways = waysFor(operation);
      for (const way of ways.length > 0 ? ways : SCOPES.map((scope) => [scope]))
        expect([200, 201, 404, 415, 422]).toContain((await ask(await tokenWith(way), operation)).status);
    }
  });
});

const managed = ({ path, method }: Operation): boolean =>
  method !== 'GET' && !isMail(path) && ['agents', 'groups', 'mailboxes'].includes(path.split('/')[2]!);

describe('an agent without a managing role', () => {
  let agent: SeededAgent;
  beforeAll(async () => {
    agent = await seedAgent(desk.sql, desk.account.id, { role: 'agent' });
  });

  it('cannot perform managing operations with any scope', async () => {
    const there = {
      agents: (await inviteAgent(desk)).id,
      groups: (await addGroup(desk)).id,
      mailboxes: (await addMailbox(desk)).id,
    };

    const refused = operations.filter(managed);
    for (const operation of refused) {
      const id = there[operation.path.split('/')[2] as keyof typeof there];
      const body =
        operation.body && minimalValueOf(operation.body, (name) => (name === 'host' ? 'imap.invalid' : newEmail(name)));
      const answer = await desk.client(agent.token).send(operation.method, requestPathOf(operation, [id]), body);
      expect([operation.name, answer.status, answer.body.error]).toEqual([operation.name, 403, 'role_not_allowed']);
    }
    expect(refused.length).toBeGreaterThanOrEqual(10);
  });

  it('can change their own names, but not their role', async () => {
    const path = `/v1/agents/${agent.email}`;

    const renamed = await desk.client(agent.token).put(path, { first_name: 'Mia' });
    const promoted = await desk.client(agent.token).put(path, { role: 'admin' });

    expect([renamed.status, renamed.body.agent.first_name]).toEqual([200, 'Mia']);
    expect([promoted.status, promoted.body.error]).toEqual([403, 'role_not_allowed']);
  });
});

describe('an admin', () => {
  it('manages agents, but cannot create or remove owners', async () => {
    const admin = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    const client = desk.client(admin.token);
    const owner = `/v1/agents/${desk.account.owner.email}`;

    expect((await client.post('/v1/agents', { email: newEmail('agent'), role: 'agent' })).status).toBe(201);
    for (const refused of [
      await client.post('/v1/agents', { email: newEmail('agent'), role: 'owner' }),
      await client.put(`/v1/agents/${admin.email}`, { role: 'owner' }),
      await client.put(owner, { role: 'agent' }),
      await client.post(`${owner}/archive`),
    ])
      expect([refused.status, refused.body.error]).toEqual([403, 'role_not_allowed']);
  });
});

describe('the token of an archived agent', () => {
  it('stops working at once', async () => {
    const agent = await seedAgent(desk.sql, desk.account.id);
    const read = async () => (await desk.client(agent.token).get('/v1/me')).status;

    const before = await read();
    await desk.client().post(`/v1/agents/${agent.email}/archive`);

    expect([before, await read()]).toEqual([200, 401]);
  });
});
