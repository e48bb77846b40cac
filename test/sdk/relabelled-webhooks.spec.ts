// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

interface Registered {
  readonly id: string;
  readonly secret: string;
  readonly keys_url: string;
}

async function register(event: string) {
  const receiver = await desk.receiver();
  const wanted = { event, url: receiver.url, signatures: ['v1a'] };
  const webhook = (await desk.client().post('/v1/webhooks', wanted)).body.webhook as Registered;
  const published = await desk.anonymous().get(webhook.keys_url.replace(desk.settings.PUBLIC_URL, ''));
  return { ...webhook, receiver, publicKey: (published.body.keys as { whpk: string }[])[0]!.whpk };
}

/** A test delivery of this webhook, as its receiver got it. */
async function testDelivery({ id, receiver }: Awaited<ReturnType<typeof register>>): Promise<ReceivedRequest> {
  const before = receiver.requests.length;
  await desk.client().post(`/v1/webhooks/${id}/test`);
  return (await receiver.received(before + 1))[before]!;
}

const verified = ({ headers, body }: Pick<ReceivedRequest, 'headers' | 'body'>, key: string) =>
  library.verifyWebhook({ headers, body }, { keys: key }).then(
    ({ kind, isTest }: { kind: string; isTest: boolean }) => ({ kind, isTest }),
    (error: Error) => `${error.name}: ${error.message}`,
  );

const REFUSED = 'InvalidWebhook: No signature of the request fits one of the keys.';

describe('the SDK of another receiver of the account', () => {
  it('refuses a test delivery that was relabelled as a real event of another kind', async () => {
    const [mine, theirs] = [await register('ticket_closed'), await register('ticket_deleted')];
    const { body, headers } = await testDelivery(mine);
    const { 'webhook-test': _test, ...others } = headers;
    const relabelled = { body, headers: { ...others, 'webhook-event': 'ticket_deleted' } };

    expect(await verified({ body, headers }, mine.publicKey)).toEqual({ kind: 'ticket_closed', isTest: true });
    expect(await verified(relabelled, theirs.publicKey)).toBe(REFUSED);
    expect(await verified(relabelled, mine.publicKey)).toBe(REFUSED);
    expect(await verified(relabelled, mine.secret)).toBe(REFUSED);
  });

  it('refuses an unchanged delivery of another webhook', async () => {
    const [mine, theirs] = [await register('ticket_opened'), await register('ticket_tagged')];

    expect(await verified(await testDelivery(mine), theirs.publicKey)).toBe(REFUSED);
  });
});

const entriesOf = ({ headers }: ReceivedRequest) => String(headers['webhook-signature']).split(' ');
const withHeaders = ({ body, headers }: ReceivedRequest, changes: Record<string, string>) => ({
  body,
  headers: { ...headers, ...changes },
});

describe('the SDK of the receiver itself', () => {
  it('refuses a delivery without the entries that cover its kind, and says so', async () => {
    const webhook = await register('agent_invited');
    const request = await testDelivery(webhook);
    const [v1, v1a] = entriesOf(request);

    for (const [entry, key] of [
      [v1!, webhook.secret],
      [v1a!, webhook.publicKey],
    ] as const)
      expect(await verified(withHeaders(request, { 'webhook-signature': entry }), key)).toBe(
        'InvalidWebhook: webhook-signature has no entry dw1 or dw1a, so the kind of the event is not signed.',
      );
  });

  it('refuses a delivery with the entries of another one, or with another time', async () => {
    const webhook = await register('agent_archived');
    const [first, second] = [await testDelivery(webhook), await testDelivery(webhook)];
    const mixed = [...entriesOf(first).slice(0, 2), ...entriesOf(second).slice(2)].join(' ');
    const later = String(Number(first.headers['webhook-timestamp']) + 1);

    for (const key of [webhook.secret, webhook.publicKey]) {
      expect(await verified(withHeaders(first, { 'webhook-signature': mixed }), key)).toBe(REFUSED);
      expect(await verified(withHeaders(first, { 'webhook-timestamp': later }), key)).toBe(REFUSED);
    }
  });

  it('returns the signed kind when the alias header names another', async () => {
    const webhook = await register('ticket_moved');
    const request = await testDelivery(webhook);

    expect(request.headers['x-desk-event']).toBe('ticket_moved');
    const changed = withHeaders(request, { 'x-desk-event': 'ticket_deleted' });
    expect(await verified(changed, webhook.publicKey)).toEqual({ kind: 'ticket_moved', isTest: true });
  });
});
