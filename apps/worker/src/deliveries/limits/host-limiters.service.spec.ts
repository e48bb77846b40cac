import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HostRefusal, type HostRequest, HostLimitersService } from './host-limiters.service.js';
import { LiveWorkersService } from '../../live-workers.service.js';

const SETTINGS = { WEBHOOK_HOST_CONCURRENCY: 1_000, WEBHOOK_HOST_PER_SECOND: 200 };
const URL_OF_HOST = 'https://hooks.example/';

let hosts: HostLimitersService;
let workers: LiveWorkersService;
let lent: number;
let started: { account: string; request: HostRequest }[];
let refused: HostRefusal[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  workers = new LiveWorkersService();
  lent = 0;
  hosts = new HostLimitersService(SETTINGS, { lend: () => (lent += 1), takeBack: () => (lent -= 1) }, workers);
  [started, refused] = [[], []];
});
afterEach(() => void vi.useRealTimers());

/** Requests one delivery per webhook. */
function ask(count: number, account = 'one', url = URL_OF_HOST): void {
  for (let place = 0; place < count; place++) {
    const turn = (answer: HostRequest | HostRefusal) =>
      answer.kind === 'host' ? refused.push(answer) : started.push({ account, request: answer });
    const now = hosts.request({ accountId: account, webhookId: `${account} ${place}`, url: `${url}${place}` }, turn);
    if (now) turn(now);
  }
}

function pass(ms: number, answer?: (request: HostRequest) => void): void {
  for (let step = 0; step < ms / 100; step++) {
    if (answer) for (const { request } of started.splice(0)) answer(request);
    vi.advanceTimersByTime(100);
    hosts.check(performance.now(), false);
  }
}

describe('HostLimitersService', () => {
  it('starts a hundred requests at once to a host that has not answered, whatever the spelling of its URL', () => {
    for (const url of [URL_OF_HOST, 'https://HOOKS.example.:443/', 'http://hooks.example:443/']) ask(49, 'one', url);
    expect(started).toHaveLength(100);
    ask(10, 'one', 'https://other.example/');
    expect(started).toHaveLength(110);
  });

  it('lets some deliveries wait without a slot and postpones the rest', () => {
    ask(990);

    expect(started).toHaveLength(100);
    expect(lent).toBe(250);
    expect(refused).toHaveLength(640);
    expect(Math.min(...refused.map(({ forMs }) => forMs))).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...refused.map(({ forMs }) => forMs))).toBeLessThanOrEqual(30_000);
    expect(new Set(refused.map(({ forMs }) => forMs)).size).toBeGreaterThan(500);
  });

  it('starts waiting deliveries at the rate of the host', () => {
    ask(300);
    let answered = 0;
    pass(500, (request) => {
      answered += 1;
      request.end('accepted');
    });
    expect(answered + started.length).toBeLessThan(250);
    pass(1_000, (request) => request.end('accepted'));
    expect([lent, hosts.waitingCount]).toEqual([0, 0]);
  });

  it('does not delay a host with few webhooks that answers', () => {
    for (let round = 0; round < 50; round++) {
      ask(20);
      for (const { request } of started.splice(0)) request.end('accepted');
    }
    expect(refused).toEqual([]);
    expect(lent).toBe(0);
  });

  it('serves a second account in its turn, however much the first has waiting', () => {
    ask(990, 'flooding');
    const before = refused.length;
    ask(5, 'quiet');
    expect(refused).toHaveLength(before);
    for (const { request } of started.splice(0)) request.end('accepted');

    pass(300);

    expect(started.slice(0, 10).filter(({ account }) => account === 'quiet')).toHaveLength(5);
    expect(hosts.waitingCount).toBeGreaterThan(100);
  });

  it('postpones all waiting deliveries when the host is silent', () => {
    ask(300);
    pass(1_200);

    expect([lent, hosts.waitingCount]).toEqual([0, 0]);
  });

  it('gives each worker its share', () => {
    workers.update({ count: 4, place: 0 });
    ask(990);
    expect(started).toHaveLength(25);

    workers.update({ count: 0, place: 0 });
    expect(workers.shareOf(100)).toBe(100);
  });

  it('limits the rate of a host only if it has many webhooks, however many workers there are', () => {
    workers.update({ count: 20, place: 0 });
    for (let round = 0; round < 50; round++) {
      ask(50);
      pass(100, (request) => request.end('accepted'));
    }
    expect(refused).toEqual([]);
  });

  it('postpones a large backlog for as long as its host needs, up to ten minutes', () => {
    for (let part = 0; part < 24; part++) ask(990);
    const last = refused.slice(-12_000).map(({ forMs }) => forMs);
    expect(Math.max(...last)).toBeGreaterThan(100_000);
    expect(new Set(last).size).toBe(12_000);

    for (let part = 0; part < 160; part++) ask(990);
    expect(refused.at(-1)!.forMs).toBe(600_000);
  });

  it('postpones deliveries to a silent host for half a minute at most', () => {
    ask(100);
    pass(1_200);
    for (let part = 0; part < 5; part++) ask(990);
    expect(refused.at(-1)!.forMs).toBe(30_000);
  });

  it('gives requests that hang no room that others need while the host accepts some', () => {
    for (let place = 0; place < 2; place++) ask(49);
    const hanging = started.splice(0);
    for (let round = 0; round < 10; round++) {
      ask(1);
      pass(100, (request) => request.end('accepted'));
    }
    ask(40);
    const more = started.splice(0);
    for (const { request } of hanging) request.end('timed_out');
    ask(1);
    expect(more).toHaveLength(40);
    expect(started).toHaveLength(1);
    expect(refused).toEqual([]);
  });

  it('halves the limit of a host once for all requests that time out together', () => {
    ask(50);
    pass(10_000);
    for (const { request } of started.splice(0)) request.end('timed_out');
    ask(100, 'two');
    expect(started).toHaveLength(50);
  });

  it('refuses waiting and new deliveries after it is closed', () => {
    ask(150);
    hosts.close();
    ask(1);

    expect(lent).toBe(0);
    expect(refused.map(({ forMs }) => forMs)).toEqual(Array.from({ length: 51 }, () => 0));
  });
});
