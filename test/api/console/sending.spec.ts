import { ScheduledRepliesService, formatSeen } from '#libs/tickets';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { type Page } from '../../oauth/support/person.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const held = oauth.desk.api.get(ScheduledRepliesService);
beforeEach(async () => {
  await undoSeconds(0);
  await sql('delete from held_replies');
});
afterAll(() => oauth.stop());

const sql = async (text: string, values: unknown[] = []) =>
  (await oauth.desk.sql.query<Record<string, unknown>>(text, values)).rows;
const undoSeconds = (seconds: number) => sql('update accounts set undo_send_seconds = $1', [seconds]);

const seenOn = (page: Page): string => /name="seen" value="([^"]+)"/.exec(page.html)![1]!;

const send = (number: number, fields: Record<string, string>): Promise<Page> =>
  owner.act(`/tickets/${number}/messages`, { kind: 'reply', ...fields });

const bodiesOf = async (number: number): Promise<string[]> => {
  const { messages } = (await oauth.desk.client().get(`/v1/tickets/${number}/messages`)).body;
  return messages.map(({ body }: { body: string }) => body);
};

const contextOf = (agentId = oauth.desk.account.owner.id) =>
  ({ accountId: oauth.desk.account.id, agentId, role: 'agent', applicationId: null, requestId: null }) as const;

const NOTHING_ELSE = { afterSending: '', seen: undefined, draft: undefined, received: [] };

const hold = (number: number, body: string, delayMs = 0, agentId?: string) =>
  held.hold(contextOf(agentId), number, { ...NOTHING_ELSE, body }, delayMs);

/** A reply that is due at once may be sent by the server before the page is read. */
async function sendHeld(): Promise<void> {
  oauth.desk.clock.advance({ minutes: 1 });
  await held.sendDue();
}

const ticketAndColleague = async () => ({
  number: await ticketFromAna(oauth.desk),
  noah: await seedAgent(oauth.desk.sql, oauth.desk.account.id),
});

describe('a reply that closes its ticket', () => {
  it.each(['at once', 'after it waited'])('closes it in its own transaction, %s', async (when) => {
    const number = await ticketFromAna(oauth.desk);
    if (when === 'at once') await send(number, { body: 'Solved.', then_state: 'closed' });
    else {
      await held.hold(contextOf(), number, { ...NOTHING_ELSE, thenChange: { state: 'closed' }, body: 'Solved.' }, 0);
      await held.sendDue();
    }

    const rows = await sql(
      `select t.state, t.xmin = m.xmin as together, t.message_count as count,
         (select jsonb_agg(e.kind order by e.sequence) from events e join activities a on a.id = e.id
          where a.ticket_id = t.id) as kinds
       from tickets t join messages m on m.ticket_id = t.id and m.author_agent_id is not null where t.number = $1`,
      [number],
    );
    const kinds = ['ticket_started', 'agent_replied', 'ticket_opened', 'ticket_closed'];
    expect(rows).toEqual([{ state: 'closed', together: true, count: 2, kinds }]);
  });
});

