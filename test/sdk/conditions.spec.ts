// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { InstalledSdk } from './installed-sdk.js';

const server = deskForFile();
let sdk: InstalledSdk;
// oxlint-disable-next-line typescript/no-explicit-any
let library: any;
beforeAll(async () => {
  sdk = await InstalledSdk.pack();
  library = await sdk.load();
}, 180_000);
afterAll(() => sdk.remove());

const connect = () => new library.Deskwire({ baseUrl: server.base, token: server.account.owner.token });

describe('a call of the SDK', () => {
  it('refuses a misspelt filter, on every page and in the feed of changes, and names the right one', async () => {
    const strict = connect();
    const misspelt = { query: { status: 'opened' } };

    for (const call of [
      () => strict.get('/v1/tickets', misspelt),
      () => strict.list('/v1/tickets', misspelt).next(),
      () => strict.get('/v1/changes', misspelt),
    ])
      await expect(call()).rejects.toMatchObject({ status: 400, code: 'invalid_request' });
    await expect(strict.get('/v1/tickets', misspelt)).rejects.toThrow('Did you mean state?');
  });

  it('replies only if nothing changed, with ifMatch', async () => {
    const desk = connect();
    const parties = { from: 'ana@client.test', to: server.account.mailbox.email };
    const { number } = (await desk.post('/v1/tickets', { body: { body: 'Hello', title: 'Help', ...parties } })).ticket;
    const etag = (await server.client().get(`/v1/tickets/${number}`)).headers.get('etag');
    const reply = () =>
      desk.post('/v1/tickets/{number}/messages', { path: { number }, body: { body: 'Yes?' }, ifMatch: etag });

    expect((await reply()).message.body).toBe('Yes?');
    await expect(reply()).rejects.toMatchObject({ status: 412, code: 'precondition_failed' });
  });
});
