import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { type Page } from '../../oauth/support/person.js';
import { ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
afterAll(() => oauth.stop());

const client = () => oauth.desk.client();
const ticket = async (number: number) => (await client().get(`/v1/tickets/${number}`)).body.ticket;
const put = (number: number, part: string, body: object) => client().put(`/v1/tickets/${number}/${part}`, body);

const UNESCAPED: Readonly<Record<string, string>> = { '&quot;': '"', '&amp;': '&', '&lt;': '<', '&gt;': '>' };

const toastIn = ({ html }: Page): string =>
  /id="toasts".*?class="notice (?:good|bad)"[^>]*>(?:<div[^>]*>)?(?:<span>)?([^<]*)/s.exec(html)?.[1] ?? 'no toast';

const toastOf = async (done: Page): Promise<string> => toastIn(await owner.get(done.location!));

/** Submits the undo form of the toast after an action, and returns the text of the next toast. */
const undo = async (done: Page): Promise<string> => undoOn(await owner.get(done.location!));

async function undoOn({ html }: Page): Promise<string> {
  const form = /action="\/tickets\/undo".*?<\/form>/s.exec(html)![0];
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!.replaceAll(/&\w+;/g, (entity) => UNESCAPED[entity] ?? entity),
  ]);
  return toastOf(await owner.post('/tickets/undo', Object.fromEntries(fields) as Record<string, string>));
}

describe('undo', () => {
  it.each([
    ['state', { state: 'closed' }, { state: 'spam' }, 'state'],
    ['priority', { priority: 'urgent' }, { priority: 'low' }, 'priority'],
    ['title', { title: 'Mine' }, { title: 'Theirs' }, 'subject'],
  ])('keeps a later change of the %s, and reports it', async (part, mine, theirs, word) => {
    const number = await ticketFromAna(oauth.desk);
    const done = await owner.act(`/tickets/${number}/${part}`, mine);
    await put(number, part, theirs);

    expect(await undo(done)).toBe(`Not undone. Skipped because of later changes: #${number} (${word}).`);
    expect(await ticket(number)).toMatchObject(theirs);
  });

  it('wakes a ticket that was snoozed, and snoozes one again that was woken', async () => {
    const number = await ticketFromAna(oauth.desk);
    const until = '2050-05-01T09:00:00.000Z';
    const snoozed = await owner.act(`/tickets/${number}/snooze`, { until: '2050-05-01T09:00' });
    expect(await toastOf(snoozed)).toBe(`#${number} snoozed until 09:00 on 1 May 2050.`);
    const reverted = await owner.act(`/tickets/${number}/snooze`, { until: '2050-05-01T09:00' });
    expect(await toastOf(reverted)).toBe('no toast');
    const woken = await owner.act(`/tickets/${number}/wake`);
    expect(await undo(woken)).toBe(`Change to #${number} undone.`);
    expect((await ticket(number)).snoozed_until).toBe(until);
    const closed = await owner.act(`/tickets/${number}/state`, { state: 'closed' });
    await undo(closed);

    expect(await ticket(number)).toMatchObject({ state: 'unread', snoozed_until: until });
  });

  it('ends the snooze of several tickets, and keeps one that was changed since', async () => {
    const numbers = [await ticketFromAna(oauth.desk), await ticketFromAna(oauth.desk)] as const;
    const [one, two] = numbers;
    const fields = { do: 'snooze', until: 'tomorrow', tickets: numbers.join(','), back: 'folder=open' };
    const shown = await owner.get((await owner.act('/tickets/bulk', fields)).location!);
    await put(two, 'snoozed_until', { snoozed_until: '2050-05-01T09:00:00Z' });

    expect(toastIn(shown)).toMatch(/^2 tickets snoozed until 09:00 on /);
    expect(await undoOn(shown)).toBe(`Undone. Skipped because of later changes: #${two} (snooze).`);
    expect((await ticket(one)).snoozed_until).toBeNull();
    expect((await ticket(two)).snoozed_until).not.toBeNull();
  });

  it('removes the tags that the action added, and keeps those that others added', async () => {
    const number = await ticketFromAna(oauth.desk, { tags: ['old'] });
    const done = await owner.act(`/tickets/${number}/tag`, { tags: 'mine' });
    await client().post(`/v1/tickets/${number}/tags`, { tags: ['theirs'] });

    expect(await undo(done)).toBe(`Change to #${number} undone.`);
    expect((await ticket(number)).tags).toEqual(['old', 'theirs']);
  });

  it('reports that the ticket was already restored', async () => {
    const number = await ticketFromAna(oauth.desk);
    const done = await owner.act(`/tickets/${number}/delete`, {});
    await client().post(`/v1/tickets/${number}/restore`);

    expect(await undo(done)).toContain(`#${number} (restored already)`);
  });

  it('reverts a bulk action, and skips the tickets that others changed since', async () => {
    const numbers: number[] = [];
    for (let count = 0; count < 60; count++) numbers.push(await ticketFromAna(oauth.desk));
    await put(numbers[0]!, 'state', { state: 'closed' });
    const done = await owner.act('/tickets/bulk', { do: 'close', tickets: numbers.join(','), back: 'folder=open' });
    await client().post(`/v1/tickets/${numbers[1]}/messages`, { body: 'Still broken', author: 'ana@client.example' });

    expect(await undo(done)).toBe(`Undone. Skipped because of later changes: #${numbers[1]} (state).`);
    const { rows } = await oauth.desk.sql.query<{ number: number; state: string }>(
      'select number, state from tickets where number = any($1) order by number',
      [numbers],
    );
    expect(rows[0]).toEqual({ number: numbers[0], state: 'closed' });
    expect(new Set(rows.slice(1).map(({ state }) => state))).toEqual(new Set(['unread']));
  });
});

