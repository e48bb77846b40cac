import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import type { Person } from '../oauth/support/person.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAccount } from '#test/support/seed.js';
import { formOf, postFiles } from '#test/support/upload.js';
import { readMessage, replyFrom } from './mail-desk.js';

const PATH = '/settings/outgoing-mail';

const oauth = await OAuthDesk.start({ CATCH_MAIL: 'true' });
afterAll(() => oauth.stop());
const { desk } = oauth;
const mailbox: string = (await addMailbox(desk)).name;
await desk.worker();
const manager = await managerOf(desk.account.id);

async function managerOf(account: string): Promise<Person> {
  const { id, email } = await oauth.agent(account);
  await desk.sql.query("update agents set role = 'admin' where id = $1", [id]);
  return oauth.person(email);
}

interface Caught {
  readonly id: string;
  readonly customer: string;
  readonly number: number;
  /** Target of the answer form. */
  readonly action: string;
}

async function caughtReply(): Promise<Caught> {
  const made = await replyFrom(desk, mailbox, { body: 'Which lamp, & where?' });
  const caught = { delivery: 'sent', delivery_reason: 'Not sent (trial mode). See Outgoing mail.' };
  expect([made, await readMessage(desk, made.id)]).toMatchObject([caught, caught]);
  const { html } = await manager.get(PATH);
  const card = html.slice(html.indexOf(`aria-label="Email to ${made.to}"`));
  return { id: made.id, customer: made.to, number: made.number, action: /action="([^"]+\/answer)"/.exec(card)![1]! };
}

describe('a trial without a mail server', () => {
  it('keeps a reply and shows it as it would have been sent', async () => {
    const { customer, number } = await caughtReply();
    const { html } = await manager.get(PATH);

    expect(html).toContain('Outgoing mail (trial)');
    expect(html).toContain(`Email to ${customer}`);
    expect(html).toContain(`Reply, ticket #${number}`);
    expect(html).toContain('Re: No light');
    expect(html).toContain('Which lamp, &amp; where?');
  });

  it('shows the HTML of a reply without remote pictures and scripts', async () => {
    const body = '<p>A <b>bold</b> <img src="https://pictures.test/x.png">lamp</p><script>alert(1)</script>';
    const { to } = await replyFrom(desk, mailbox, { body });
    const { html } = await manager.get(PATH);
    const card = html.slice(html.indexOf(`aria-label="Email to ${to}"`)).split('</section>')[0]!;

    expect(card).toContain('<p>A <b>bold</b> lamp</p>');
    expect(card).toContain('<p>Maya Lind<br>');
    expect(card).not.toMatch(/<pre|pictures\.test|<script/);
  });

  it('offers no answer to a notification of an agent', async () => {
    const { email } = await oauth.agent();
    await desk.sql.query("update agents set mail_about = '{assigned}' where email = $1", [email]);
    await startTicket(desk, { mailbox, assignee: email });
    const card = await eventually(async () => {
      const { html } = await manager.get(PATH);
      const found = html.split(`aria-label="Email to ${email}"`)[1]?.split('</section>')[0];
      return found?.includes('assigned this ticket to you') && found;
    });

    expect(card).toContain('Notification to an agent');
    expect(card).not.toContain('Reply as');
  });

  it('shows no file that was attached after the reply', async () => {
    const { id, customer } = await caughtReply();
    await postFiles(desk, id, formOf([{ name: 'late.txt', bytes: 'Bytes' }]));
    const { html } = await manager.get(PATH);

    expect(html).toContain(`Email to ${customer}`);
    expect(html).not.toContain('late.txt');
  });

  it('answers an email as the customer, into its ticket', async () => {
    const { customer, number, action } = await caughtReply();
    const answered = await manager.submit(await manager.get(PATH), action, { text: 'The one\r\nin the hall.' });
    const last = await eventually(async () => {
      const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
      return messages.length === 3 && messages[2];
    });

    expect(answered.location).toBe(PATH);
    expect(last).toMatchObject({ channel: 'email', agent_response: false });
    expect(last.plain_text_body.replaceAll('\r\n', '\n').trim()).toBe('The one\nin the hall.');
    expect(last.links.author.href).toContain(customer);
  });

  it('rejects an empty answer, and one from a manager of another account', async () => {
    const { number, action } = await caughtReply();
    const globex = await seedAccount(desk.sql, { name: 'Globex' });
    const stranger = await managerOf(globex.id);
    const empty = await manager.submit(await manager.get(PATH), action, { text: ' ' });
    const theirs = await stranger.submit(await stranger.get(PATH), action, { text: 'Hello' });

    expect([empty.status, theirs.status]).toEqual([422, 404]);
    expect((await stranger.get(PATH)).html).not.toContain('Email to ');
    expect((await desk.client().get(`/v1/tickets/${number}`)).body.ticket.message_count).toBe(2);
  });

  it('shows people in Cc, each with a separate mail to answer', async () => {
    const [customer, boss] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: customer, mailbox });
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'For both.', cc: [boss] });
    const html = await eventually(async () => {
      const page = (await manager.get(PATH)).html;
      return page.includes(`Reply as ${boss}`) && page.includes(`Reply as ${customer}`) && page;
    });

    expect(html).toContain(`Email to ${boss}`);
    expect(html).toContain(`To ${customer}, Cc ${boss}`);
    expect(html).toContain(`Copy of a reply, ticket #${number}`);
  });

  it('shows on its pages that replies are not sent', async () => {
    const { number } = await caughtReply();

    expect((await manager.get(`/tickets/${number}`)).html).toContain('Trial mode: messages are not emailed');
    expect((await manager.get('/tickets/new')).html).toContain('Trial mode: messages are not emailed');
  });

  it('shows no link that sets a password', async () => {
    const email = newEmail('agent');
    await desk.client().post('/v1/agents', { email, first_name: 'Noor', last_name: 'Berg' });
    const html = await eventually(async () => {
      const page = (await manager.get(PATH)).html;
      return page.includes('There is no mail server') && page;
    });

    expect(html).toContain(`Email to ${email}`);
    expect(html).not.toContain('set-password');
  });
});
