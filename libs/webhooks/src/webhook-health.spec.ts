import { describe, expect, it } from 'vitest';
import { webhookHealth } from './webhook-health.js';

const now = new Date('2026-03-10T12:00:00.000Z');
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

describe('the health of a webhook', () => {
  it.each([
    ['whose last attempt went well', null, 0, 'healthy'],
    ['that fails since today', daysAgo(0.5), 5_000, 'healthy'],
    ['that fails since almost five days', daysAgo(4.999), 100, 'healthy'],
    ['that fails since five days, rarely used', daysAgo(5), 9, 'healthy'],
    ['that fails since five days', daysAgo(5), 10, 'failing'],
    ['that fails since weeks', daysAgo(40), 1_000, 'failing'],
  ] as const)('%s', (_name, failingSince, failedDeliveries, expected) => {
    expect(webhookHealth({ failingSince, failedDeliveries, now })).toBe(expected);
  });
});
