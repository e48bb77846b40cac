import { ScheduledRepliesService } from '#libs/tickets';
import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { type Page } from '../../oauth/support/person.js';
import { newEmail, startTicket, twoTickets } from '#test/support/desk-records.js';
import { walkValues } from '#test/support/pages.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
afterAll(() => oauth.stop());

const { desk } = oauth;
const client = () => desk.client();
const held = desk.api.get(ScheduledRepliesService);
const context = {
  accountId: desk.account.id,
  agentId: desk.account.owner.id,
  role: 'owner',
  requestId: null,
  applicationId: null,
} as const;

const bodiesOf = (number: number): Promise<string[]> =>
  walkValues(client(), `/v1/tickets/${number}/messages?per_page=20`, 'body');
const read = async (number: number) => (await client().get(`/v1/tickets/${number}`)).body.ticket;
const say = (number: number, body: string) => client().post(`/v1/tickets/${number}/messages`, { body });
const toastIn = ({ html }: Page): string =>
  /id="toasts".*?class="notice \w+"[^>]*>(?:<div[^>]*>)?(?:<span>)?([^<]*)/s.exec(html)?.[1] ?? '';
const textOf = ({ html }: Page): string => /<textarea[^>]*id="body"[^>]*>\n?([^<]*)/.exec(html)?.[1] ?? 'no composer';
const isNoteIn = ({ html }: Page): boolean => /value="note"[^>]*checked|checked[^>]*value="note"/.test(html);

type Ticket = Readonly<Record<'updated_at' | 'closed_at' | 'resolution_time', unknown>>;

const ofNow = ({ updated_at, closed_at, resolution_time }: Ticket) => ({ updated_at, closed_at, resolution_time });

const merge = (numbers: readonly number[], into: number) =>
  owner.act('/tickets/bulk', { do: 'merge', tickets: numbers.join(), into: String(into), back: 'folder=open' });

const undo = async (done: Page): Promise<string> => undoOn(await owner.get(done.location!));

async function undoOn(page: Page): Promise<string> {
  const [, kept] = /name="kept" value="([^"]+)"/.exec(page.html)!;
  return toastIn(await owner.get((await owner.act('/tickets/undo', { kept: kept!, back: 'folder=open' })).location!));
}

describe('a merge in the console', () => {
  it('opens the ticket that stays, where the thread names the other one', async () => {
    const { kept, gone } = await twoTickets(desk);
    const page = await owner.get((await merge([gone, kept], kept)).location!);

    expect(toastIn(page)).toBe(`#${gone} merged into #${kept}.`);
    expect(page.html).toContain(`merged #${gone} into this ticket`);
  });

  it('is undone with tags, state, copies and times', async () => {
    const { kept, gone } = await twoTickets(desk, {
      from: 'ben@client.example',
      tags: ['late'],
      external_id: newEmail(),
    });
    await client().put(`/v1/tickets/${kept}/state`, { state: 'closed' });
    const before = [await read(kept), await read(gone)];
    const said = await undo(await merge([gone, kept], kept));
    const after = [await read(kept), await read(gone)];

    expect(said).toBe('Merge undone.');
    // A ticket that is closed again has a new time.
    expect(after).toEqual(before.map((ticket, place) => ({ ...ticket, ...ofNow(after[place]) })));
    expect([await bodiesOf(kept), await bodiesOf(gone)]).toEqual([['First.'], ['Second.']]);
  });

  it('is undone for the messages that moved, while later ones stay', async () => {
    const { kept, gone } = await twoTickets(desk);
    const merged = await merge([gone, kept], kept);
    await say(kept, 'Later.');

    expect(await undo(merged)).toBe('Merge undone.');
    expect([await bodiesOf(kept), await bodiesOf(gone)]).toEqual([['First.', 'Later.'], ['Second.']]);
    expect([(await read(kept)).message_count, (await read(gone)).message_count]).toEqual([2, 1]);
  });

  it('of three tickets is undone as a whole, also after a second press', async () => {
    const { kept, gone } = await twoTickets(desk);
    const { number } = await startTicket(desk, { body: 'Third.', tags: ['c'] });
    const merged = await merge([gone, kept, number], kept);
    const before = await bodiesOf(kept);
    await undo(merged);
    const again = await undo(merged).catch(() => 'no more');

    expect(before).toEqual(['First.', 'Second.', 'Third.']);
    expect(await Promise.all([kept, gone, number].map(bodiesOf))).toEqual([['First.'], ['Second.'], ['Third.']]);
    expect((await read(kept)).tags).toEqual([]);
    expect(again).toBe('no more');
  });

  it('is undone no more once the ticket that stayed was merged or deleted', async () => {
    const [one, two, last] = [await twoTickets(desk), await twoTickets(desk), await startTicket(desk)];
    const pageOfFirst = await owner.get((await merge([one.gone], one.kept)).location!);
    const pageOfSecond = await owner.get((await merge([two.gone], two.kept)).location!);
    await client().post(`/v1/tickets/${one.kept}/merge`, { into: last.number });
    await client().delete(`/v1/tickets/${two.kept}`);
    const said = async ({ html }: Page) => {
      const [, kept] = /name="kept" value="([^"]+)"/.exec(html)!;
      return toastIn(
        await owner.get((await owner.act('/tickets/undo', { kept: kept!, back: 'folder=open' })).location!),
      );
    };

    expect(await said(pageOfFirst)).toContain(`Ticket #${one.kept} was merged into #${last.number}.`);
    expect(await said(pageOfSecond)).toContain(`#${two.kept} (deleted)`);
    expect(await bodiesOf(last.number)).toContain('Second.');
  });

  it('of a ticket that was merged before leads its number back after the undo', async () => {
    const { kept, gone } = await twoTickets(desk);
    const last = await startTicket(desk);
    await merge([gone], kept);
    const second = await merge([kept], last.number);
    await undo(second);

    expect((await client().get(`/v1/tickets/${gone}`)).headers.get('location')).toBe(`/v1/tickets/${kept}`);
    expect(await bodiesOf(kept)).toEqual(['First.', 'Second.']);
  });
});

