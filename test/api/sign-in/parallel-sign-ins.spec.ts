// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../oauth/support/oauth-desk.js';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { type Page, Person, csrfOf } from '../../oauth/support/person.js';
import type { AppProcess } from '#test/support/app-process.js';
import { eventually } from '#test/support/eventually.js';

const oauth = oauthDeskForFile();
let api: AppProcess;
beforeAll(async () => {
  // A separate process keeps the sign-ins and the clients off one event loop.
  api = await oauth.desk.apiProcess({ TRUSTED_PROXIES: '127.0.0.0/8', DATABASE_POOL_SIZE: '20' });
});

interface Visitor {
  readonly person: Person;
  readonly csrf: string;
}

async function visitors(count: number): Promise<Visitor[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const person = new Person(api.base);
      return { person, csrf: csrfOf(await person.get('/sign-in')) };
    }),
  );
}

const tryPassword = ({ person, csrf }: Visitor, email: string, from: string) =>
  person.post('/sign-in', { csrf, email, password: 'wrong password' }, { 'x-forwarded-for': from });

/** Measures sequential requests while `work` runs. */
async function timesBeside(work: Promise<unknown>, ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const end = work.finally(() => (state.isOver = true));
  do {
    const begun = performance.now();
    await ask();
    times.push(performance.now() - begun);
  } while (!state.isOver);
  await end;
  return times;
}

/** Generous, because other load on the machine slows the password checks down. */
const ON_A_BUSY_MACHINE_MS = 120_000;

describe('the API with a hundred sign-ins at once', { timeout: ON_A_BUSY_MACHINE_MS }, () => {
  it('delays neither a page nor /healthz', async () => {
    const { email } = oauth.desk.account.owner;
    const reader = new Person(api.base);
    await reader.signIn(email, PASSWORD);
    const all = await visitors(100);
    const begun = performance.now();
    const answers = Promise.all(all.map((one, n) => tryPassword(one, email, `198.51.100.${n}`)));
    const [pages, health] = await Promise.all([
      timesBeside(answers, async () => expect((await reader.get('/inbox')).status).toBe(200)),
      timesBeside(answers, async () => expect((await fetch(`${api.base}/healthz`)).status).toBe(200)),
    ]);
    const lasted = performance.now() - begun;

    // Relative to the total time, so that it holds on a slow machine too.
    expect(Math.max(...pages)).toBeLessThan(lasted / 4);
    expect(Math.max(...health)).toBeLessThan(lasted / 4);
  });

  it.each([
    ['one address', () => '203.0.113.1'],
    ['one network of IPv6', (n: number) => `2001:db8:5:${n}::1`],
  ])('serves another address before most sign-ins of %s', async (_, from) => {
    const [lone, ...all] = await visitors(81);
    let answered = 0;
    const answers = Promise.all(
      all.map(async (one, n) => {
        const { status } = await tryPassword(one, `nobody${n}@acme.test`, from(n));
        answered += 1;
        return status;
      }),
    );
    await eventually(() => answered > 0, { withinMs: ON_A_BUSY_MACHINE_MS / 2 });
    await tryPassword(lone!, 'somebody@acme.test', '203.0.113.2');

    expect(answered).toBeLessThan(40);
    expect(new Set(await answers)).toEqual(new Set([422]));
  });
});

describe('the API with more sign-ins than can wait', () => {
  it('returns 503 with Retry-After', async () => {
    const all = await visitors(300);
    const answers: Promise<Page>[] = all.map((one, n) =>
      tryPassword(one, `nobody${n}@acme.test`, `203.0.113.${n % 20}`),
    );
    const refused = await Promise.race(
      answers.map(async (answer) => {
        const page = await answer;
        return page.status === 503 ? page : new Promise<never>(() => undefined);
      }),
    );
    // The other responses do not matter.
    const ended = Promise.allSettled(answers);
    await api.kill9();
    await ended;

    expect(refused.headers.get('retry-after')).toBe('2');
    expect(refused.html).toContain('Too many passwords are being checked');
  });
});
