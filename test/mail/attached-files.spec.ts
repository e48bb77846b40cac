import { describe, expect, it } from 'vitest';
import { csrfOf } from '../oauth/support/person.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import type { ReceivedMail } from '#test/support/next-hop.js';
import { formOf, postFiles } from '#test/support/upload.js';
import { replyFrom, sendAgain, startMailConsole } from './mail-desk.js';

const { oauth, desk, hop, mailbox } = await startMailConsole();
const owner = await oauth.person();

const sql = (text: string, values: unknown[]) => desk.sql.query(text, values);

async function sendForm(path: string, fields: Record<string, string>, file: string): Promise<void> {
  const form = new FormData();
  const csrf = csrfOf(await owner.get('/profile'));
  for (const [name, value] of Object.entries({ csrf, ...fields })) form.append(name, value);
  form.append('files', new Blob(['Some bytes'], { type: 'text/plain' }), file);
  const { status, html } = await owner.send('POST', path, { body: form });
  if (status !== 303) throw new Error(`not sent: ${status} ${html}`);
}

const attach = (message: string, name: string) => postFiles(desk, message, formOf([{ name, bytes: 'Bytes' }]));

const filesIn = ({ parsed }: ReceivedMail) => parsed.attachments.map(({ filename }) => filename);

async function reply() {
  const copy = newEmail();
  return { copy, ...(await replyFrom(desk, mailbox.name, { cc: [copy] })) };
}

const becomes = ({ id }: { id: string }, condition: string) =>
  eventually(
    async () => {
      const text = `select from outgoing_mails where $1 in (message_id, copy_of) and ${condition}`;
      return (await sql(text, [id])).rowCount === 2;
    },
    { withinMs: 20_000 },
  );

describe('the mail of a message', () => {
  it.each([
    ['at once', 0],
    ['after the time to undo it', 1],
  ])('carries the files of a reply in the console that is sent %s', async (_, undoSeconds) => {
    const [to, copy] = [newEmail(), newEmail()];
    const { number } = await startTicket(desk, { from: to, mailbox: mailbox.name });
    await sql('update accounts set undo_send_seconds = $1', [undoSeconds]);
    const fields = { kind: 'reply', body: 'See the file.', more_cc: copy };
    await sendForm(`/tickets/${number}/messages`, fields, 'invoice.txt');

    for (const recipient of [to, copy]) expect(filesIn(await hop.mailTo(recipient))).toEqual(['invoice.txt']);
  });

  it('carries the files of a ticket that an agent starts in the console', async () => {
    const to = newEmail();
    await sendForm('/tickets', { to, mailbox: mailbox.name, body: 'See the file.' }, 'offer.txt');

    expect(filesIn(await hop.mailTo(to))).toEqual(['offer.txt']);
  });

  it('does not carry a file that is attached while it waits', async () => {
    hop.answer({ refuse: '451 4.3.0 Later' }, { refuse: '451 4.3.0 Later' });
    const made = await reply();
    await becomes(made, "state = 'queued' and tries = 1 and lease is null");
    expect((await attach(made.id, 'late.txt')).status).toBe(201);
    await sql('update outgoing_mails set due_at = now() where $1 in (message_id, copy_of)', [made.id]);

    for (const recipient of [made.to, made.copy]) expect(filesIn(await hop.mailTo(recipient))).toEqual([]);
  });

  it('carries the files that its message has when it is sent again', async () => {
    hop.answer({ refuse: '554 5.7.1 No' }, { refuse: '554 5.7.1 No' });
    const made = await reply();
    await becomes(made, "state = 'failed'");
    await attach(made.id, 'missing.txt');
    await sendAgain(desk, made.id);

    for (const recipient of [made.to, made.copy]) expect(filesIn(await hop.mailTo(recipient))).toEqual(['missing.txt']);
  });
});
