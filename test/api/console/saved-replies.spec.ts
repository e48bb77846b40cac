import { ScheduledRepliesService } from '#libs/tickets';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { addSavedReply, inviteAgent, newEmail, startTicket, ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const { desk } = oauth;
beforeEach(() => desk.sql.query('update accounts set undo_send_seconds = 0'));
afterAll(() => oauth.stop());

const PATH = '/settings/saved-replies';
const FORM = { body: 'Thank you.', shared: 'false', tags: '', state: '', assignee: '' };

const ticketOf = async (number: number) => (await desk.client().get(`/v1/tickets/${number}`)).body.ticket;
const bodiesOf = async (number: number): Promise<string[]> =>
  (await desk.client().get(`/v1/tickets/${number}/messages`)).body.messages.map(({ body }: { body: string }) => body);
const send = (number: number, fields: Record<string, string>) =>
  owner.act(`/tickets/${number}/messages`, { kind: 'reply', body: 'Done.', ...fields });
const draftOf = async (number: number) =>
  (
    await desk.sql.query(
      'select body, saved_reply_id as "savedReplyId" from drafts join tickets t on t.id = ticket_id where t.number = $1',
      [number],
    )
  ).rows;

/** Closes the ticket, adds a tag and assigns it to a new agent. */
async function replyWithEffects(): Promise<{ id: string; assignee: string }> {
  const { email: assignee } = await inviteAgent(desk);
  const { id } = await addSavedReply(desk, { tags: ['refund'], state: 'closed', assignee });
  return { id, assignee };
}

describe('the page of saved replies', () => {
  it('adds, changes and deletes one', async () => {
    const name = newEmail('reply');
    await owner.act(PATH, { ...FORM, name, tags: 'one, two', state: 'pending' });
    const [, id] = new RegExp(`${PATH}/([^"]+)"[^>]*><strong class="clip" dir="auto">${name}<`).exec(
      (await owner.get(PATH)).html,
    )!;
    const read = async () => (await desk.client().get(`/v1/saved_replies/${id}`)).body.saved_reply;

    expect(await read()).toMatchObject({ name, shared: false, tags: ['one', 'two'], state: 'pending', assignee: null });
    await owner.act(`${PATH}/${id}`, { ...FORM, name, body: 'Hi\r\nthere', shared: 'true' });
    expect(await read()).toMatchObject({ body: 'Hi\nthere', shared: true, tags: [], state: null });
    await owner.act(`${PATH}/${id}/delete`, {});
    expect(await read()).toBeUndefined();
  });

  it('shows the form again with what was typed when a field is wrong', async () => {
    const page = await owner.act(PATH, { ...FORM, name: '', body: 'Kept text' });
    expect(page.status).toBe(422);
    expect(page.html).toContain('Kept text');
  });
});

describe('the choice of a saved reply', () => {
  it('fills the variables, and leaves the one without a value', async () => {
    const { number } = await startTicket(desk, { body: 'Hello', from: newEmail() });
    await addSavedReply(desk, { body: 'Needle {{customer}} {{agent}} {{ticket}} {{mailbox}} {{other}}' });
    const { html } = await owner.get(`/tickets/${number}/saved-replies?q=NEEDLE`);

    expect(html).toMatch(new RegExp(`data-text="Needle {{customer}} [^{"]+ #${number} [^{"]+ {{other}}"`));
  });

  it('lists those that the agent used last first, and only those that match', async () => {
    const [used, other] = [await addSavedReply(desk, { name: 'zz-q1' }), await addSavedReply(desk, { name: 'aa-q1' })];
    const number = await ticketFromAna(desk);
    const list = async () => {
      const { html } = await owner.get(`/tickets/${number}/saved-replies?q=-Q1`);
      return [...html.matchAll(/saved_reply=([\w-]+)/g)].map(([, id]) => id);
    };

    expect(await list()).toEqual([other.id, used.id]);
    await send(number, { saved_reply: used.id });
    expect(await list()).toEqual([used.id, other.id]);
  });

  it('adds its text to the draft on the page that its link opens', async () => {
    const number = await ticketFromAna(desk);
    const { id } = await replyWithEffects();
    await owner.act(`/tickets/${number}/draft`, { kind: 'reply', body: 'Dear Ana' });
    const { html } = await owner.get(`/tickets/${number}?saved_reply=${id}`);

    expect(html).toContain('Dear Ana\n\nThank you.</textarea>');
    expect(html).toMatch(/Also: adds refund, closes the ticket, assigns [^<]+</);
  });

  it('answers searches that match nothing or are malformed', async () => {
    const path = `/tickets/${await ticketFromAna(desk)}/saved-replies`;
    for (const query of ['?q=%00', `?q=${'x'.repeat(5000)}`, '?q=%25_%5C', '?q[]=x', '?q=%ED%A0%80'])
      expect((await owner.get(`${path}${query}`)).status).toBeLessThan(500);
  });
});

describe('a reply with a saved reply', () => {
  it.each(['at once', 'after it waited'])('changes the ticket in its own transaction, %s', async (when) => {
    if (when !== 'at once') await desk.sql.query('update accounts set undo_send_seconds = 5');
    const number = await ticketFromAna(desk, { tags: ['old'] });
    const { id, assignee } = await replyWithEffects();
    await send(number, { saved_reply: id });
    desk.clock.advance({ minutes: 1 });
    await desk.api.get(ScheduledRepliesService).sendDue();

    expect(await ticketOf(number)).toMatchObject({ state: 'closed', tags: ['old', 'refund'], assignee });
    const { rows } = await desk.sql.query(
      `select t.xmin = m.xmin as together from tickets t join messages m on m.ticket_id = t.id
       where t.number = $1 and m.author_agent_id is not null`,
      [number],
    );
    expect(rows).toEqual([{ together: true }]);
  });

  it('returns to the draft with its saved reply when it is undone', async () => {
    await desk.sql.query('update accounts set undo_send_seconds = 30');
    const number = await ticketFromAna(desk);
    const { id } = await replyWithEffects();
    await send(number, { saved_reply: id });
    const { rows } = await desk.sql.query('select id from held_replies where saved_reply_id = $1', [id]);
    await owner.act(`/tickets/${number}/replies/${rows[0]!['id']}/undo`, {});

    expect(await draftOf(number)).toEqual([{ body: 'Done.', savedReplyId: id }]);
    expect((await owner.get(`/tickets/${number}`)).html).toContain('Also: adds refund');
  });

  it('is refused and stays a draft when the assignee was archived', async () => {
    const number = await ticketFromAna(desk);
    const { id, assignee } = await replyWithEffects();
    await owner.act(`/tickets/${number}/draft`, { kind: 'reply', body: 'Done.', saved_reply: id });
    await desk.client().post(`/v1/agents/${assignee}/archive`);
    const { rows } = await desk.sql.query('select revision from drafts where saved_reply_id = $1', [id]);
    const page = await send(number, { saved_reply: id, draft_revision: String(rows[0]!['revision']) });

    expect(page.status).toBe(422);
    expect(page.html).toContain(`assigns the ticket to ${assignee}, who is archived.`);
    expect(await bodiesOf(number)).toEqual(['Hello']);
    expect(await draftOf(number)).toEqual([{ body: 'Done.', savedReplyId: id }]);
  });

  it('is refused at once, also before an undo, when the ticket would get too many tags', async () => {
    await desk.sql.query('update accounts set undo_send_seconds = 30');
    const number = await ticketFromAna(desk);
    await desk.client().patch(`/v1/tickets/${number}`, { tags: Array.from({ length: 50 }, (_, n) => `tag ${n}`) });
    const { id } = await replyWithEffects();
    const page = await send(number, { saved_reply: id });

    expect(page.status).toBe(422);
    expect(page.html).toContain('a ticket carries at most 50 tags');
  });

  it.each(['{{customer}}', '{{agent}}', '{{ticket}}', '{{mailbox}}'])('is not sent with %s in it', async (variable) => {
    const number = await ticketFromAna(desk);
    const page = await send(number, { body: `Hi ${variable}` });

    expect(page.status).toBe(422);
    expect(page.html).toContain(`Replace ${variable} before you send.`);
    expect(await bodiesOf(number)).toEqual(['Hello']);
    expect((await send(number, { body: `Hi ${variable}`, kind: 'note' })).status).toBe(303);
  });

  it('ignores an id that is none, and refuses that of another agent', async () => {
    const number = await ticketFromAna(desk);
    const { id } = await addSavedReply(desk, { shared: false, state: 'closed' });
    const colleague = await oauth.colleague('agent');
    const sendAs = (reply: string) =>
      colleague.act(`/tickets/${number}/messages`, { kind: 'reply', body: 'Done.', saved_reply: reply });

    const refused = await sendAs(id);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The saved reply was deleted. Your text is kept.');
    expect((await sendAs('x')).status).toBe(303);
    expect((await ticketOf(number)).state).toBe('opened');
  });

  it('keeps its draft when the saved reply is deleted', async () => {
    const number = await ticketFromAna(desk);
    const { id } = await addSavedReply(desk);
    await owner.act(`/tickets/${number}/draft`, { kind: 'reply', body: 'Kept.', saved_reply: id });
    await desk.client().delete(`/v1/saved_replies/${id}`);

    expect(await draftOf(number)).toEqual([{ body: 'Kept.', savedReplyId: null }]);
  });
});
