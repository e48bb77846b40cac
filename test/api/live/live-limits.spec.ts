// @module-tag long
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { Database } from '#libs/database';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ListeningPage, sessionCookie } from '#test/support/live-stream.js';
import { seedAgent } from '#test/support/seed.js';

const PER_AGENT = 10;
const CHANGES = 10;

const opened: ListeningPage[] = [];
const desk = await startDesk({ settings: { LIVE_STREAMS_PER_ACCOUNT: '100' } });
afterEach(() => {
  for (const page of opened.splice(0)) page.leave();
});
afterAll(() => desk.stop());

async function listen(agentId?: string, seen?: string): Promise<ListeningPage> {
  const page = await ListeningPage.open(desk, { watch: 'tickets', agentId, seen });
  opened.push(page);
  return page;
}

const many = (count: number, agentId?: string): Promise<ListeningPage[]> =>
  Promise.all(Array.from({ length: count }, () => listen(agentId)));

const agents = async (count: number): Promise<string[]> => {
  const seeded = Array.from({ length: count }, () => seedAgent(desk.sql, desk.account.id, {}));
  return (await Promise.all(seeded)).map(({ id }) => id);
};

/** Makes changes one after the other, waits until each is reported, and counts the database connections acquired. */
async function questionsOfChanges(page: ListeningPage): Promise<number> {
  const { number } = await startTicket(desk);
  await eventually(() => page.changes > 0);
  let questions = 0;
  const count = (): unknown => (questions += 1);
  const pool = desk.api.get(Database).pool().on('acquire', count);
  for (let change = 1; change <= CHANGES; change++) {
    const before = page.changes;
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: `Answer ${change}` });
    await eventually(() => page.changes > before);
  }
  pool.off('acquire', count);
  return questions;
}

describe('the live streams', () => {
  it('cost the database as much for a hundred pages as for one', async () => {
    const one = await questionsOfChanges(await listen());
    const all = await Promise.all((await agents(9)).map((agent) => many(PER_AGENT, agent)));
    const hundred = await questionsOfChanges(all[8]![0]!);

    expect(opened).toHaveLength(91);
    expect(hundred).toBeLessThan(2 * one);
    await eventually(() => opened.every((page) => page.changes > CHANGES / 2));
  });

  it('number ten per agent at most, and the oldest end with a reason', async () => {
    const [agent] = await agents(1);
    const pages = await many(3 * PER_AGENT, agent);
    await eventually(() => pages.filter(({ isOpen }) => isOpen).length === PER_AGENT);
    const ended = pages.filter(({ isOpen }) => !isOpen);

    expect(ended.every(({ heard }) => heard.endsWith('event: replaced\ndata: another page\n\n'))).toBe(true);

    await startTicket(desk);
    await eventually(() => pages.filter(({ changes }) => changes > 0).length >= PER_AGENT);
  });

  it('free their places when they end', async () => {
    const [agent] = await agents(1);
    const first = await listen(agent);
    const others = await many(PER_AGENT - 1, agent);
    others[0]!.leave();
    await eventually(() => !others[0]!.isOpen);
    await eventually(async () => {
      const next = await listen(agent);
      next.leave();
      return first.isOpen;
    });
    await startTicket(desk);

    expect(await eventually(() => first.changes > 0)).toBe(true);
  });

  it('have a limit per account: the agent with most loses one, and with one each the next is refused', async () => {
    const everyone = await agents(101);
    const greedy = await many(2, everyone[0]);
    await Promise.all(everyone.slice(1, 99).map((agent) => listen(agent)));
    expect(await listen(everyone[99])).toMatchObject({ status: 200 });
    await eventually(() => greedy.filter(({ isOpen }) => isOpen).length === 1);

    expect(await listen(everyone[100])).toMatchObject({ status: 429 });
  });
});

/** Returns the version of a page as it was rendered. */
async function drawn(path: string): Promise<string> {
  const page = await fetch(`${desk.base}${path}`, { headers: { cookie: await sessionCookie(desk) } });
  const version = /data-version="([^"]+)"/.exec(await page.text())?.[1];
  expect(page.headers.get('deskwire-version')).toBe(version);
  return version!;
}

describe('a change between the rendering of a page and its stream', () => {
  it('reaches the page when the stream opens', async () => {
    const seen = await drawn('/inbox');
    await startTicket(desk);
    const page = await listen(undefined, seen);

    expect(await eventually(() => page.changes > 0)).toBe(true);
  });

  it('reaches the page when other streams are already open', async () => {
    const other = await listen();
    const seen = await drawn('/inbox');
    await startTicket(desk);
    await eventually(() => other.changes > 0);
    const page = await listen(undefined, seen);

    expect(await eventually(() => page.changes > 0)).toBe(true);
  });

  it('reaches the page once, with the version of the page', async () => {
    const page = await listen(undefined, await drawn('/inbox'));
    await startTicket(desk);
    await eventually(() => page.changes > 0);
    const [, told] = /^id: ([\w-]+)$/m.exec(page.heard)!;

    expect(page.changes).toBe(1);
    expect(await drawn('/inbox')).toBe(told);
  });
});
