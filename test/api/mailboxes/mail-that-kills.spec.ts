// @module-tag long
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { mailText, postMail, whatBecameOf } from '#test/support/mails.js';

const desk = deskForFile();

describe('an email that crashes the worker', () => {
  it('gets retried, and after five crashes becomes a ticket with the original file', async () => {
    const [often, once] = [mailText({ Subject: 'Five' }), mailText({ Subject: 'Four' })];
    const posted = [await postMail(desk, often), await postMail(desk, once)].map(({ body }) => body.arrival);
    // The rows look as if workers had died: a try is counted when a worker takes the mail.
    for (const [place, { id }] of posted.entries())
      await desk.sql.query('update arrivals set tries = $2 where id = $1', [id, 5 - place]);
    await desk.worker();
    const [killed, read] = [await whatBecameOf(desk, posted[0]), await whatBecameOf(desk, posted[1])];

    expect([killed.arrival.state, killed.arrival.reason, killed.ticket.title]).toEqual([
      'unreadable',
      'crash',
      'Unreadable email',
    ]);
    expect(killed.message.attachments).toMatchObject([{ name: 'mail.eml', size: Buffer.byteLength(often) }]);
    expect([read.arrival.state, read.ticket.title]).toEqual(['processed', 'Four']);
  });
});
