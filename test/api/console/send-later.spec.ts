import { ScheduledRepliesService } from '#libs/tickets';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Page, Person } from '../../oauth/support/person.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

const oauth = await OAuthDesk.start();
let owner: Person;
const scheduled = oauth.desk.api.get(ScheduledRepliesService);
beforeEach(async () => {
  // Sessions end in the days that pass here.
  owner = await oauth.person();
  await sql('delete from held_replies; delete from drafts; update accounts set undo_send_seconds = 0');
});
afterAll(() => oauth.stop());

const sql = async (text: string, values?: unknown[]) =>
  (await oauth.desk.sql.query<Record<string, unknown>>(text, values)).rows;

const schedule = (number: number, sendAt: string, fields: Record<string, string> = {}): Promise<Page> =>
  owner.act(`/tickets/${number}/messages`, { kind: 'reply', body: 'Good morning.', send_at: sendAt, ...fields });

const isoIn = (ms: number): string => new Date(oauth.desk.clock.now().getTime() + ms).toISOString();
/** As a `datetime-local` field sends it. The account is in UTC. */
const localIn = (ms: number): string => isoIn(ms).slice(0, 'yyyy-mm-ddThh:mm'.length);
const HOUR_MS = 3_600_000;

const holdFor = (number: number, agentId: string, afterMs = HOUR_MS) =>
  scheduled.hold(
    { accountId: oauth.desk.account.id, agentId, role: 'agent', applicationId: null, requestId: null },
    number,
    { body: 'From Noah.', afterSending: '', sendAt: (now) => new Date(now.getTime() + afterMs) },
    0,
  );

const bodiesOf = async (number: number): Promise<string[]> => {
  const { messages } = (await oauth.desk.client().get(`/v1/tickets/${number}/messages`)).body;
  return messages.map(({ body }: { body: string }) => body);
};

const fromAna = (number: number) =>
  oauth.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Wait!', author: 'ana@client.example' });

const manyTags = Array.from({ length: 200 }, (_, place) => `tag-${place}`);

const heldIds = async () => (await sql('select id from held_replies order by id')).map(({ id }) => String(id));

const draftRevision = async () => String((await sql('select revision from drafts'))[0]!['revision']);

