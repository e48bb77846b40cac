import { Database } from '#libs/database';
import { afterAll, describe, expect, it } from 'vitest';
import { newAccount } from '#test/support/account-desk.js';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { Mirror } from '#test/support/mirror.js';
import { seedAgent } from '#test/support/seed.js';

const PER_AGENT = 3;
const PER_ACCOUNT = 6;
const WAIT = 30;

const limits = { LIVE_STREAMS_PER_AGENT: `${PER_AGENT}`, LIVE_STREAMS_PER_ACCOUNT: `${PER_ACCOUNT}` };
const desk = await startDesk({ settings: limits });
afterAll(() => desk.stop());

/** Creates an account whose agents have read every change. */
async function account(agents = 1) {
  const here = await newAccount(desk);
  const { id, owner } = here.account;
  const others = await Promise.all(Array.from({ length: agents - 1 }, () => seedAgent(desk.sql, id, {})));
  const tokens = [owner.token, ...others.map(({ token }) => token)];
  const mirror = new Mirror(here.client());
  await mirror.catchUp(desk.sql);
  const path = `/v1/changes?wait=${WAIT}&cursor=${mirror.cursor}`;
  const wait = (agent = 0) => {
    const asked = { answered: false, left: new AbortController() };
    const answer = fetch(new URL(path, desk.base), {
      headers: { authorization: `Bearer ${tokens[agent]}` },
      signal: asked.left.signal,
    }).finally(() => (asked.answered = true));
    // The test aborts some requests before their response.
    answer.catch(() => undefined);
    return Object.assign(asked, { answer });
  };
  return { id, client: here.client(), change: () => startTicket(here), wait };
}

const refusals = async (): Promise<number> => {
  const text = await (await fetch(new URL('/metrics', desk.base))).text();
  return Number(/deskwire_http_refused_total\{reason="waiting_requests"\} (\d+)/.exec(text)?.[1]);
};

/** Counts the connections that are acquired from the pool. */
function questions() {
  let count = 0;
  const pool = desk.api.get(Database).pool();
  const add = () => (count += 1);
  pool.on('acquire', add);
  return { end: () => (pool.off('acquire', add), count) };
}

describe('a request that waits for changes', () => {
  it('returns when its own account changes, and not for another account', async () => {
    const { change, wait } = await account();
    const other = await account();
    const asked = wait();
    const elsewhere = other.wait();
    await change();

    const { changes } = (await (await asked.answer).json()) as { changes: { type: string }[] };
    expect(changes.map(({ type }) => type)).toContain('customer');
    expect(elsewhere.answered).toBe(false);
    elsewhere.left.abort();
    await expect(elsewhere.answer).rejects.toThrow('aborted');
  });

  it('returns at once when something has already changed', async () => {
    const { change, wait } = await account();
    await change();

    expect((await wait().answer).status).toBe(200);
  });

  it('returns no change when its time is up', async () => {
    const { client } = await account();
    const mirror = new Mirror(client);
    await mirror.catchUp(desk.sql);
    const before = mirror.cursor;

    expect(await mirror.follow(1)).toBe(true);
    expect(mirror.cursor).toBe(before);
  });

  it('ends the oldest of its agent for a newer one, and frees the place of one that disconnects', async () => {
    const { wait } = await account(3);
    const before = await refusals();
    const own: ReturnType<typeof wait>[] = [];
    // Opens one after the other, so that the first is the oldest.
    while (own.length < PER_AGENT) {
      own.push(wait());
      await eventually(async () => (await seated()) === own.length);
    }
    const newest = wait();

    expect((await own[0]!.answer).status).toBe(200);
    expect(await refusals()).toBe(before + 1);
    const others = Array.from({ length: PER_AGENT }, () => wait(1));
    await eventually(async () => (await seated()) === PER_ACCOUNT);
    const [first] = own.slice(1);
    first!.left.abort();
    await eventually(async () => (await seated()) === PER_ACCOUNT - 1);
    const late = wait(2);
    await eventually(async () => (await seated()) === PER_ACCOUNT);

    for (const each of [...own.slice(2), newest, ...others, late]) {
      expect(each.answered).toBe(false);
      each.left.abort();
    }
    await eventually(async () => (await seated()) === 0);
  });

  it('costs the database no more than one, when five wait for the same changes', async () => {
    const { change, wait } = await account(2);
    const asked = [wait(), wait(), wait(1), wait(1), wait(1)];
    await eventually(async () => (await seated()) === asked.length);
    const other = await account();
    const counting = questions();
    // A change in another account wakes all waiting requests.
    for (let count = 0; count < 5; count++) await other.change();
    const asked5 = counting.end();
    for (const each of asked) expect(each.answered).toBe(false);
    expect(asked5).toBeLessThan(5 * 5 * asked.length);
    await change();
    for (const each of asked) expect((await each.answer).status).toBe(200);
  });
});

/** The number of waiting requests in this process. */
async function seated(): Promise<number> {
  const { LongPollsService } = await import('../../../apps/api/src/layers/live/long-polls.service.js');
  return desk.api.get(LongPollsService, { strict: false }).waiting;
}
