// @module-tag long
import { type ChildProcess, spawn } from 'node:child_process';
import { newWebhookSecret, signatureHeaders } from '#libs/delivery';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { eventually } from '#test/support/eventually.js';

let receiver: ChildProcess | undefined;
afterEach(() => receiver?.kill());

it('prints whether the signature of a webhook covers the kind that it prints', async () => {
  const [secret, port] = [newWebhookSecret(), `${await freePort()}`];
  const words = ['dist/apps/receiver/src/main.js', '--port', port, '--secret', secret];
  receiver = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  receiver.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await eventually(() => printed.includes('Waiting for webhooks'));
  const body = Buffer.from('{"number":42}');
  const ids = { accountId: 'account', webhookId: 'webhook', cause: { type: 'agent' } } as const;
  const request = {
    ...ids,
    eventId: 'event',
    kind: 'ticket_closed',
    sequence: 1,
    attempt: 1,
    aliases: [],
    version: '1',
  };
  const headers = signatureHeaders({ ...request, secrets: [secret], timestamp: new Date(), body, test: true });

  for (const changes of [{}, { 'webhook-event': 'ticket_deleted' }, { 'webhook-test': 'false' }])
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { ...headers, ...changes }, body });

  const verdicts = () =>
    [...printed.matchAll(/^(\w+).*?  attempt 1 .* id event  (.+)$/gm)].map(([, ...found]) => found);
  await eventually(() => verdicts().length === 3);
  expect(verdicts()).toEqual([
    ['ticket_closed', 'signature ok'],
    ['ticket_deleted', 'INVALID SIGNATURE'],
    ['ticket_closed', 'INVALID SIGNATURE'],
  ]);
});
