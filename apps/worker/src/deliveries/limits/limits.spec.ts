import { definedStatements } from '#libs/database';
import '#libs/webhooks';
import { describe, expect, it } from 'vitest';
import * as limits from './limits.js';

describe('limits', () => {
  it('queues enough for a slow webhook to probe it', () => {
    expect(limits.MAX_QUEUED_PER_SLOW_WEBHOOK).toBeGreaterThanOrEqual(limits.PROBE_RECEIVER_LIMIT);
    expect(limits.PROBE_RECEIVER_LIMIT).toBeLessThan(limits.INITIAL_RECEIVER_LIMIT);
  });

  it('lets every worker reclaim its deliveries before a lost queue is filled again', () => {
    const reclaimed = limits.QUEUE_LOSS_CHECK_MS + limits.RECLAIM_DELAY_MS;
    expect(limits.RELEASED_DUE_AFTER_MS).toBeGreaterThan(reclaimed);
  });

  it('starts every process above the minimum concurrency', () => {
    expect(limits.MIN_CONCURRENCY_BESIDE_EXPRESS).toBeLessThan(limits.MIN_CONCURRENCY);
    expect(limits.MIN_CONCURRENCY).toBeLessThan(limits.FIRST_CONCURRENCY);
  });

  it('marks a slow receiver again before it counts as prompt', () => {
    const texts = definedStatements().map(({ text }) => text.replaceAll(/\s+/g, ' '));
    const pauses = texts.flatMap((text) => [...text.matchAll(/slow_until[^;]{0,60}? interval '(\d+) seconds'/g)]);
    expect(pauses).toHaveLength(3);
    for (const [, seconds] of pauses) expect(Number(seconds) * 1_000).toBeLessThan(limits.RECEIVER_SLOW_FOR_MS);
  });

  it('lets no replay fill a round of the feeder, and gives others turns between its steps', () => {
    expect(limits.MAX_DUE_PER_REPLAY).toBeLessThan(limits.FEED_BATCH);
    expect(limits.REPLAY_STEP_PAUSE_MS).toBeLessThan(limits.REPLAY_FULL_PAUSE_MS);
  });

  it('detects a slow request before its receiver counts as silent', () => {
    expect(limits.RECEIVER_CHECK_MS).toBeLessThan(limits.PROMPT_WITHIN_MS);
    expect(limits.PROMPT_WITHIN_MS).toBeLessThan(limits.SILENT_AFTER_MS);
    expect(limits.SILENT_AFTER_MS).toBeLessThan(limits.RECEIVER_SLOW_FOR_MS);
  });
});
