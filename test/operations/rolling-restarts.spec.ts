// @module-tag long
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { Balancer } from './balancer.js';

/** `ROLLING_RESTARTS=full` sends twenty thousand requests during ten restarts, with the settings of production. */
const IS_FULL = process.env['ROLLING_RESTARTS'] === 'full';
const PLAY = IS_FULL
  ? { restarts: 10, requests: 20_000, perSecond: 200, atOnce: 1000, drainMs: '5000' }
  : { restarts: 2, requests: 0, perSecond: 100, atOnce: 2, drainMs: '2000' };

it(
  `fails no request during ${PLAY.restarts} restarts of two APIs behind a proxy`,
  { timeout: IS_FULL ? 600_000 : 60_000 },
  async () => {
    const desk = await startDesk();
    onTestFinished(() => desk.stop());
    const settings = { DRAIN_MS: PLAY.drainMs, OPEN_REQUESTS_PER_ADDRESS: '10000' };
    const apis = [await desk.apiProcess(settings), await desk.apiProcess(settings)];
    const balancer = await Balancer.inFrontOf(apis[0]!.base, apis[1]!.base);
    onTestFinished(() => balancer.stop());

    const traffic = new Traffic(new ApiClient(balancer.base, desk.account.owner.token), await ticketNumber(desk));
    for (let restart = 0; restart < PLAY.restarts; restart++) {
      const old = apis.shift()!;
      expect(await old.stop()).toBe(0);
      const fresh = await desk.apiProcess(settings);
      await balancer.replace(old.base, fresh.base);
      apis.push(fresh);
    }
    const { sent, failures } = await traffic.end();

    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(Math.max(PLAY.requests, 50));
  },
);

/**
 * Sends requests when due; on a dedicated machine whatever became of earlier ones. A proxy must not send half of them a
 * second time.
 */
class Traffic {
  private sent = 0;
  private open = 0;
  private isOver = false;
  private readonly answers: Promise<string>[] = [];
  private readonly sending = this.send();

  constructor(
    private readonly client: ApiClient,
    private readonly ticket: number,
  ) {}

  async end(): Promise<{ sent: number; failures: string[] }> {
    this.isOver = true;
    await this.sending;
    const failures = (await Promise.all(this.answers)).filter((answer) => answer !== 'answered');
    return { sent: this.sent, failures };
  }

  private async send(): Promise<void> {
    const began = performance.now();
    while (!this.isOver || this.sent < PLAY.requests) {
      const due = ((performance.now() - began) / 1000) * PLAY.perSecond;
      for (; this.sent < due && this.open < PLAY.atOnce; this.sent++) this.answers.push(this.request());
      await wait(2);
    }
  }

  private request(): Promise<string> {
    const answer =
      this.sent % 2 === 0
        ? this.client.get(`/v1/tickets/${this.ticket}`)
        : this.client.post(`/v1/tickets/${this.ticket}/messages`, { body: 'Once.', note: true });
    this.open += 1;
    return answer
      .finally(() => (this.open -= 1))
      .then(({ status, text }) => (status < 300 ? 'answered' : `${status} ${text}`), wholeStory);
  }
}

/** `fetch` always fails with the same message; the reason is in its cause. */
const wholeStory = (error: Error): string => [error, error.cause].filter(Boolean).join(': ');

async function ticketNumber(desk: Desk): Promise<number> {
  const mail = { body: 'Hello', from: 'ann@example.com', to: 'support@acme.test' };
  return (await desk.client().post('/v1/tickets', mail)).body.ticket.number as number;
}
