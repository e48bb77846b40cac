// @module-tag long
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedApplication, seedToken } from '#test/support/seed.js';
import { InstalledSdk } from './installed-sdk.js';

let desk: Desk;
let sdk: InstalledSdk;
// oxlint-disable-next-line typescript/no-explicit-any
let library: any;
beforeAll(async () => {
  [desk, sdk] = await Promise.all([startDesk(), InstalledSdk.pack()]);
  [library] = await Promise.all([sdk.load(), desk.worker()]);
}, 180_000);
afterAll(async () => {
  await sdk.remove();
  await desk.stop();
});

const tokenOf = async (applicationId: string | null) =>
  seedToken(desk.sql, { accountId: desk.account.id, agentId: desk.account.owner.id, applicationId });

interface NoteAdded {
  readonly causedBy: (id: string) => boolean;
  readonly record: { readonly links: { readonly ticket: { readonly href: string } } };
}

/** Answers each note with a note, except its own. */
async function startBot(token: string, ownId: string) {
  const client = new library.Deskwire({ baseUrl: desk.base, token });
  const ignored: string[] = [];
  const failures: unknown[] = [];
  const keys: string[] = [];
  const onEvent = async ({ causedBy, record }: NoteAdded): Promise<void> => {
    const { href } = record.links.ticket;
    const number = Number(href.split('/').at(-1));
    if (causedBy(ownId)) ignored.push(href);
    else await client.post('/v1/tickets/{number}/messages', { path: { number }, body: { body: 'Noted.', note: true } });
  };
  const onError = (error: unknown) => void failures.push(error);
  const server = createServer(library.nodeWebhook({ keys, onEvent, onError }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  keys.push((await client.post('/v1/webhooks', { body: { event: 'note_added', url } })).webhook.secret);
  return { ignored, failures };
}

it.each(['an application', 'a personal access token'])(
  'recognises the echoes of its own changes with %s',
  async (kind) => {
    const applicationId = kind === 'an application' ? await seedApplication(desk.sql, 'Bot') : null;
    const token = await tokenOf(applicationId);
    const me = (await desk.client(token).get('/v1/me')).body;
    const { ignored, failures } = await startBot(token, applicationId ?? me.token.id);
    const { number } = await startTicket(desk);

    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Please look.', note: true });
    await eventually(() => ignored.length === 1);

    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;
    const notes = messages.map(({ body }: { body: string }) => body).filter((body: string) => body === 'Noted.');
    expect(notes).toEqual(['Noted.']);
    expect(failures).toEqual([]);
  },
);
