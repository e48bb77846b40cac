import { ScheduledRepliesService } from '#libs/tickets';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { newEmail, ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const { desk } = oauth;
const owner = await oauth.person();
const held = desk.api.get(ScheduledRepliesService);
beforeEach(() => undoSeconds(0));
afterAll(() => oauth.stop());

const undoSeconds = (seconds: number) => desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);

const MARKDOWN = 'Hi **Ana**,\n- one\n- two';
const HTML = '<p>Hi <strong>Ana</strong>,</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>';

const send = (number: number, body: string, kind = 'reply') => owner.act(`/tickets/${number}/messages`, { kind, body });
const messagesOf = async (number: number) =>
  (await desk.client().get(`/v1/tickets/${number}/messages`)).body.messages as Record<string, unknown>[];
const lastOf = async (number: number) => (await messagesOf(number)).at(-1);

/** Passes the delay, during which the author may undo. */
async function sendHeld(): Promise<void> {
  desk.clock.advance({ minutes: 1 });
  await held.sendDue();
}

describe('a message from the console', () => {
  it.each(['reply', 'note'])('becomes HTML, and keeps its text as it was written: a %s', async (kind) => {
    const number = await ticketFromAna(desk);
    await send(number, MARKDOWN, kind);

    expect(await lastOf(number)).toMatchObject({ body: HTML, plain_text_body: MARKDOWN, note: kind === 'note' });
    expect((await owner.get(`/tickets/${number}`)).html).toContain('<li>two</li>');
  });

  it.each(['Hi Ana,\n\n5 * 3 is 15.\nhttps://acme.test', 'Write to <ana@client.example>', '    pasted & kept'])(
    'stays text without formatting: %j',
    async (body) => {
      const number = await ticketFromAna(desk);
      await send(number, body);

      expect(await lastOf(number)).toMatchObject({ body, plain_text_body: body });
    },
  );

  it('has no HTML of its own', async () => {
    const number = await ticketFromAna(desk);
    await send(number, '<b>a</b> <img src=x onerror=alert(1)>');

    expect(await lastOf(number)).toMatchObject({
      body: '<p>&lt;b&gt;a&lt;/b&gt; &lt;img src=x onerror=alert(1)&gt;</p>',
      plain_text_body: '<b>a</b> <img src=x onerror=alert(1)>',
    });
  });

  it('becomes HTML after it waited, and is Markdown again when it is undone', async () => {
    await undoSeconds(20);
    const [sent, undone] = [await ticketFromAna(desk), await ticketFromAna(desk)];
    await send(sent, MARKDOWN);
    await send(undone, MARKDOWN);
    const page = await owner.get(`/tickets/${undone}`);
    const path = new RegExp(`/tickets/${undone}/replies/[^/]+/undo`).exec(page.html)![0];
    await owner.act(path);
    await sendHeld();

    expect(await lastOf(sent)).toMatchObject({ body: HTML, plain_text_body: MARKDOWN });
    expect(await messagesOf(undone)).toHaveLength(1);
    expect((await owner.get(`/tickets/${undone}`)).html).toContain(`>${MARKDOWN}</textarea>`);
  });

  it.each([0, 20])('starts a ticket in HTML, after %i seconds', async (seconds) => {
    await undoSeconds(seconds);
    const to = newEmail();
    await owner.act('/tickets', { to, body: MARKDOWN, subject: 'Hello' });
    if (seconds > 0) await sendHeld();
    const { rows } = await desk.sql.query<{ number: number }>('select max(number) as number from tickets');

    expect(await lastOf(rows[0]!.number)).toMatchObject({ body: HTML, plain_text_body: MARKDOWN });
  });

  it('shows the address that a customer hid under another text when it is forwarded', async () => {
    const number = await ticketFromAna(desk, { body: 'Pay at [bank.example](https://evil.example/pay).' });
    const { html } = await owner.get(`/tickets/new?forward=${number}`);
    const body = /<textarea[^>]*>([^<]*)/.exec(html)![1]!;
    await owner.act('/tickets', { to: newEmail(), body: `**Is this you?**\n${body}`, subject: 'Hello' });
    const { rows } = await desk.sql.query<{ number: number }>('select max(number) as number from tickets');

    const forwarded = (await lastOf(rows[0]!.number))!['body'];
    expect(forwarded).toContain('[bank.example] (');
    expect(forwarded).not.toMatch(/<a [^>]*>bank/);
  });

  it('changes nothing in what programs send', async () => {
    const number = await ticketFromAna(desk);
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: MARKDOWN });

    expect(await lastOf(number)).toMatchObject({ body: MARKDOWN, plain_text_body: MARKDOWN });
  });
});

describe('the preview without a script', () => {
  it.each(['reply', 'note'])('shows the text of a %s above the field, and keeps what was typed', async (kind) => {
    const number = await ticketFromAna(desk);
    const fields = {
      kind,
      body: MARKDOWN,
      cc: 'boss@client.example',
      cc_offered: 'boss@client.example',
      after: 'next',
    };
    const { status, html } = await owner.act(`/tickets/${number}/preview`, fields);

    expect(status).toBe(200);
    expect(html.indexOf('<strong>Ana</strong>')).toBeGreaterThan(0);
    expect(html.indexOf('<strong>Ana</strong>')).toBeLessThan(html.indexOf('id="body"'));
    expect(html).toContain(`>${MARKDOWN}</textarea>`);
    expect(html).toMatch(new RegExp(`value="${kind}" checked`));
    expect(html).toContain('value="next" selected');
    expect(html).toMatch(/name="cc" value="boss@client\.example" checked/);
    expect(await messagesOf(number)).toHaveLength(1);
  });

  it('shows text as it was written, with links', async () => {
    const number = await ticketFromAna(desk);
    const { html } = await owner.act(`/tickets/${number}/preview`, { kind: 'reply', body: 'a < b\nhttps://acme.test' });

    expect(html).toContain('a &lt; b\n<a href="https://acme.test"');
  });

  it('responds with 404 for a ticket of another account', async () => {
    expect((await owner.act('/tickets/4001/preview', { body: MARKDOWN })).status).toBe(404);
  });

  it.each(['>', '*a_', '[a]('])(
    'never fails for %j, a million characters long',
    async (unit) => {
      const number = await ticketFromAna(desk);
      const body = unit.repeat(1_000_000 / unit.length);
      const form = new FormData();
      form.append('csrf', /name="csrf" value="([^"]+)"/.exec((await owner.get('/profile')).html)![1]!);
      form.append('body', body);
      const { status, html } = await owner.send('POST', `/tickets/${number}/preview`, { body: form });

      expect([200, 413]).toContain(status);
      expect(html).toContain('</html>');
    },
    30_000,
  );
});