describe('a reply for later', () => {
  it('goes out once, at its time, by the first of several senders', async () => {
    const number = await ticketFromAna(oauth.desk);
    expect((await schedule(number, localIn(2 * HOUR_MS), { then_state: 'closed' })).status).toBe(303);
    oauth.desk.clock.advance({ hours: 1 });
    await scheduled.sendDue();
    expect(await bodiesOf(number)).toEqual(['Hello']);

    oauth.desk.clock.advance({ hours: 1, minutes: 1 });
    await Promise.all([scheduled.sendDue(), scheduled.sendDue(), scheduled.sendDue()]);
    expect(await bodiesOf(number)).toEqual(['Hello', 'Good morning.']);
    expect(await sql('select state from tickets where number = $1', [number])).toEqual([{ state: 'closed' }]);
    expect(await heldIds()).toEqual([]);
  });

  it.each(['tomorrow', 'monday'])('goes at nine on the day of the button: %s', async (choice) => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, choice);

    const [{ at }] = (await sql("select to_char(due_at at time zone 'UTC', 'HH24:MI') as at from held_replies")) as [
      { at: string },
    ];
    expect(at).toBe('09:00');
  });

  it.each([
    ['in the past', () => localIn(-HOUR_MS)],
    ['in more than a year', () => localIn(400 * 24 * HOUR_MS)],
    ['that is no time', () => 'soon'],
  ])('is refused with its text at a time %s', async (_, sendAt) => {
    const number = await ticketFromAna(oauth.desk);
    const page = await schedule(number, sendAt());

    expect(page.status).toBe(422);
    expect(page.html).toContain('Good morning.');
    expect(page.html).toContain('Choose a ');
    expect(await heldIds()).toEqual([]);
    expect(await bodiesOf(number)).toEqual(['Hello']);
  });

  it('does not delay a later reply to the same ticket', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    await sql('update accounts set undo_send_seconds = 10');
    await owner.act(`/tickets/${number}/messages`, { kind: 'reply', body: 'Today.' });
    oauth.desk.clock.advance({ seconds: 30 });
    await scheduled.sendDue();

    expect(await bodiesOf(number)).toEqual(['Hello', 'Today.']);
    expect(await heldIds()).toHaveLength(1);
  });

  it('becomes a draft again if the customer has written since', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    oauth.desk.clock.advance({ minutes: 1 });
    for (const path of ['/scheduled', `/tickets/${number}`])
      expect((await owner.get(path)).html).toContain('Sends at 09:00');
    await fromAna(number);
    for (const path of ['/scheduled', `/tickets/${number}`])
      expect((await owner.get(path)).html).toMatch(/Not sent at 09:00[^:<]*: the customer has written since/);
    oauth.desk.clock.advance({ hours: 200 });
    await scheduled.sendDue();

    expect(await bodiesOf(number)).toEqual(['Hello', 'Wait!']);
    expect(await sql('select body, note from drafts')).toEqual([{ body: 'Good morning.', note: false }]);
    expect(await heldIds()).toEqual([]);
    owner = await oauth.person();
    for (const path of [`/tickets/${number}`, '/settings/events?kind=reply_unscheduled'])
      expect((await owner.get(path)).html).toMatch(/has a draft again\. .* was not sent: The customer wrote first/);
  });

  it('becomes a draft again if it is refused, and the ticket says why', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, localIn(2 * HOUR_MS));
    await sql('update held_replies set then_change = $1', [JSON.stringify({ addTags: manyTags })]);
    oauth.desk.clock.advance({ hours: 3 });
    await scheduled.sendDue();

    expect(await sql('select body from drafts')).toEqual([{ body: 'Good morning.' }]);
    expect((await owner.get(`/tickets/${number}`)).html).toMatch(/has a draft again\. .* was not sent: .*tags/);
  });

  it('comes back by Edit with a notice of its time, and without a line in the ticket', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    const [id] = await heldIds();
    const { html } = await owner.follow(await owner.act(`/tickets/${number}/replies/${id}/undo`));

    expect(html).toMatch(/No longer scheduled for 09:00 on [^.]+\. Your draft is back\./);
    expect(
      await sql("select id from activities where kind = 'reply_unscheduled' and subject = $1", [`#${number}`]),
    ).toEqual([]);
  });

  it('stays a draft when a page that never showed it sends another reply', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    const [id] = await heldIds();
    await owner.act(`/tickets/${number}/replies/${id}/undo`);
    await owner.act(`/tickets/${number}/messages`, { kind: 'reply', body: 'Not today.' });

    expect(await bodiesOf(number)).toEqual(['Hello', 'Not today.']);
    expect(await sql('select body from drafts')).toEqual([{ body: 'Good morning.' }]);
  });

  it('is kept as a draft when another page still has the draft that was scheduled', async () => {
    const number = await ticketFromAna(oauth.desk);
    await owner.act(`/tickets/${number}/draft`, { kind: 'reply', body: 'Good', writer: 'one' });
    const revision = await draftRevision();
    await schedule(number, 'monday', { draft_revision: revision, writer: 'one' });
    const [id] = await heldIds();
    await owner.act(`/tickets/${number}/replies/${id}/undo`);
    const draft = { kind: 'reply', body: 'Good m', quiet: 'yes', draft_revision: revision, writer: 'other' };

    expect((await owner.act(`/tickets/${number}/draft`, draft)).status).toBe(409);
    expect(await sql('select body from drafts')).toEqual([{ body: 'Good morning.' }]);
  });

  it('goes out after a note of a colleague', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    oauth.desk.clock.advance({ minutes: 1 });
    await oauth.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Good.', note: true });
    oauth.desk.clock.advance({ hours: 200 });
    await scheduled.sendDue();

    expect(await bodiesOf(number)).toEqual(['Hello', 'Good.', 'Good morning.']);
  });

  it('goes out within seconds by Send now, also after the customer has written', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    oauth.desk.clock.advance({ minutes: 1 });
    await fromAna(number);
    const [id] = await heldIds();
    expect((await owner.act(`/tickets/${number}/replies/${id}/send`)).status).toBe(303);
    await scheduled.sendDue();

    expect(await bodiesOf(number)).toEqual(['Hello', 'Wait!', 'Good morning.']);
    const again = await owner.follow(await owner.act(`/tickets/${number}/replies/${id}/send`));
    expect(again.html).toContain('The message was already sent or undone.');
  });

  it('lets a colleague reply whose page shows it', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    const colleague = await oauth.colleague('agent');
    const { html } = await colleague.get(`/tickets/${number}`);
    expect(html).toContain('scheduled a reply for');
    const seen = /name="seen" value="([^"]+)"/.exec(html)![1]!;
    const answer = { kind: 'reply', body: 'I am faster.', seen };

    expect((await colleague.act(`/tickets/${number}/messages`, answer)).status).toBe(303);
    expect(await bodiesOf(number)).toEqual(['Hello', 'I am faster.']);
    expect(await heldIds()).toHaveLength(1);
  });

  it('goes out at its time when its agent was archived', async () => {
    const number = await ticketFromAna(oauth.desk);
    const noah = await seedAgent(oauth.desk.sql, oauth.desk.account.id);
    await holdFor(number, noah.id);
    expect((await oauth.desk.client().post(`/v1/agents/${noah.id}/archive`)).status).toBe(200);
    await scheduled.sendDue();
    expect(await bodiesOf(number)).toEqual(['Hello']);

    oauth.desk.clock.advance({ hours: 2 });
    await scheduled.sendDue();
    expect(await bodiesOf(number)).toEqual(['Hello', 'From Noah.']);
  });
});

