// @module-tag long
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../receivers/certificate.js';
import { startDesk } from '#test/support/desk.js';
import { newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapMailbox } from '#test/support/imap/imap-mailbox.js';
import { mailText } from '#test/support/mails.js';
import { BOTH_LOOPBACKS, trusting } from './mail-desk.js';

const certificate = selfSigned({ name: 'token.localhost' });
const tokens = createServer(certificate, (request, response) => void changeToken(request, response));
await once(tokens.listen(0), 'listening');
const desk = await startDesk({ settings: { MAIL_ALLOWED_NETWORKS: BOTH_LOOPBACKS } });
await desk.worker(await trusting(certificate));
afterAll(async () => {
  tokens.close();
  await desk.stop();
});

let mailbox: ImapMailbox;
let asked: Record<string, string>[] = [];
beforeEach(async () => {
  asked = [];
  mailbox = await ImapMailbox.ofTest(desk);
});

/** Returns a new refresh token each time, as servers with token rotation do. */
async function changeToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(Object.fromEntries(new URLSearchParams(await text(request))));
  const isKnown = asked.at(-1)!['refresh_token']?.startsWith('refresh');
  mailbox.server.accessToken = `access ${asked.length}`;
  const answer = isKnown
    ? { access_token: mailbox.server.accessToken, refresh_token: `refresh ${asked.length}`, expires_in: 3600 }
    : { error: 'invalid_grant', error_description: 'The token was revoked' };
  response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

const save = (refreshToken: string) => {
  const url = `https://token.localhost:${(tokens.address() as AddressInfo).port}/token`;
  const client = { client_id: 'desk', client_secret: 'secret of the client', refresh_token: refreshToken };
  return mailbox.save({ password: undefined, token_url: url, ...client });
};

describe('a mailbox that signs in by OAuth', () => {
  it('exchanges its refresh token for each connection, and stores a rotated one', async () => {
    const from = newEmail();
    const { text: answer } = await save('refresh 0');
    await mailbox.inState('connected');
    mailbox.server.disconnect();
    await eventually(() => asked.length === 2, { withinMs: 25_000 });
    await mailbox.inState('connected');
    mailbox.server.inbox.add(mailText({ From: from }));

    expect(answer).not.toMatch(/refresh 0|secret of the client/);
    expect(asked).toEqual(
      ['refresh 0', 'refresh 1'].map((token) => ({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: 'desk',
        client_secret: 'secret of the client',
      })),
    );
    expect(await mailbox.ticketOf(from)).toMatchObject({ mailbox: mailbox.name });
  });

  it('shows why the token was rejected', async () => {
    await save('no longer good');

    expect((await mailbox.inState('failing')).last_error).toBe(
      'The token URL refused the refresh token: The token was revoked.',
    );
  });
});
