import { describe, expect, it } from 'vitest';
import { HOST, requests } from '#test/support/requests.js';
import { FailureAllowance } from './failure-allowance.js';

describe('FailureAllowance', () => {
  it('forgives failures at its rate, and never more than there are', () => {
    const allowance = new FailureAllowance(() => 10);
    for (let one = 0; one < 4; one++) allowance.count(1_000);

    expect([1_000, 1_200, 1_300, 5_000].map((now) => allowance.unforgiven(now))).toEqual([4, 2, 1, 0]);
    allowance.count(5_000);
    expect(allowance.unforgiven(5_000)).toBe(1);
  });
});

describe('failures of a host', () => {
  it('let further deliveries wait half a second, and return at the allowance', async () => {
    const host = requests(HOST);
    await host.ask(200);
    await host.answerRounds(1, 1, 'failed');
    await host.ask(300);

    expect(host.limiter.waitingCount).toBe(100);
    expect(host.pauses.slice(0, 3)).toEqual([1_000, 1_005, 1_010]);
    expect(host.pauses.at(-1)).toBe(1_995);
  });

  it('do not slow a host that accepts as many requests', async () => {
    const host = requests(HOST);
    await host.ask(200);
    host.now += 1;
    for (const startedAt of host.open.splice(0, 100)) host.limiter.end('failed', startedAt, host.now);
    await host.ask(1_000);

    expect(host.limiter.waitingCount).toBe(1_000);
  });

  it('do not slow a host that accepts most requests', async () => {
    const host = requests(HOST);
    let accepted = 0;
    for (let round = 0; round < 100; round++) {
      await host.ask(60);
      host.now += 10;
      await host.end('accepted');
      accepted += 60;
      await host.ask(1);
      await host.end('failed');
    }

    expect(accepted).toBe(6_000);
    expect(host.pauses).toEqual([]);
    expect(host.limiter.waitingCount).toBe(0);
  });
});
