// @module-tag long
import { afterAll, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { startDesk } from '#test/support/desk.js';
import type { Receiver } from '#test/support/receiver.js';
import { insertWebhooks } from '#test/support/webhooks.js';

const WEBHOOKS = 20;
const EVENTS = 100;
const ANSWER_MS = 2_000;

/** Maximum requests of all workers before the host has answered. */
const FIRST_ROUND = 100;

const desk = await startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '600' } });
afterAll(() => desk.stop());

/** The maximum number of requests that arrived within the time of one response. */
function largestRound({ requests }: Receiver): number {
  const rounds = new Map<number, number>();
  for (const { at } of requests) {
    const round = Math.floor((at - requests[0]!.at) / ANSWER_MS);
    rounds.set(round, (rounds.get(round) ?? 0) + 1);
  }
  return Math.max(...rounds.values());
}

describe('a host that accepts everything after two seconds', { timeout: 90_000 }, () => {
  it('gets more at once with each round of responses, from a newly started worker', async () => {
    const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: ANSWER_MS }] });
    await insertWebhooks(
      desk,
      Array.from({ length: WEBHOOKS }, (_, place) => `${receiver.url}${place}`),
    );
    await recordEvents(desk, EVENTS);
    await desk.worker();

    // In rounds of 100, 200, 400, 800 and 500 it takes 10 s.
    await receiver.received(WEBHOOKS * EVENTS, { withinMs: 30_000 });

    expect(largestRound(receiver)).toBeGreaterThan(3 * FIRST_ROUND);
    expect(receiver.requests).toHaveLength(WEBHOOKS * EVENTS);
  });
});
