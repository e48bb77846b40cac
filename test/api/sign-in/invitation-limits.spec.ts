import { beforeAll, describe, expect, it } from 'vitest';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { csrfOf } from '../../oauth/support/person.js';
import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import { newEmail } from '#test/support/desk-records.js';
import { seedAccount, seedAgent } from '#test/support/seed.js';

const oauth = oauthDeskForFile({ SMTP_URL: 'smtp://127.0.0.1:9' });
/** Two processes, so that no limit holds only because of the order within one process. */
let bases: readonly string[];
beforeAll(async () => {
  bases = [oauth.base, (await oauth.desk.apiProcess()).base];
});

const invite = (token: string, email: string, place = 0): Promise<ApiResponse> =>
  new ApiClient(bases[place % 2]!, token, oauth.desk.contract).post('/v1/agents', { email });

const countsOf = (values: readonly number[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

const times = (count: number) => Array.from({ length: count }, (_, place) => place);

const mailsTo = async (email: string): Promise<number> =>
  (await oauth.desk.sql.query('select from outgoing_mails where recipient = $1', [email])).rowCount ?? 0;

describe('an address', () => {
  it('gets at most five invitations an hour, from parallel requests over REST and in the console', async () => {
    const { desk } = oauth;
    const owner = await oauth.person();
    const csrf = csrfOf(await owner.get('/profile'));
    const email = newEmail('agent');
    const { id } = (await invite(desk.account.owner.token, email)).body.agent;
    const again = () => owner.post(`/settings/agents/${id}/invite`, { csrf });

    const answers = await Promise.all(times(12).map(again));
    const elsewhere = await invite((await seedAccount(desk.sql)).owner.token, email);
    const { html, status } = await owner.post('/settings/agents', { csrf, email, first_name: 'A', last_name: 'B' });

    expect(countsOf(answers.map((answer) => answer.status))).toEqual({ 303: 4, 429: 8 });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([429, 'too_many_invitations']);
    expect(Number(elsewhere.headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(status).toBe(429);
    expect(html).toContain('Those that were sent before still work for a week. Try again in 60 min.');
    expect(html).toContain(`value="${email}"`);
    expect(await mailsTo(email)).toBe(5);
    desk.clock.advance({ hours: 1, seconds: 1 });
    expect((await again()).status).toBe(303);
  });
});

describe('an account', () => {
  it('sends at most 100 invitations a day, from parallel requests', async () => {
    const { owner } = await seedAccount(oauth.desk.sql);

    const answers = await Promise.all(times(120).map((place) => invite(owner.token, newEmail('agent'), place)));

    expect(countsOf(answers.map(({ status }) => status))).toEqual({ 201: 100, 429: 20 });
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body.detail).toMatch(/Try again in \d\d h\.$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  });

  it('loses none of its invitations to refused requests', async () => {
    const { desk } = oauth;
    const { id, owner } = await seedAccount(desk.sql);
    const plain = await seedAgent(desk.sql, id);
    const email = newEmail('agent');

    const forbidden = await Promise.all(times(8).map(() => invite(plain.token, email)));
    const repeated = await Promise.all(times(8).map(() => invite(owner.token, plain.email)));

    expect(countsOf(forbidden.map(({ status }) => status))).toEqual({ 403: 8 });
    expect(countsOf(repeated.map(({ status }) => status))).toHaveProperty('409');
    expect((await invite(owner.token, plain.email)).status).toBe(409);
    expect((await invite(owner.token, email)).status).toBe(201);
  });
});
