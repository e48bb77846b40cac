import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { mailLines } from '#test/support/smtp.js';

let desk: Desk;
let port: number;
beforeAll(async () => {
  port = await freePort();
  desk = await startDesk({ settings: { MAIL_LMTP_PORT: `${port}` } });
  await desk.worker();
});
afterAll(() => desk.stop());

/** Returns all lines of the server until it closes the connection. */
function said(lines: readonly string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    // The server disconnects clients that send before the greeting.
    socket.once('data', () => socket.write(`${lines.join('\r\n')}\r\nQUIT\r\n`));
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text.trimEnd().split('\r\n')));
    socket.on('error', reject);
  });
}

/** Returns the reply codes after `DATA`. */
const afterData = (answers: readonly string[]): string[] => {
  const place = answers.findIndex((line) => line.startsWith('354'));
  return answers.slice(place + 1, -1).map((line) => line.slice(0, 3));
};

describe('the LMTP port', () => {
  it('replies for each recipient, and delivers the mail to each mailbox once', async () => {
    const [from, other] = [newEmail(), await addMailbox(desk)];
    const { email } = desk.account.mailbox;
    const recipients = [email, other.email as string];
    const answers = await said(['LHLO client.test', ...mailLines(from, recipients, mailText({ From: from }))]);
    // The first email waits until the worker runs.
    const tickets = await eventually(
      async () => {
        const { body } = await desk.client().get(`/v1/tickets?customer=${from}`);
        return body.tickets.length > 1 && body.tickets;
      },
      { withinMs: 30_000 },
    );
    const { rows } = await desk.sql.query('select source from arrivals where envelope_from = $1', [from]);

    expect(afterData(answers)).toEqual(['250', '250']);
    expect(new Set(tickets.map(({ mailbox }: { mailbox: string }) => mailbox))).toEqual(
      new Set([desk.account.mailbox.name, other.name]),
    );
    expect(rows).toEqual([{ source: 'lmtp' }, { source: 'lmtp' }]);
  });

  it('accepts an email for one mailbox and refuses it for another', async () => {
    const [from, gone] = [newEmail(), await addMailbox(desk)];
    const { email } = desk.account.mailbox;
    await desk.sql.query(
      `create function refuse_gone() returns trigger language plpgsql as $$ begin
         if new.mailbox_id = '${gone.id}' then raise exception 'no'; end if; return new; end $$;
       create trigger refuse_gone before insert on arrivals for each row execute function refuse_gone()`,
    );
    const lines = mailLines(from, [email, gone.email as string], mailText({ From: from }));
    const answers = await said(['LHLO client.test', ...lines]);
    await desk.sql.query('drop trigger refuse_gone on arrivals');
    const { rows } = await desk.sql.query('select mailbox_id from arrivals where envelope_from = $1', [from]);

    expect(afterData(answers)).toEqual(['250', '451']);
    expect(rows).toEqual([{ mailbox_id: desk.account.mailbox.id }]);
  });

  it('replies for each accepted recipient, also if it is named repeatedly', async () => {
    const [from, other] = [newEmail(), await addMailbox(desk)];
    const { email } = desk.account.mailbox;
    const repeated = [email, other.email as string, email.toUpperCase(), ...Array.from({ length: 60 }, () => email)];
    const answers = await said(['LHLO client.test', ...mailLines(from, repeated, mailText({ From: from }))]);
    const accepted = answers.filter((line) => line === '250 Accepted').length - 1;
    const { rows } = await desk.sql.query('select mailbox_id from arrivals where envelope_from = $1', [from]);

    expect(accepted).toBe(50);
    expect(afterData(answers)).toEqual(Array.from({ length: accepted }, () => '250'));
    expect(rows).toHaveLength(2);
  });

  it('refuses a recipient that is not a mailbox, and accepts only LHLO as a greeting', async () => {
    const answers = await said(['EHLO client.test', 'LHLO client.test', 'MAIL FROM:<a@b.test>', 'RCPT TO:<no@b.test>']);

    expect(answers.at(1)).toMatch(/^500/);
    expect(answers.at(-2)).toMatch(/^550/);
  });
});