describe('the page of scheduled replies', () => {
  it('lists the replies of everyone for the owner, who takes one over as a draft', async () => {
    const number = await ticketFromAna(oauth.desk);
    const noah = await seedAgent(oauth.desk.sql, oauth.desk.account.id);
    const { id } = await holdFor(number, noah.id);
    const { html } = await owner.get('/scheduled');
    expect(html).toContain('From Noah.');
    expect(html).toContain('scheduled a reply for');
    expect(html).toMatch(/href="\/scheduled"[^]*?class="count">1</);
    expect(html).toContain('Take over</button>');

    const done = await owner.follow(await owner.act(`/tickets/${number}/replies/${id}/undo`));
    expect(done.html).toMatch(/No longer scheduled for [^.]+\. It is now your draft\./);
    expect(done.html).toMatch(/took over the reply that Maya Lind had scheduled for/);
    expect(await sql('select agent_id, body from drafts')).toEqual([
      { agent_id: oauth.desk.account.owner.id, body: 'From Noah.' },
    ]);
    expect((await owner.get('/scheduled')).html).toContain('No scheduled replies');
  });

  it('has no link while nothing waits', async () => {
    expect((await owner.get('/inbox')).html).not.toContain('href="/scheduled"');
  });

  it('shows an agent only their own replies', async () => {
    const number = await ticketFromAna(oauth.desk);
    await schedule(number, 'monday');
    const [id] = await heldIds();
    const agent = await oauth.colleague('agent');

    expect((await agent.get('/scheduled')).html).not.toContain('Good morning.');
    expect((await agent.get(`/tickets/${number}`)).html).toContain('Good morning.');
    await agent.act(`/tickets/${number}/replies/${id}/undo`);
    await agent.act(`/tickets/${number}/replies/${id}/send`);
    expect(await sql('select id from held_replies where due_at > now()')).toHaveLength(1);
  });
});
