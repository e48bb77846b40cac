import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../../support/desk.js';
import { addGroup, addMailbox, inviteAgent, startTicket } from '../../support/desk-records.js';
import { accountRowsOf } from '../../support/account-rows.js';
import { type SeededAccount, seedAccount } from '../../support/seed.js';
import { type FuzzRequest, type Known, fuzzRequests } from './requests.js';

const REQUESTS = 20_000;
const AT_ONCE = 16;
const HANGS_AFTER_MS = 10_000;

let desk: Desk;
let other: SeededAccount;
beforeAll(async () => {
  desk = await startDesk();
  other = await seedAccount(desk.sql);
});
afterAll(() => desk.stop());

/** Anything short of a failure of ours, in time, and as the OpenAPI document tells it. */
async function answerWell(request: FuzzRequest): Promise<number> {
  const server = desk.api.getHttpAdapter().getInstance();
  const answer = await Promise.race([
    server.inject({
      ...(request as object),
      headers: { authorization: `Bearer ${desk.account.owner.token}`, ...request.headers },
    }),
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('hangs')), HANGS_AFTER_MS).unref()),
  ]);
  const { statusCode: status, body: text, headers } = answer;
  const contentType = String(headers['content-type'] ?? '');
  if (status >= 500) throw new Error(`${status} ${text}`);
  const body: unknown = text ? JSON.parse(text) : undefined;
  if (status >= 400 && !isProblem(contentType, status, body)) throw new Error(`${status} is no problem: ${text}`);
  desk.contract.check({
    method: request.method,
    path: new URL(request.url, desk.base).pathname,
    status,
    contentType,
    body,
  });
  return status;
}

function isProblem(contentType: string, status: number, body: unknown): boolean {
  const { error, errors } = body as { error?: string; errors?: { field: string }[] };
  const named = status !== 422 || error !== 'invalid_request' || (errors ?? []).every(({ field }) => field !== '');
  return contentType.startsWith('application/problem+json') && typeof error === 'string' && named;
}

/** A desk with something in it, and what is named there; of the other account, too. */
async function known(): Promise<Known> {
  const customers = ['ann@client.test', 'ben@client.test'];
  for (let count = 0; count < 80; count++) await startTicket(desk, { from: customers[count % 2], tags: ['vip'] });
  const [agent, group, mailbox] = [await inviteAgent(desk), await addGroup(desk), await addMailbox(desk)];
  const { body } = await desk.client().get('/v1/tickets/1/messages');
  const ids = [agent.id, group.id, mailbox.id, body.messages[0].id, other.owner.id, other.mailbox.id];
  return [...customers, agent.email, desk.account.owner.email, mailbox.email, group.name, 'vip', ...ids];
}

interface Outcome {
  /** One example for each way something went wrong. */
  readonly faults: readonly string[];
  readonly carriedOut: number;
}

async function outcomeOf(requests: readonly FuzzRequest[]): Promise<Outcome> {
  const faults = new Map<string, string>();
  let carriedOut = 0;
  const waiting = requests.values();
  const sendOn = async (): Promise<void> => {
    for (const request of waiting)
      try {
        const status = await answerWell(request);
        carriedOut += Number(status < 300);
      } catch (error) {
        const { message } = error as Error;
        faults.set(message.slice(0, 60), `${message.slice(0, 1000)}\n  to ${JSON.stringify(request).slice(0, 1000)}`);
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  return { faults: [...faults.values()], carriedOut };
}

describe('Whatever is sent', () => {
  it('gets an answer below 500, and touches no other account', async () => {
    const seed = randomInt(2 ** 31);
    const requests = fc.sample(fuzzRequests(desk.contract.document, await known()), { numRuns: REQUESTS, seed });
    const before = await accountRowsOf(desk.sql, other.id);

    const { faults, carriedOut } = await outcomeOf(requests);

    expect({ seed, faults }).toEqual({ seed, faults: [] });
    expect(carriedOut).toBeGreaterThan(REQUESTS / 5);
    expect(await accountRowsOf(desk.sql, other.id)).toEqual(before);
  }, 300_000);
});
