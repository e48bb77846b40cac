import { SessionsService } from '#libs/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';

describe('the stream of live changes', () => {
  let desk: Desk;

  beforeAll(async () => {
    desk = await startDesk();
  });
  afterAll(() => desk.stop());

  const listen = async (base: string, watch: string, method = 'GET'): Promise<Response> => {
    const { id: accountId, owner } = desk.account;
    const browser = { userAgent: 'tests', address: '127.0.0.1' };
    const { token } = await desk.api.get(SessionsService).open({ accountId, id: owner.id }, browser);
    return fetch(`${base}/live?watch=${encodeURIComponent(watch)}`, {
      method,
      headers: { cookie: `deskwire-session=${token}` },
      // A stream that stays silent must fail its test and not block the whole file.
      signal: AbortSignal.timeout(10_000),
    });
  };

  it('reports a change that another process made', async () => {
    const api = await desk.apiProcess();
    const reader = (await listen(api.base, 'tickets')).body!.pipeThrough(new TextDecoderStream()).getReader();
    await desk.client().post('/v1/tickets', { body: 'Hello', from: 'ana@client.example', to: 'support@acme.test' });
    let heard = '';
    while (!heard.includes('event: changed')) heard += (await reader.read()).value ?? '';
    expect(heard).toContain('data: tickets');
  });

  it('reports a new webhook', async () => {
    const reader = (await listen(desk.base, 'deliveries')).body!.pipeThrough(new TextDecoderStream()).getReader();
    await desk.webhook('customer_added', 'https://receiver.example/');
    let heard = '';
    while (!heard.includes('event: changed')) heard += (await reader.read()).value ?? '';
    expect(heard).toContain('data: deliveries');
    await reader.cancel();
  });

  it('ends with the process, which stops at once', async () => {
    const api = await desk.apiProcess();
    const stream = await listen(api.base, 'tickets');
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const stoppedAt = Date.now();
    expect(await api.stop()).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(2000);
    expect(await stream.text()).toContain('retry:');
  });

  it('tells by HEAD at once what it would be', async () => {
    const { status, headers } = await listen(desk.base, 'tickets', 'HEAD');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/event-stream');
  });

  it('refuses those who are not signed in', async () => {
    const answer = await fetch(`${desk.base}/live?watch=tickets`, { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(401);
  });
});
