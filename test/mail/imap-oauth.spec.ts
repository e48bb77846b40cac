// @module-tag long
import { once } from 'node:events';
import fs from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../receivers/certificate.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ImapServer } from '#test/support/imap/server.js';
import { mailText } from '#test/support/mails.js';

let desk: Desk;
let imapServer: ImapServer;
let tokens: Server;
let asked: Record<string, string>[] = [];
let resource: string;
beforeAll(async () => {
  const certificate = selfSigned({ name: 'token.localhost' });
  const file = path.join(os.tmpdir(), 'token-authority.pem');
  fs.writeFileSync(file, certificate.cert);
  desk = await startDesk({ settings: { MAIL_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128' } });
  tokens = createServer(certificate, (request, response) => void changeToken(request, response));
  await once(tokens.listen(0), 'listening');
  await desk.worker({ NODE_EXTRA_CA_CERTS: file });
});
afterAll(async () => {
  tokens.close();
  await desk.stop();
});
/** Returns a new refresh token each time, as servers with token rotation do. */
async function changeToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(Object.fromEntries(new URLSearchParams(await text(request))));
  const isKnown = asked.at(-1)!['refresh_token']?.startsWith('refresh');
  imapServer.accessToken = `access ${asked.length}`;
  const answer = isKnown
    ? { access_token: imapServer.accessToken, refresh_token: `refresh ${asked.length}`, expires_in: 3600 }
    : { error: 'invalid_grant', error_description: 'The token was revoked' };
  response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

beforeEach(async () => {
  asked = [];
  imapServer = await ImapServer.start();
  resource = `/v1/mailboxes/${(await addMailbox(desk)).id}/imap`;
});

const save = (refreshToken: string) => {
  const { password: _, ...server } = imapServer.settings;
  const url = `https://token.localhost:${(tokens.address() as AddressInfo).port}/token`;
  const client = { client_id: 'desk', client_secret: 'secret of the client', refresh_token: refreshToken };
  return desk.client().put(resource, { ...server, token_url: url, ...client });
};
const imap = async () => (await desk.client().get(resource)).body.imap;
const inState = (state: string) =>
  eventually(async () => (await imap()).state === state && imap(), { withinMs: 25_000 });

describe('a mailbox that signs in by OAuth', () => {
  it('exchanges its refresh token for each connection, and stores a rotated one', async () => {
    const from = newEmail();
    const { text: answer } = await save('refresh 0');
    await inState('connected');
    imapServer.disconnect();
    await eventually(() => asked.length === 2, { withinMs: 25_000 });
    await inState('connected');
    imapServer.inbox.add(mailText({ From: from }));

    expect(answer).not.toMatch(/refresh 0|secret of the client/);
    expect(asked).toEqual(
      ['refresh 0', 'refresh 1'].map((token) => ({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: 'desk',
        client_secret: 'secret of the client',
      })),
    );
    await eventually(async () => (await desk.client().get(`/v1/tickets?customer=${from}`)).body.tickets.length === 1, {
      withinMs: 25_000,
    });
    await desk.client().delete(resource);
    await imapServer.stop();
  });

  it('shows why the token was rejected', async () => {
    await save('no longer good');

    expect((await inState('failing')).last_error).toBe(
      'The token URL refused the refresh token: The token was revoked.',
    );
    await desk.client().delete(resource);
    await imapServer.stop();
  });
});
