// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import type { ReceivedRequest } from '#test/support/receiver.js';
import { InstalledSdk } from './installed-sdk.js';

let desk: Desk;
let sdk: InstalledSdk;
// oxlint-disable-next-line typescript/no-explicit-any
let library: any;
beforeAll(async () => {
  const settings = { EVENT_HEADER_ALIASES: 'X-Desk-Event' };
  [desk, sdk] = await Promise.all([startDesk({ settings }), InstalledSdk.pack()]);
  [library] = await Promise.all([sdk.load(), desk.worker()]);
}, 180_000);
afterAll(async () => {
  await sdk.remove();
  await desk.stop();
});

/** Registers a webhook, and returns its key and two test deliveries. */
async function register(event: string) {
  const receiver = await desk.receiver();
  const client = desk.client();
  const { webhook } = (await client.post('/v1/webhooks', { event, url: receiver.url, signatures: ['v1a'] })).body;
  const { keys } = (await desk.anonymous().get(webhook.keys_url.replace(desk.settings.PUBLIC_URL, ''))).body;
  for (let sent = 1; sent <= 2; sent++) {
    await client.post(`/v1/webhooks/${webhook.id}/test`);
    await receiver.received(sent);
  }
  return { publicKey: keys[0].whpk as string, requests: receiver.requests };
}

const verified = ({ headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>, key: string) =>
  library.verifyWebhook({ headers, body }, { keys: key }).then(
    ({ kind, isTest }: { kind: string; isTest: boolean }) => ({ kind, isTest }),
    (error: Error) => `${error.name}: ${error.message}`,
  );

const entriesOf = ({ headers }: ReceivedRequest) => String(headers['webhook-signature']).split(' ');

const ACCEPTED = { kind: 'ticket_closed', isTest: true };
const REFUSED = 'InvalidWebhook: No signature of the request fits one of the keys.';

/** Secrets have the same cases in `signed-cases.ts`. */
it('accepts a delivery by the public key of its webhook, and none that was relabelled', async () => {
  const [mine, theirs] = [await register('ticket_closed'), await register('ticket_deleted')];
  const [first, second] = mine.requests as [ReceivedRequest, ReceivedRequest];
  const [, v1a = ''] = entriesOf(first);
  const mixed = [...entriesOf(first).slice(0, 2), ...entriesOf(second).slice(2)].join(' ');
  const changed = (changes: object, body = first.body) =>
    verified({ body, headers: { ...first.headers, ...changes } }, mine.publicKey);

  expect(first.headers['x-desk-event']).toBe('ticket_closed');
  expect(await changed({})).toEqual(ACCEPTED);
  expect(await changed({ 'x-desk-event': 'ticket_deleted' })).toEqual(ACCEPTED);
  for (const changes of [
    { 'webhook-event': 'ticket_deleted' },
    { 'webhook-test': undefined },
    { 'webhook-account': mine.publicKey },
    { 'webhook-endpoint': theirs.publicKey },
    { 'webhook-test': undefined, 'webhook-event': 'ticket_deleted' },
    { 'webhook-signature': mixed },
    { 'webhook-timestamp': String(Number(first.headers['webhook-timestamp']) + 1) },
  ])
    expect([changes, await changed(changes)]).toEqual([changes, REFUSED]);
  expect(await changed({}, `${first.body} `)).toBe(REFUSED);
  expect(await verified(first, theirs.publicKey)).toBe(REFUSED);
  expect(await changed({ 'webhook-signature': v1a })).toBe(
    'InvalidWebhook: webhook-signature has no entry dw1 or dw1a, so the kind of the event is not signed.',
  );
});
