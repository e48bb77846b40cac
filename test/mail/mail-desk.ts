import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { Certificate } from '../receivers/certificate.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { NextHop, type ReceivedMail } from '#test/support/next-hop.js';

/** For the name `localhost`. */
export const BOTH_LOOPBACKS = '127.0.0.0/8,::1/128';

type Settings = Readonly<Record<string, string>>;

/** A desk of a test file that mails its replies to a scripted server, with a mailbox and a worker. */
export async function startMailDesk(settings: Settings = {}, ofWorker: Settings = {}) {
  const hop = await NextHop.start();
  return withMailbox(await startDesk({ settings: { SMTP_URL: hop.url, ...settings } }), hop, ofWorker);
}

/** The same with people who sign in to the console. */
export async function startMailConsole(settings: Settings = {}) {
  const hop = await NextHop.start();
  const oauth = await OAuthDesk.start({ SMTP_URL: hop.url, ...settings });
  return { oauth, ...(await withMailbox(oauth.desk, hop)) };
}

async function withMailbox(desk: Desk, hop: NextHop, ofWorker: Settings = {}) {
  afterAll(async () => {
    await desk.stop();
    await hop.stop();
  });
  const mailbox: { id: string; name: string; email: string } = await addMailbox(desk);
  return { desk, hop, mailbox, worker: await desk.worker(ofWorker) };
}

/** A reply of the owner, written over the API. */
export interface Reply {
  readonly id: string;
  readonly to: string;
  readonly number: number;
  readonly delivery: string | null;
}

/** Replies to a new ticket of a new customer in this mailbox. */
export async function replyFrom(desk: Desk, mailbox: string, fields: object = {}): Promise<Reply> {
  const to = newEmail();
  const { number } = await startTicket(desk, { from: to, mailbox, subject: 'No light' });
  const wanted = { body: 'It is on its way.', ...fields };
  const { status, body, text } = await desk.client().post(`/v1/tickets/${number}/messages`, wanted);
  if (status !== 201) throw new Error(text);
  return { ...body.message, to, number };
}

export const readMessage = async (desk: Desk, id: string) =>
  (await desk.client().get(`/v1/messages/${id}`)).body.message;

/** The message once its delivery has this state. */
export const becomes = (desk: Desk, id: string, delivery: string) =>
  eventually(
    async () => {
      const message = await readMessage(desk, id);
      return message.delivery === delivery && message;
    },
    { withinMs: 20_000 },
  );

export const sendAgain = (desk: Desk, id: string) => desk.client().post(`/v1/messages/${id}/send_again`);

export const NO_SUCH_USER = 'Action: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 No such user';

/** Formats a delivery report as a remote server sends it to the Return-Path. */
export function deliveryReport({ from, raw }: ReceivedMail, fields = NO_SUCH_USER, headers: Settings = {}): string {
  const parts = [
    'Content-Type: text/plain\r\n\r\nYour mail could not be delivered.',
    `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.client.test\r\n\r\n${fields}`,
    `Content-Type: message/rfc822\r\n\r\n${raw}`,
  ];
  const type = 'multipart/report; report-type=delivery-status; boundary=edge';
  return mailText(
    { From: 'mailer-daemon@client.test', To: from, 'Auto-Submitted': 'auto-replied', 'Content-Type': type, ...headers },
    `${parts.map((part) => `--edge\r\n${part}\r\n`).join('')}--edge--`,
  );
}

/** Settings of a worker that trusts this certificate. */
export async function trusting({ cert }: Certificate): Promise<Settings> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'ca-')), 'ca.pem');
  await writeFile(file, cert);
  return { NODE_EXTRA_CA_CERTS: file };
}

/** Lets this mailbox send through its own server. */
export async function useServer(desk: Desk, mailboxId: string, server: object): Promise<void> {
  const { status, text } = await desk.client().put(`/v1/mailboxes/${mailboxId}/smtp`, server);
  if (status !== 200) throw new Error(text);
}
