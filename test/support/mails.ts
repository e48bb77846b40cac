import { eventually } from './eventually.js';
import type { ApiResponse } from './api-client.js';
import type { Desk } from './desk.js';

let count = 0;
/** All have one length, so that the size of an email is the same in every run. */
export const newMailId = (): string => `<mail-${digits(++count)}.${digits(process.pid)}@client.test>`;
const digits = (number: number): string => String(number).padStart(8, '0');

/** An email as a program writes it. Given headers replace those of a plain mail, and null omits one. */
export function mailText(
  headers: Readonly<Record<string, string | null>> = {},
  body = 'It started this morning.',
): string {
  const all = {
    From: 'Ana Lima <ana@client.test>',
    To: 'support@desk.test',
    Subject: 'The printer is on fire',
    'Message-ID': newMailId(),
    Date: 'Mon, 03 Mar 2025 10:11:12 +0100',
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  return `${lines.join('\r\n')}\r\n\r\n${body}\r\n`;
}

/** An email with these parts, each with its own header lines. */
export function multipartMail(
  parts: readonly { readonly headers?: readonly string[]; readonly body: string }[],
  { type = 'mixed', headers = {} }: { type?: string; headers?: Parameters<typeof mailText>[0] } = {},
): string {
  const lines = parts.flatMap(({ headers: own = [], body }) => ['--edge', ...own, '', body]);
  const contentType = `multipart/${type}; boundary=edge`;
  return mailText({ 'Content-Type': contentType, ...headers }, [...lines, '--edge--'].join('\r\n'));
}

/** An email that is nested too deeply to be parsed. */
export function unreadableMail(headers: Parameters<typeof mailText>[0] = {}): string {
  const body = Array.from({ length: 60 }, (_, n) => partWithin(n)).join('\r\n');
  return mailText({ 'Content-Type': 'multipart/mixed; boundary=b0', ...headers }, body);
}

const partWithin = (n: number): string => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n`;

export interface PostMailOptions {
  readonly mailbox?: string;
  readonly token?: string;
  readonly type?: string;
  readonly key?: string;
}

/** Posts an email as a bridge would. */
export function postMail(
  desk: Desk,
  mail: string | Uint8Array,
  { mailbox = desk.account.mailbox.email, token, type = 'message/rfc822', key }: PostMailOptions = {},
): Promise<ApiResponse> {
  const headers = { 'content-type': type, ...(key !== undefined && { 'idempotency-key': key }) };
  return desk.client(token).post(`/v1/mailboxes/${mailbox}/raw`, mail, headers);
}

export interface ProcessedMail {
  readonly arrival: ApiResponse['body'];
  readonly ticket: ApiResponse['body'];
  readonly message: ApiResponse['body'];
}

/** The outcome of an email after a worker has processed it. */
export async function processed(
  desk: Desk,
  mail: string | Uint8Array,
  options: PostMailOptions = {},
): Promise<ProcessedMail> {
  const posted = await postMail(desk, mail, options);
  if (posted.status !== 202) throw new Error(`not accepted: ${posted.status} ${posted.text}`);
  return whatBecameOf(desk, posted.body.arrival);
}

export async function whatBecameOf(desk: Desk, { href }: { readonly href: string }): Promise<ProcessedMail> {
  const path = new URL(href).pathname;
  const arrival = await eventually(
    async () => {
      const found = (await desk.client().get(path)).body.arrival;
      return found.state !== 'waiting' && found;
    },
    // The first email waits until the worker runs.
    { withinMs: 30_000 },
  );
  const read = async (link: { href: string } | undefined): Promise<ApiResponse['body']> =>
    link ? (await desk.client().get(new URL(link.href).pathname)).body : {};
  const { ticket } = await read(arrival.links.ticket);
  const { message } = await read(arrival.links.message);
  return { arrival, ticket, message };
}
