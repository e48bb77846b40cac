import type { Settings } from '#libs/settings';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { FixedClock } from '#test/support/attempt-worker.js';
import { EVENT_ID, NOW, aDelivery, aFailure } from '#test/support/attempts.js';
import { AttemptPolicyService } from './attempt-policy.service.js';

const policy = new AttemptPolicyService(
  {
    WEBHOOK_RETRY_SCHEDULE: [10, 100],
    WEBHOOK_TIMEOUT_MS: 7_000,
    EVENT_HEADER_ALIASES: ['X-Event'],
    SECRETS_KEY: [{ id: 'key', key: Buffer.alloc(32, 3) }],
  } as unknown as Settings,
  new FixedClock(),
);

it('signs the body of the event for its next attempt', () => {
  const delivery = aDelivery({ attempts: 2, credentials: { 'x-api-key': 'a1b2c3d4' } });
  const { headers, ...request } = policy.sign(delivery);

  const { url, credentials } = delivery;
  expect(request).toEqual({ url, credentials, body: delivery.event.body, timeoutMs: 7_000, startedAt: NOW });
  expect(headers).not.toHaveProperty('x-api-key');
  expect(headers).toMatchObject({
    'webhook-id': EVENT_ID,
    'webhook-event': 'ticket_started',
    'webhook-sequence': '42',
    'webhook-attempt': '3',
    'webhook-timestamp': `${NOW.getTime() / 1000}`,
    'x-event': 'ticket_started',
  });
  expect(headers['user-agent']).toMatch(/^Deskwire-Webhooks\/\d/);
  expect(headers).not.toHaveProperty('webhook-key-id');
  expect(headers['webhook-signature']!.split(' ')[0]).toBe(
    new Webhook(delivery.secrets[0]!).sign(EVENT_ID, NOW, delivery.event.body.toString()),
  );
});

it('adds the signatures of the webhook’s own key if it wants them', () => {
  const { headers } = policy.sign(aDelivery({ publiclySigned: true }));
  const other = policy.sign(aDelivery({ publiclySigned: true, webhookId: 'other' }));

  expect(headers['webhook-key-id']).toMatch(/^\S+$/);
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+ dw1,\S+ dw1a,\S+$/);
  expect(other.headers['webhook-key-id']).not.toBe(headers['webhook-key-id']);
});

it('takes the wait of the attempt from the schedule, in seconds', () => {
  const waits = [0, 1].map((attempts) => {
    const step = policy.nextStep(aDelivery({ attempts }), aFailure('dns'));
    return step.kind === 'retrying' ? (step.at.getTime() - NOW.getTime()) / 1_000 : NaN;
  });

  expect(Math.abs(waits[0]! - 10)).toBeLessThanOrEqual(1);
  expect(Math.abs(waits[1]! - 100)).toBeLessThanOrEqual(10);
  expect(policy.nextStep(aDelivery({ attempts: 2 }), aFailure('dns')).kind).toBe('given_up');
});
