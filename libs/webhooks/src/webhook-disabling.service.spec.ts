import { describe, expect, it } from 'vitest';
import { webhookHealth } from './webhook-disabling.service.js';

const now = new Date('2026-03-10T12:00:00.000Z');
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

describe('webhookHealth', () => {
  it.each([
    ['a webhook whose last attempt succeeded', null, 0, 'healthy'],
    ['a webhook that has failed since today', daysAgo(0.5), 5_000, 'healthy'],
    ['a webhook that has failed for almost five days', daysAgo(4.999), 100, 'healthy'],
    ['a rarely used webhook that has failed for five days', daysAgo(5), 9, 'healthy'],
    ['a webhook that has failed for five days', daysAgo(5), 10, 'failing'],
    ['a webhook that has failed for weeks', daysAgo(40), 1_000, 'failing'],
  ] as const)('rates %s correctly', (_name, failingSince, failedDeliveries, expected) => {
    expect(webhookHealth({ failingSince, failedDeliveries, now })).toBe(expected);
  });
});
