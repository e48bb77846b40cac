import { SessionsService } from '#libs/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';

describe('the stream of live changes', () => {
  let desk: Desk;

  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.stop());

  const session = async (): Promise<{ cookie: string }> => {
    const { id: accountId, owner } = desk.account;
    const browser = { userAgent: 'tests', address: '127.0.0.1' };
    const { token } = await desk.api.get(SessionsService).open({ accountId, id: owner.id }, browser);
    return { cookie: `deskwire-session=${token}` };
  };

  const listen = async (base: string, watched: Record<string, string>, method = 'GET'): Promise<Response> =>
    fetch(`${base}/live?${new URLSearchParams(watched)}`, {
      method,
      headers: await session(),
      // A silent stream must fail its own test instead of blocking the whole file.
      signal: AbortSignal.timeout(10_000),
    });

  /**
   * Returns what a page watches and its version. Without the version, the stream misses changes before its first
   * check.
   */
  const watchedBy = async (base: string, page: string): Promise<{ watch: string; seen: string }> => {
    const html = await (await fetch(base + page, { headers: await session() })).text();
    const [, watch, seen] = /data-watch="([^"]+)" data-version="([^"]+)"/.exec(html)!;
    return { watch: watch!, seen: seen! };
  };

  it('reports a change that another process made', async () => {
    const api = await desk.apiProcess();
    const watched = await watchedBy(api.base, '/inbox');
    const reader = (await listen(api.base, watched)).body!.pipeThrough(new TextDecoderStream()).getReader();
    await desk.client().post('/v1/tickets', { body: 'Hello', from: 'ana@client.example', to: 'support@acme.test' });
    let heard = '';
    while (!heard.includes('event: changed')) heard += (await reader.read()).value ?? '';
    expect(heard).toContain('data: tickets');
  });

  it('reports a new webhook', async () => {
    const watched = await watchedBy(desk.base, '/settings/webhooks');
    const reader = (await listen(desk.base, watched)).body!.pipeThrough(new TextDecoderStream()).getReader();
    await desk.webhook('customer_added', 'https://receiver.example/');
    let heard = '';
    while (!heard.includes('event: changed')) heard += (await reader.read()).value ?? '';
    expect(heard).toContain('data: deliveries');
    await reader.cancel();
  });

  it('ends when the process shuts down, within two seconds', async () => {
    const api = await desk.apiProcess();
    const stream = await listen(api.base, { watch: 'tickets' });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const stoppedAt = Date.now();
    expect(await api.stop()).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(2000);
    expect(await stream.text()).toContain('retry:');
  });

  it('answers HEAD at once with its headers', async () => {
    const { status, headers } = await listen(desk.base, { watch: 'tickets' }, 'HEAD');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/event-stream');
  });

  it('returns 401 without a session', async () => {
    const answer = await fetch(`${desk.base}/live?watch=tickets`, { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(401);
  });
});
