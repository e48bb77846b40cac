import { SCOPES, type Scope, scopesMissing } from '#libs/entities';
import { beforeAll, describe, expect, it } from 'vitest';
import { accountRowsOf, idsOf } from '#test/support/account-rows.js';
import type { ApiClient, ApiResponse } from '#test/support/api-client.js';
import { apiRoutes } from '#test/support/api-routes.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { type Operation, operationsOf } from '#test/support/openapi-operations.js';
import { seedToken } from '#test/support/seed.js';
import { ownWordsFrom } from '../edge/isolation/own-words.js';
import { type Asked, plainRequest, requestsSaying, send } from '../edge/isolation/requests.js';
import { SHARED, type Twin, liveIn, seedTwin } from '../edge/isolation/twins.js';

// A mail server makes the routes for outgoing email available. It never answers.
const desk = deskForFile({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
let twin: Twin;
let operations: Operation[];
let ownIds: Record<string, string>;
let tokens: Record<Scope, ApiClient>;
/**
 * Prefix of every text of a ticket, message, note, customer and quarantined email. The space keeps it out of webhook
 * URLs.
 */
let canary: string;

beforeAll(async () => {
  operations = operationsOf((await desk.anonymous().get('/openapi.json')).body);
  const worker = await desk.worker();
  twin = await seedTwin(desk);
  await liveIn(desk, twin, await desk.receiver());
  canary = `${twin.mark} `;
  await twin.client.patch(`/v1/customers/${SHARED.customer}`, { last_name: `${canary}name`, about: `${canary}about` });
  const held = [await quarantinedMail(), await quarantinedMail()];
  ownIds = {
    ...idsOf(await accountRowsOf(desk.sql, twin.account.id)),
    release: held[0]!,
    discard: held[1]!,
    deliveries: await deliveryOfNote(),
  };
  await worker.stop();
  const grant = { accountId: twin.account.id, agentId: twin.account.owner.id };
  const seeded = SCOPES.map(
    async (scope) => [scope, desk.client(await seedToken(desk.sql, { ...grant, scopes: [scope] }))] as const,
  );
  tokens = Object.fromEntries(await Promise.all(seeded)) as Record<Scope, ApiClient>;
});

async function quarantinedMail(): Promise<string> {
  const mail = mailText({ From: SHARED.owner, Subject: `${canary}held` }, `${canary}held text`);
  const path = `/v1/mailboxes/${SHARED.mailbox}/raw`;
  const { body } = await twin.client.post(path, mail, { 'content-type': 'message/rfc822' });
  const { id } = body.arrival as { id: string };
  await eventually(async () => (await twin.client.get(`/v1/arrivals/${id}`)).body.arrival.text?.includes(canary));
  return id;
}

async function deliveryOfNote(): Promise<string> {
  const { webhooks } = (await twin.client.get('/v1/webhooks?event=note_added')).body;
  const { deliveries } = (await twin.client.get(`/v1/webhooks/${webhooks[0].id}/deliveries`)).body;
  const { id } = deliveries[0] as { id: string };
  const { delivery } = (await twin.client.get(`/v1/deliveries/${id}`)).body;
  if (!delivery.payload.body.startsWith(canary)) throw new Error('The delivery carries no canary');
  return id;
}

/** Returns the plain request, and one for each parameter that can search for the canary. */
function requestsOf(operation: Operation): Asked[] {
  const own = ownWordsFrom(ownIds);
  const searching = operation.method === 'GET' ? requestsSaying(twin.mark, operation, own) : [];
  return [plainRequest(operation, own), ...searching];
}

/** Alternatives differ by the kind of record, and the requests are about tickets, which come first. */
const isOpenTo = ({ ways: [way = []] }: Operation, scope: Scope): boolean => scopesMissing([scope], way).length === 0;

const isRefused = ({ status, body }: ApiResponse): boolean => status === 403 && body?.error === 'insufficient_scope';

const shownIn = ({ text, headers }: ApiResponse): string => `${text} ${[...headers.values()].join(' ')}`;

describe('a token with a single scope', () => {
  it('grants what the OpenAPI document declares, and shows no record without read', async () => {
    const faults: string[] = [];
    const shown: Partial<Record<Scope, number>> = {};

    for (const operation of operations)
      for (const scope of SCOPES)
        for (const asked of requestsOf(operation)) {
          const answer = await send(tokens[scope], asked);
          const name = `${operation.name} asked by ${scope}`;
          // `admin` reads people, so the service decides by the record, which an earlier request may have deleted.
          const isDecided = operation.ways.length < 2 || scope !== 'admin';
          if (isDecided && isRefused(answer) === isOpenTo(operation, scope))
            faults.push(`${name} was answered ${answer.status}`);
          shown[scope] = (shown[scope] ?? 0) + Number(shownIn(answer).includes(canary));
          faults.push(...leaksOf(operation, scope, shownIn(answer)).map((leak) => `${name} shows ${leak}`));
        }

    expect(faults).toEqual([]);
    // Proves that the canary appears where it may.
    expect(shown['read']).toBeGreaterThan(10);
    expect(shown['tickets:read']).toBeGreaterThan(5);
    expect(shown['customers:read']).toBeGreaterThan(0);
  }, 120_000);

  it('grants access to no page and no file', async () => {
    const pages = apiRoutes().filter(({ method, path }) => method === 'GET' && !path.startsWith('/v1/'));
    for (const { path } of pages) {
      const address = path.replaceAll(/:\w+/g, (name) =>
        name === ':number' ? SHARED.numbers[0] : ownIds['messages']!,
      );
      for (const scope of SCOPES) {
        const answer = await tokens[scope].get(`${address}?q=${twin.mark}`);
        expect([path, scope, shownIn(answer).includes(canary)]).toEqual([path, scope, false]);
      }
    }
    expect(pages.length).toBeGreaterThan(50);
  }, 60_000);
});

const CHANGING = new Set<Scope>(['write', 'tickets:write', 'messages:write', 'customers:write']);

/** A change may show the changed record, but no other record and no note. */
function leaksOf({ method, path }: Operation, scope: Scope, answer: string): string[] {
  const others = [`${canary}${SHARED.numbers[2]}`, ...(path.includes('/messages/') ? [] : [`${canary}note`])];
  const isOwnChange = CHANGING.has(scope) && method !== 'GET';
  const hidden = HIDDEN_FROM_READERS[scope]?.map((text) => `${canary}${text}`) ?? (isOwnChange ? others : [canary]);
  return hidden.filter((text) => answer.includes(text));
}

/** Texts of records that the scope does not cover. */
const HIDDEN_FROM_READERS: Partial<Record<Scope, string[]>> = {
  read: [],
  'tickets:read': ['about'],
  'customers:read': ['note', 'held', SHARED.numbers[2]],
};