describe('a snooze in the console', () => {
  it.each([
    ['closed', 'closed'],
    ['spam', 'spam'],
  ])('is refused for a ticket that is %s', async (state, word) => {
    const [open, done] = [await ticketFromAna(oauth.desk), await ticketFromAna(oauth.desk)];
    await put(done, 'state', { state });
    const one = await owner.act(`/tickets/${done}/snooze`, { until: 'tomorrow' });
    const both = await owner.act('/tickets/bulk', { do: 'snooze', until: 'tomorrow', tickets: `${open},${done}` });

    const reason = `The ticket is ${word}. Reopen it before you snooze it.`;
    expect([one.status, one.html]).toEqual([422, expect.stringContaining(reason)]);
    expect(await toastOf(both)).toMatch(new RegExp(`^#${open} snoozed until .*\\. #${done}: ${reason}$`));
    expect((await ticket(done)).snoozed_until).toBeNull();
  });
});

describe('an action that changes nothing', () => {
  it('shows no toast, and offers no undo', async () => {
    const number = await ticketFromAna(oauth.desk, { assignee: oauth.desk.account.owner.email });
    const fields = { assignee: oauth.desk.account.owner.email, assigned_group: 'none' };
    const shown = await owner.get((await owner.act(`/tickets/${number}/assign`, fields)).location!);

    expect(toastIn(shown)).toBe('no toast');
    expect(shown.html).not.toContain('action="/tickets/undo"');
  });
});

/** The fields of the buttons at merges in the thread. */
const undosIn = ({ html }: Page) =>
  [...html.matchAll(/name="kept" value="([^"]+)"\/?><input[^>]*name="merged" value="(\d+)"/g)].map(
    ([, kept, merged]) => ({ kept: kept!, merged: merged! }),
  );

const bodiesOf = async (number: number): Promise<string[]> =>
  (await client().get(`/v1/tickets/${number}/messages`)).body.messages.map(({ body }: { body: string }) => body);

describe('a merge in a thread', () => {
  it('is undone alone, by its agent, within an hour', async () => {
    const kept = await ticketFromAna(oauth.desk, { body: 'First.' });
    const gone = await ticketFromAna(oauth.desk, { body: 'Second.' });
    const third = await ticketFromAna(oauth.desk, { body: 'Third.' });
    const merge = { do: 'merge', tickets: [kept, gone, third].join(), into: String(kept) };
    await owner.act('/tickets/bulk', merge);
    const shown = async (person = owner) => undosIn(await person.get(`/tickets/${kept}`));
    expect(await shown(await oauth.colleague('agent'))).toEqual([]);
    const [first, ...others] = await shown();
    expect(others).toHaveLength(1);

    expect((await owner.act('/tickets/undo', { ...first, merged: String(kept) })).status).toBe(404);
    await owner.act('/tickets/undo', { ...first });
    expect([await bodiesOf(kept), await bodiesOf(gone)]).toEqual([['First.', 'Third.'], ['Second.']]);
    expect(await shown()).toEqual(others);
    oauth.desk.clock.advance({ minutes: 61 });
    expect(await shown()).toEqual([]);
  });

  it('is undone after an earlier one of the ticket was undone', async () => {
    const kept = await ticketFromAna(oauth.desk, { body: 'First.' });
    const gone = await ticketFromAna(oauth.desk, { body: 'Second.' });
    const other = await ticketFromAna(oauth.desk, { body: 'Third.' });
    const mergeInto = (into: number) =>
      owner.act('/tickets/bulk', { do: 'merge', tickets: [into, gone].join(), into: String(into) });
    for (const into of [other, kept, kept]) {
      await mergeInto(into);
      const [shown, ...others] = undosIn(await owner.get(`/tickets/${into}`));
      expect(others).toEqual([]);
      await owner.act('/tickets/undo', { ...shown });
      expect(await bodiesOf(gone)).toEqual(['Second.']);
    }
  });
});
