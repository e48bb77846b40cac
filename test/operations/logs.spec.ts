import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { Person } from '../oauth/support/person.js';
import { ApiClient } from '#test/support/api-client.js';
import type { AppProcess } from '#test/support/app-process.js';
import { eventually } from '#test/support/eventually.js';

type Line = Readonly<Record<string, unknown>>;

let oauth: OAuthDesk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
});
afterAll(() => oauth.stop());

const linesOf = (process: AppProcess): Line[] =>
  process
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);

describe('the access log', () => {
  let api: AppProcess;
  beforeAll(async () => {
    api = await oauth.desk.apiProcess({ LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1/32', WORKER_CONCURENCY: '5' });
  });

  const answered = async (id: string): Promise<Line> => {
    const find = () => linesOf(api).find((line) => line['request_id'] === id && line['msg'] === 'request');
    await eventually(() => find() !== undefined);
    return find()!;
  };

  it('names address, account, agent and application of a call with a token', async () => {
    const { access_token: token } = await oauth.tokens(await oauth.person());
    const headers = { 'x-request-id': 'a-call', 'x-forwarded-for': '198.51.100.7' };
    await new ApiClient(api.base, token).get('/v1/tickets', headers);
    const { account, sql } = oauth.desk;
    const { rows } = await sql.query<{ id: string }>('select id from applications');

    expect(await answered('a-call')).toMatchObject({
      level: 'info',
      client: '198.51.100.7',
      account_id: account.id,
      agent_id: account.owner.id,
      application_id: rows[0]?.id,
      route: '/v1/tickets',
      status: 200,
    });
  });

  it('names the agent of a console page, and only the address before a sign-in', async () => {
    const person = new Person(api.base);
    await person.signIn(oauth.desk.account.owner.email, PASSWORD);
    await person.get('/profile');
    const page = () => linesOf(api).find(({ route }) => route === '/profile');
    await eventually(() => page() !== undefined);
    const attempt = linesOf(api).find(({ method, route }) => method === 'POST' && route === '/sign-in');

    expect(page()).toMatchObject({ agent_id: oauth.desk.account.owner.id, client: '127.0.0.1' });
    expect(page()).not.toHaveProperty('application_id');
    expect(attempt).toMatchObject({ client: '127.0.0.1' });
    expect(attempt).not.toHaveProperty('agent_id');
  });

  it('leaves out probes at level info', async () => {
    const client = new ApiClient(api.base);
    for (const path of ['/healthz', '/readyz', '/metrics']) await client.get(path);
    await client.get('/openapi.json', { 'x-request-id': 'after-the-probes' });
    await answered('after-the-probes');

    expect(linesOf(api).filter(({ route }) => /^\/(healthz|readyz|metrics)$/.test(String(route)))).toEqual([]);
  });

  it('begins with a warning for each misspelt setting', () => {
    const warnings = linesOf(api).filter(({ msg }) => String(msg).includes('setting'));

    expect(warnings.map(({ msg }) => msg)).toEqual([
      'WORKER_CONCURENCY is not a setting and is ignored. Did you mean WORKER_CONCURRENCY?',
    ]);
  });
});

describe('the log of attempts', () => {
  it('has its own level and keeps every failure while it samples what was accepted', async () => {
    const { desk } = oauth;
    const receiver = await desk.receiver({ replies: [500, 204] });
    await desk.webhook('ticket_started', receiver.url);
    const client = desk.client();
    for (let count = 0; count < 8; count++)
      await client.post('/v1/tickets', { from: 'a@client.test', to: 'support@acme.test', body: 'Hello' });
    const worker = await desk.worker({
      LOG_LEVEL: 'error',
      ATTEMPT_LOG_LEVEL: 'info',
      ATTEMPT_LOG_ONE_IN: '1000000',
    });
    await receiver.received(9);
    await eventually(() => linesOf(worker).some(({ msg }) => msg === 'attempt'));
    const attempts = linesOf(worker).filter(({ msg }) => msg === 'attempt');

    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({ level: 'warn', status: 500, next: 'retrying' });
    expect(linesOf(worker).filter(({ msg }) => msg !== 'attempt')).toEqual([]);
  });
});