describe('a reply to a page', () => {
  it('returns 409 when a customer wrote while a waiting reply was undone', async () => {
    const { number, noah } = await ticketAndColleague();
    const { id } = await hold(number, 'From Noah.', 60_000, noah.id);
    const seen = seenOn(await owner.get(`/tickets/${number}`));
    await held.undo(contextOf(noah.id), id);
    await oauth.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Wait!', author: 'ana@client.example' });

    expect((await send(number, { body: 'Too quick.', seen })).status).toBe(409);
    expect(await bodiesOf(number)).toEqual(['Hello', 'Wait!']);
  });

  it('returns 409 when another reply waits in place of the one on the page', async () => {
    const number = await ticketFromAna(oauth.desk);
    const { id } = await hold(number, 'First.', 60_000);
    const seen = seenOn(await owner.get(`/tickets/${number}`));
    await held.undo(contextOf(), id);
    await hold(number, 'Second.', 60_000);

    expect((await send(number, { body: 'Too quick.', seen })).status).toBe(409);
  });

  it('goes out when the waiting reply on the page has become a message', async () => {
    const number = await ticketFromAna(oauth.desk);
    await hold(number, 'First.', 60_000);
    const seen = seenOn(await owner.get(`/tickets/${number}`));
    await sendHeld();

    expect((await send(number, { body: 'Second.', seen })).status).toBe(303);
    expect((await bodiesOf(number)).toSorted()).toEqual(['First.', 'Hello', 'Second.']);
  });

  it('returns 409 once after a colleague’s waiting reply has become a message, and then goes out', async () => {
    const { number, noah } = await ticketAndColleague();
    await hold(number, 'From Noah.', 60_000, noah.id);
    const first = await send(number, { body: 'Mine.', seen: seenOn(await owner.get(`/tickets/${number}`)) });
    expect(first.status).toBe(409);
    await sendHeld();

    const second = await send(number, { body: 'Mine.', seen: seenOn(first) });
    expect(second.status).toBe(409);
    expect(await bodiesOf(number)).toHaveLength(2);
    expect((await send(number, { body: 'Mine.', seen: seenOn(second) })).status).toBe(303);
    expect((await bodiesOf(number)).toSorted()).toEqual(['From Noah.', 'Hello', 'Mine.']);
  });

  it('returns 409 once for a page with another `seen` format', async () => {
    const number = await ticketFromAna(oauth.desk);
    expect((await send(number, { body: 'Hi.', seen: 'x' })).status).toBe(409);
    expect((await send(number, { body: 'Hi.', seen: formatSeen({ messages: 1, held: [] }) })).status).toBe(303);
  });

  it.each(['/tickets/:number', '/tickets/new'])('has all its fields before its files: %s', async (path) => {
    const number = await ticketFromAna(oauth.desk);
    const { html } = await owner.get(path.replace(':number', String(number)));
    const form = html.slice(html.indexOf('enctype="multipart/form-data"'));
    const behind = form.slice(form.indexOf('type="file"'), form.indexOf('</form>'));

    expect(behind.match(/<(input|select|textarea)\b[^>]*\bname=/g)).toBeNull();
  });
});

describe('a reply that waits', () => {
  it('goes out in the order of writing, with several senders and any due times', async () => {
    const number = await ticketFromAna(oauth.desk);
    const texts = Array.from({ length: 6 }, (_, place) => `Reply ${place}.`);
    for (const [place, body] of texts.entries()) {
      oauth.desk.clock.advance({ seconds: 1 });
      await hold(number, body, (texts.length - place) * 2000);
    }
    await held.sendDue();
    expect(await bodiesOf(number)).toEqual(['Hello']);
    oauth.desk.clock.advance({ minutes: 1 });
    await Promise.all([held.sendDue(), held.sendDue(), held.sendDue()]);

    const sent = await sql(
      `select m.body from activities x join messages m on m.id = (x.detail->>'message')::uuid
       join tickets t on t.id = x.ticket_id where t.number = $1 and x.kind = 'agent_replied' order by x.id`,
      [number],
    );
    expect(sent.length === 0 ? [] : sent.map(({ body }) => body)).toEqual(texts);
  });

  it('appears before it is due, with the time that is left', async () => {
    const number = await ticketFromAna(oauth.desk);
    await hold(number, 'Soon.', 20_000);

    expect(await held.sendDue(10_000)).toEqual({ errors: [], nextInMs: 10_000 });
    const { nextInMs } = await held.sendDue(30_000);
    expect(nextInMs).toBeGreaterThan(10_000);
    expect(nextInMs).toBeLessThanOrEqual(20_000);
    expect(await bodiesOf(number)).toEqual(['Hello']);
  });

  it('goes out at once when its agent is archived', async () => {
    const { number, noah } = await ticketAndColleague();
    await hold(number, 'Goodbye.', 600_000, noah.id);
    expect((await oauth.desk.client().post(`/v1/agents/${noah.id}/archive`)).status).toBe(200);
    await held.sendDue();

    expect(await bodiesOf(number)).toEqual(['Hello', 'Goodbye.']);
  });

  it('stays with a deleted ticket, and is sent when the ticket is restored', async () => {
    const { number, noah } = await ticketAndColleague();
    await hold(number, 'Never lost.', 600_000, noah.id);
    await oauth.desk.client().delete(`/v1/tickets/${number}`);
    await oauth.desk.client().post(`/v1/agents/${noah.id}/archive`);
    await held.sendDue();
    expect((await owner.get(`/tickets/${number}`)).html).toContain('Never lost.');

    await oauth.desk.client().post(`/v1/tickets/${number}/restore`);
    oauth.desk.clock.advance({ hours: 2 });
    await held.sendDue();
    expect(await bodiesOf(number)).toEqual(['Hello', 'Never lost.']);
  });
});
