import type { AbandonedAttempt, AttemptOutcome } from '#libs/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { aDelivery, aFailure, anAnswer } from '../../../../../test/support/attempts.js';
import { AttemptsService } from './attempts.service.js';
import { STOPPING } from './due-delivery.js';

const STEP = { kind: 'delivered' };

function newService({ obstacle = null as unknown, refusal = undefined as unknown, post = fails as () => unknown }) {
  const permit = { kind: 'permit', end: vi.fn<(end: string) => void>() };
  const closed: string[] = [];
  const service = new AttemptsService(
    { obstacleTo: () => obstacle, sign: () => 'request', nextStep: () => STEP } as never,
    { acquire: async () => refusal ?? permit, close: () => closed.push('receivers') } as never,
    { post: async () => post(), close: () => closed.push('client') } as never,
  );
  return { service, permit, closed };
}

const fails = (): never => {
  throw new Error('No such key.');
};

describe('an attempt', () => {
  const abandoned: AbandonedAttempt = { kind: 'abandoned', durationMs: 10 };

  it.each<[string, AttemptOutcome]>([
    ['accepted', anAnswer(204)],
    ['failed', anAnswer(500)],
    ['failed', aFailure('dns')],
    ['timed_out', aFailure('timeout')],
  ])('ends its permit as %s and returns the step', async (end, outcome) => {
    const { service, permit } = newService({ post: () => outcome });
    const delivery = aDelivery();

    expect(await service.attempt(delivery)).toEqual({ delivery, request: 'request', outcome, step: STEP });
    expect(permit.end).toHaveBeenCalledExactlyOnceWith(end);
  });

  it('postpones an abandoned attempt', async () => {
    const { service, permit } = newService({ post: () => abandoned });

    expect(await service.attempt(aDelivery())).toBe(STOPPING);
    expect(permit.end).toHaveBeenCalledExactlyOnceWith('abandoned');
  });

  it('returns its permit when the request cannot be signed or sent', async () => {
    const { service, permit } = newService({});

    await expect(service.attempt(aDelivery())).rejects.toThrow('No such key.');
    expect(permit.end).toHaveBeenCalledExactlyOnceWith('abandoned');
  });

  it('postpones for an obstacle before it takes a permit', async () => {
    const obstacle = { reason: 'paused', forMs: 0 };

    expect(await newService({ obstacle }).service.attempt(aDelivery())).toBe(obstacle);
  });

  it('postpones while the receiver or host has no room', async () => {
    const { service } = newService({ refusal: { kind: 'busy', forMs: 700 } });

    expect(await service.attempt(aDelivery())).toEqual({ reason: 'busy', forMs: 700 });
  });
});

it('abandonAll ends open requests and waiting deliveries', () => {
  const { service, closed } = newService({});

  service.abandonAll();

  expect(closed).toEqual(['client', 'receivers']);
});
