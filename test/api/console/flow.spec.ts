import { ScheduledRepliesService } from '#libs/tickets';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
beforeEach(() => undoSeconds(0));
afterAll(() => oauth.stop());

const undoSeconds = (seconds: number) => oauth.desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);
const prefer = (fields: Record<string, string>) => owner.act('/profile/preferences', { shortcuts: 'on', ...fields });
const ticket = async (number: number) => (await oauth.desk.client().get(`/v1/tickets/${number}`)).body.ticket;
const assigneeOf = async (number: number): Promise<string | undefined> =>
  (await ticket(number)).links.assignee?.href.split('/').at(-1);

/** Sends the composer with its hidden field, if it has one. */
async function send(number: number, kind: 'reply' | 'note'): Promise<void> {
  const { html } = await owner.get(`/tickets/${number}`);
  const take = /name="take" value="([^"]+)"/.exec(html)?.[1];
  await owner.act(`/tickets/${number}/messages`, { kind, body: 'Hello', ...(take && { take }) });
}

describe('a reply of an agent who takes tickets by replying', () => {
  it('assigns an unassigned ticket in its own transaction', async () => {
    await prefer({ take: 'on' });
    const number = await ticketFromAna(oauth.desk);
    await send(number, 'reply');

    expect(await assigneeOf(number)).toBe(oauth.desk.account.owner.email);
    const { rows } = await oauth.desk.sql.query(
      `select t.xmin = m.xmin as together from tickets t join messages m on m.ticket_id = t.id
       where t.number = $1 and m.author_agent_id is not null`,
      [number],
    );
    expect(rows).toEqual([{ together: true }]);
  });

  it('leaves a ticket that a colleague has taken before it is sent', async () => {
    await prefer({ take: 'on' });
    await undoSeconds(10);
    const number = await ticketFromAna(oauth.desk);
    const noah = await seedAgent(oauth.desk.sql, oauth.desk.account.id);
    await send(number, 'reply');
    await oauth.desk.client().put(`/v1/tickets/${number}/assignee`, { assignee: noah.email });
    oauth.desk.clock.advance({ minutes: 1 });
    await oauth.desk.api.get(ScheduledRepliesService).sendDue();

    expect(await assigneeOf(number)).toBe(noah.email);
    expect((await ticket(number)).message_count).toBe(2);
  });

  it.each([
    ['is a note', 'note', { take: 'on' }],
    ['is sent without the preference', 'reply', {}],
  ] as const)('assigns nothing if it %s', async (_, kind, preferences) => {
    await prefer(preferences);
    const number = await ticketFromAna(oauth.desk);
    await send(number, kind);

    expect(await assigneeOf(number)).toBeUndefined();
  });
});

describe('closing a ticket', () => {
  it.each([
    ['opens the next ticket if the agent prefers it', { closing: 'next' }, true],
    ['stays on the ticket by default', {}, false],
  ])('%s', async (_, preferences, opensNext) => {
    await prefer(preferences);
    const [older, newer] = [await ticketFromAna(oauth.desk), await ticketFromAna(oauth.desk)];
    const { html } = await owner.get(`/tickets/${newer}?folder=open`);
    const form = /action="\/tickets\/\d+\/state"[^>]*>((?:<input[^>]*>)*)<button[^>]*primary/.exec(html)![1]!;
    const next = /name="next" value="(\d+)"/.exec(form)?.[1];
    const done = await owner.act(`/tickets/${newer}/state`, {
      state: 'closed',
      back: 'folder=open',
      ...(next && { next }),
    });

    expect(done.location).toContain(`/tickets/${opensNext ? older : newer}?folder=open`);
    expect((await ticket(newer)).state).toBe('closed');
  });

  it('returns to the list after the last ticket', async () => {
    const number = await ticketFromAna(oauth.desk);
    const form = { state: 'closed', back: 'folder=open', next: '0' };
    expect((await owner.act(`/tickets/${number}/state`, form)).location).toBe('/inbox?folder=open');
  });
});
