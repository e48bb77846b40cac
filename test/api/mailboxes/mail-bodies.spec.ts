import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { mailText, multipartMail, processed } from '#test/support/mails.js';

const desk = deskForFile();
beforeAll(() => desk.worker());

const file = (type: string, name: string) => ({
  headers: [`Content-Type: ${type}; name=${name}`, `Content-ID: <${name}@client.test>`],
  body: 'bytes',
});

describe('the body of an email', () => {
  it('stays text when it contains something like a tag', async () => {
    const text = 'Ana <ana@client.test> wrote: <b>1 & 2</b>';
    const { message } = await processed(desk, mailText({}, text));

    expect(message).toMatchObject({ body: text, plain_text_body: text });
  });

  it('shows the images that its HTML embeds, and stores them as files', async () => {
    const html = '<p>See <img src="cid:logo@client.test"><img src="cid:page@client.test"></p>';
    const text = { headers: ['Content-Type: text/html'], body: html };
    const parts = [text, file('image/png', 'logo'), file('text/html', 'page')];
    const { message } = await processed(desk, multipartMail(parts, { type: 'related' }));
    const read = 'select safe_html as html from messages where id = $1';
    const [row] = (await desk.sql.query<{ html: string }>(read, [message.id])).rows;

    expect(message.attachments).toMatchObject([{ name: 'logo' }, { name: 'page' }]);
    expect(row!.html).toContain(`<img data-attachment="${message.attachments[0].id}" />`);
    expect(row!.html).toContain('<img data-cid="page@client.test" />');
  });

  it('includes the sender’s new text without the quotation', async () => {
    const text = 'It works!\n\nOn 3 March 2025 at 10:11, Maya <support@desk.test> wrote:\n> Turn it off.\n> Maya';
    const { message, ticket } = await processed(desk, mailText({}, text));
    const answer = { body: text, note: false, author: desk.account.owner.email };
    const written = await desk.client().post(`/v1/tickets/${ticket.number}/messages`, answer);

    expect(message).toMatchObject({ body: text, plain_text_body: text, reply_text: 'It works!' });
    expect(written.body.message).toMatchObject({ reply_text: null });
  });

  it('keeps the plain text of a multipart body, renames programs and removes NUL', async () => {
    const inner = [
      '--inner',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=DFe=00 aus K=F6ln',
      '--inner',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Grüße aus <b>Köln</b></p>',
      '--inner--',
    ];
    const program = [
      'Content-Type: application/x-msdownload',
      'Content-Disposition: attachment; filename="../setup.exe"',
    ];
    const parts = [
      { headers: ['Content-Type: multipart/alternative; boundary=inner'], body: inner.join('\r\n') },
      { headers: program, body: 'MZ' },
    ];
    const { message } = await processed(desk, multipartMail(parts));

    expect(message.plain_text_body).toBe('Grüße aus Köln');
    expect(message.body).toContain('<b>Köln</b>');
    expect(message.attachments).toMatchObject([{ name: 'setup.exe.blocked' }]);
  });
});
