import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { ListeningPage, sessionCookie } from '#test/support/live-stream.js';

const desk = await startDesk();
afterAll(() => desk.stop());

/** Opens the stream of a page from the version that it shows, so that the stream misses no change. */
async function follow(base: string, path: string): Promise<ListeningPage> {
  const html = await (await fetch(base + path, { headers: { cookie: await sessionCookie(desk) } })).text();
  const [, watch, seen] = /data-watch="([^"]+)" data-version="([^"]+)"/.exec(html)!;
  return ListeningPage.open(desk, { base, watch: watch!, seen: seen! });
}

const listen = async (base: string, method: string) =>
  fetch(`${base}/live?watch=tickets`, { method, headers: { cookie: await sessionCookie(desk) } });

describe('the stream of live changes', () => {
  it('reports a change that another process made', async () => {
    const page = await follow((await desk.apiProcess()).base, '/inbox');
    await startTicket(desk);
    await eventually(() => page.changes > 0);
    expect(page.heard).toContain('data: tickets');
    page.leave();
  });

  it('reports a new webhook', async () => {
    const page = await follow(desk.base, '/settings/webhooks');
    await desk.webhook('customer_added', 'https://receiver.example/');
    await eventually(() => page.changes > 0);
    expect(page.heard).toContain('data: deliveries');
    page.leave();
  });

  it('ends when the process shuts down, within two seconds', async () => {
    const api = await desk.apiProcess();
    const stream = await listen(api.base, 'GET');
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const stoppedAt = Date.now();
    expect(await api.stop()).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(2000);
    expect(await stream.text()).toContain('retry:');
  });

  it('answers HEAD at once with its headers', async () => {
    const { status, headers } = await listen(desk.base, 'HEAD');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/event-stream');
  });

  it('returns 401 without a session', async () => {
    const answer = await fetch(`${desk.base}/live?watch=tickets`, { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(401);
  });
});