describe('the number of a merged ticket in the console', () => {
  it('leads to the other ticket beside the same list, and from the search', async () => {
    const { kept, gone } = await twoTickets(desk);
    await merge([gone], kept);
    const opened = await owner.get(`/tickets/${gone}?folder=mine&sort=waiting`);
    const sought = await owner.get(`/inbox?q=${gone}`);

    expect([opened.status, opened.location]).toEqual([303, `/tickets/${kept}?folder=mine&sort=waiting`]);
    expect(sought.location).toMatch(new RegExp(`^/tickets/${kept}\\?`));
  });

  it.each(['reply', 'note'])('keeps the text of a %s as the draft of the other ticket', async (kind) => {
    const { kept, gone } = await twoTickets(desk);
    await merge([gone], kept);
    const sent = await owner.act(`/tickets/${gone}/messages`, { body: 'Dear Ana', kind, back: 'folder=mine' });
    const page = await owner.get(sent.location!);

    expect(sent.location).toBe(`/tickets/${kept}?folder=mine`);
    expect(toastIn(page)).toBe(`Ticket #${gone} was merged into #${kept}. Your text is below: check it and send it.`);
    expect(textOf(page)).toBe('Dear Ana');
    expect(await bodiesOf(kept)).toHaveLength(2);
  });

  it('does nothing for other forms, and says so', async () => {
    const { kept, gone } = await twoTickets(desk);
    await merge([gone], kept);
    const closed = await owner.act(`/tickets/${gone}/state`, { state: 'closed', back: 'folder=mine' });

    expect(toastIn(await owner.get(closed.location!))).toBe(
      `Ticket #${gone} was merged into #${kept}. Nothing was changed.`,
    );
    expect((await read(kept)).state).toBe('unread');
  });

  it('joins the drafts of an agent, and what a page of the old ticket saves later', async () => {
    const { kept, gone } = await twoTickets(desk);
    await owner.act(`/tickets/${kept}/draft`, { body: 'To the one.', kind: 'reply' });
    await owner.act(`/tickets/${gone}/draft`, { body: 'To the other', kind: 'note' });
    await merge([gone], kept);
    const joined = await owner.get(`/tickets/${kept}`);
    await owner.act(`/tickets/${gone}/draft`, {
      body: 'To the other, later.',
      kind: 'note',
      quiet: 'yes',
      draft_revision: '1',
    });

    expect(textOf(joined)).toBe('To the one.\n\nTo the other');
    expect(isNoteIn(joined)).toBe(true);
    expect(textOf(await owner.get(`/tickets/${kept}`))).toBe('To the one.\n\nTo the other, later.');
  });

  it('undoes a reply that waited before the merge', async () => {
    const { kept, gone } = await twoTickets(desk);
    const { id } = await held.hold(context, gone, { body: 'Wait', afterSending: '' }, 60_000);
    await merge([gone], kept);
    await owner.act(`/tickets/${gone}/replies/${id}/undo`);

    expect(textOf(await owner.get(`/tickets/${kept}`))).toBe('Wait');
  });

  it('sends a waiting reply once, in the ticket that stays', async () => {
    const { kept, gone } = await twoTickets(desk);
    await held.hold(context, gone, { body: 'Soon.', afterSending: '' }, 0);
    await merge([gone], kept);
    await held.sendDue();

    expect(await bodiesOf(kept)).toEqual(['First.', 'Second.', 'Soon.']);
  });

  it('makes a waiting reply a draft again if it would go to another customer', async () => {
    const { kept, gone } = await twoTickets(desk, { from: newEmail('ben') });
    await held.hold(context, gone, { body: 'For Ben.', afterSending: '' }, 0);
    await merge([gone], kept);
    await held.sendDue();

    expect(await bodiesOf(kept)).toEqual(['First.', 'Second.']);
    const page = await owner.get(`/tickets/${kept}`);
    expect(textOf(page)).toBe('For Ben.');
    expect(isNoteIn(page)).toBe(true);
    expect(page.html).toContain(`was not sent: #${gone} was merged into a ticket of another customer`);
  });

  it.each([
    ['of the same customer', false, 'reply'],
    ['of another customer', true, 'note'],
  ])('moves the draft of a reply to a ticket %s, and back with the undo', async (_, isOther, kind) => {
    const { kept, gone } = await twoTickets(desk, isOther ? { from: newEmail('ben') } : {});
    await owner.act(`/tickets/${gone}/draft`, { body: 'Dear Ben', kind: 'reply' });
    const page = await owner.get((await merge([gone], kept)).location!);
    await undoOn(page);

    expect([textOf(page), isNoteIn(page)]).toEqual(['Dear Ben', kind === 'note']);
    expect(textOf(await owner.get(`/tickets/${kept}`))).toBe('');
    expect(textOf(await owner.get(`/tickets/${gone}`))).toBe('Dear Ben');
  });

  it.each(['gone', 'kept'] as const)(
    'makes what a page wrote to another customer a note, saved as a draft of the one %s',
    async (where) => {
      const numbers = await twoTickets(desk, { from: newEmail('ben') });
      const customer = /name="customer" value="([^"]+)"/.exec((await owner.get(`/tickets/${numbers.gone}`)).html)![1]!;
      await merge([numbers.gone], numbers.kept);
      await owner.act(`/tickets/${numbers[where]}/draft`, { body: 'Dear Ben', kind: 'reply', quiet: 'yes', customer });
      const page = await owner.get(`/tickets/${numbers.kept}`);

      expect([textOf(page), isNoteIn(page)]).toEqual(['Dear Ben', true]);
    },
  );

  it.each([0, 30])(
    'refuses a reply that a page wrote to another customer, with an undo of %i seconds',
    async (seconds) => {
      await desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);
      const { kept, gone } = await twoTickets(desk, { from: newEmail('ben') });
      const customer = /name="customer" value="([^"]+)"/.exec((await owner.get(`/tickets/${gone}`)).html)![1]!;
      const page = await owner.act(`/tickets/${kept}/messages`, { body: 'Dear Ben', kind: 'reply', customer });

      expect(page.status).toBe(409);
      expect(page.html).toContain('The customer of this ticket is now ');
      expect(textOf(page)).toBe('Dear Ben');
      expect(await bodiesOf(kept)).toEqual(['First.']);
    },
  );

  it('makes joined drafts a note if the customers differ, and leaves them after the undo', async () => {
    const { kept, gone } = await twoTickets(desk, { from: newEmail('ben') });
    await owner.act(`/tickets/${kept}/draft`, { body: 'Dear Ann', kind: 'reply' });
    await owner.act(`/tickets/${gone}/draft`, { body: 'Dear Ben', kind: 'reply' });
    await undo(await merge([gone], kept));
    const page = await owner.get(`/tickets/${kept}`);

    expect([textOf(page), isNoteIn(page)]).toEqual(['Dear Ann\n\nDear Ben', true]);
  });
});
