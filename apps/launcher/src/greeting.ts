import path from 'node:path';
import type { FirstRunResult } from './first-run.js';

const RECEIVER = 'http://127.0.0.1:4000/';

/** Printed when everything runs. The credentials are shown after the first start only. */
export function greeting(
  { baseUrl, smtpUrl }: { readonly baseUrl: string; readonly smtpUrl: string | undefined },
  folder: string,
  made: FirstRunResult | undefined,
): string {
  const lines = [
    '',
    `Deskwire is ready at ${baseUrl} (API reference: ${baseUrl}/docs). Ctrl-C stops it.`,
    ...(smtpUrl === undefined ? [] : [`Mail for mailboxes is accepted at ${smtpUrl}`]),
    `Data and logs: ${folder}`,
    ...(made ? [...credentials(made, folder), ...nextCommands(made)] : []),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function credentials(made: FirstRunResult, folder: string): string[] {
  return [
    '',
    `A demonstration account was made. This is shown once; ${path.join(folder, 'first-run.json')} keeps it:`,
    '',
    `  Sign in as      ${made.owner.email}   password  ${made.owner.password}`,
    `  Mailbox         ${made.mailbox}`,
    `  Application     client_id      ${made.client_id}`,
    `                  client_secret  ${made.client_secret}`,
    `                  redirect_uri   ${made.redirect_uri}`,
    `  Access token    ${made.token}`,
  ];
}

function nextCommands(made: FirstRunResult): string[] {
  const ticket = {
    subject: 'The printer is on fire',
    body: 'It started this morning.',
    from: 'customer@example.com',
    to: made.mailbox,
  };
  return [
    '',
    'Try it, in a second and a third terminal:',
    '',
    'npm run receiver',
    '',
    post(made, '/v1/webhooks', { event: 'ticket_started', url: RECEIVER }),
    '',
    post(made, '/v1/tickets', ticket),
    ...(made.smtp_url === undefined ? [] : ['', mail(made, made.smtp_url)]),
  ];
}

function mail({ mailbox }: FirstRunResult, smtpUrl: string): string {
  const text = String.raw`From: customer@example.com\nSubject: By mail\n\nIt burns on the second floor as well.\n`;
  const envelope = `--mail-from customer@example.com --mail-rcpt ${mailbox}`;
  return `printf '${text}' | curl -sS ${envelope} --upload-file - ${smtpUrl}`;
}

/** One line, so that it can be pasted into any shell. */
function post({ base_url, token }: FirstRunResult, address: string, body: object): string {
  const headers = `-H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json'`;
  return `curl -sS ${base_url}${address} ${headers} -d '${JSON.stringify(body)}'`;
}
