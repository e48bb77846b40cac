// @module-tag long
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

/** Each body counts twice in a response: with markup and as plain text. */
const LARGE_CHARACTERS = 300_000;
const LARGE_MESSAGES = 11;
/** The limit of the records on a page, plus some overhead. */
const MAX_ANSWER_CHARACTERS = 2.1 * 1024 * 1024;

/** In the order of creation. */
const ids: string[] = [];
const desk = await startDesk();
const path = `/v1/tickets/${(await startTicket(desk)).number}/messages`;
ids.push((await desk.client().get(path)).body.messages[0].id as string);
for (let count = 0; count < LARGE_MESSAGES; count++) {
  // One small message makes the pages hold different numbers of messages.
  const body = count === 5 ? 'small' : 'a'.repeat(LARGE_CHARACTERS);
  ids.push((await desk.client().post(path, { body })).body.message.id as string);
}
afterAll(() => desk.stop());

interface Walk {
  readonly pages: string[][];
  readonly longest: number;
  readonly last: ApiResponse;
}

async function walk(first: string, next: (answer: ApiResponse) => string | null): Promise<Walk> {
  const pages: string[][] = [];
  let longest = 0;
  for (let from: string | null = first; ;) {
    const last: ApiResponse = await desk.client().get(from);
    const [records] = Object.values(last.body) as [{ id: string }[]];
    pages.push(records.map(({ id }) => id));
    longest = Math.max(longest, last.text.length);
    from = next(last);
    if (from === null) return { pages, longest, last };
  }
}

const pagination = ({ body }: ApiResponse) => body.meta.pagination;
const local = (address: string | null): string | null => address && address.slice(desk.base.length);
const nextPage = (answer: ApiResponse) => local(pagination(answer).next_page);

describe('a page of large messages', () => {
  it('ends at the size limit, and the next one continues from there', async () => {
    const { pages, longest } = await walk(`${path}?per_page=50`, nextPage);

    expect(pages.flat()).toEqual(ids);
    expect(longest).toBeLessThan(MAX_ANSWER_CHARACTERS);
    expect(pages.length).toBeLessThanOrEqual(7);
  });

  it('ends at the same place for a client that counts pages', async () => {
    const { total_pages: totalPages } = pagination(await desk.client().get(`${path}?per_page=50`));
    const { pages } = await walk(`${path}?per_page=50&page=1`, ({ body }) => {
      const { current_page: page } = body.meta.pagination as { current_page: number };
      return page < totalPages ? `${path}?per_page=50&page=${page + 1}` : null;
    });

    expect(pages.flat()).toEqual(ids);
    expect((await desk.client().get(`${path}?per_page=50&page=${totalPages + 1}`)).body.messages).toEqual([]);
  });

  it('ends at the size limit for a client that pages backwards', async () => {
    const { last } = await walk(`${path}?per_page=50`, nextPage);
    const end = last.body.messages.map(({ id }: { id: string }) => id) as string[];
    const { pages, longest } = await walk(local(pagination(last).prev_page)!, (answer) =>
      local(pagination(answer).prev_page),
    );

    expect([...pages.toReversed().flat(), ...end]).toEqual(ids);
    expect(longest).toBeLessThan(MAX_ANSWER_CHARACTERS);
  });
});

it('limits a page of events with large messages', async () => {
  const messages = ids.slice(1);
  await eventually(async () => {
    const { pages, longest } = await walk('/v1/events?per_page=50&event=agent_replied', nextPage);
    expect(longest).toBeLessThan(MAX_ANSWER_CHARACTERS);
    return new Set(pages.flat()).size === pages.flat().length && pages.flat().length === messages.length;
  });
});
