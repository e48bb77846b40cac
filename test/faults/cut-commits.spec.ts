// @module-tag long
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { aDelivery, aFinishedAttempt } from '#test/support/attempts.js';
import { Ledger } from '#test/support/ledger.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { type Person, csrfOf } from '../oauth/support/person.js';
import { CuttingProxy } from './cutting-proxy.js';

const cleanups: (() => unknown)[] = [];

afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

async function proxyFor(applicationName: string): Promise<CuttingProxy> {
  const proxy = await CuttingProxy.inFrontOf(process.env['DATABASE_URL']!, applicationName);
  cleanups.push(() => proxy.stop());
  return proxy;
}

describe('a worker whose connection is cut between the response and the commit', () => {
  let ledger: Ledger;
  let proxy: CuttingProxy;
  let worker: AttemptWorker;
  beforeAll(async () => {
    proxy = await proxyFor('deskwire-tests');
    ledger = await Ledger.start(proxy.url);
    cleanups.push(() => ledger.stop());
    worker = new AttemptWorker(ledger);
    cleanups.push(() => worker.stop());
  });
  beforeEach(() => ledger.clear());

  it('records the result of an attempt again', async () => {
    const webhookId = await ledger.webhook();
    const { deliveryId } = await ledger.owed(webhookId, { queued: true });
    const delivery = aDelivery({ deliveryId, webhookId, accountId: ledger.account.id });
    const { isCut } = await proxy.cutDuring(1, () => worker.recorder.record(delivery, aFinishedAttempt(delivery)));

    expect(isCut).toBe(true);
    expect(await ledger.one('deliveries', deliveryId)).toMatchObject({ state: 'delivered' });
    expect(await ledger.owedRows()).toEqual([]);
  });

  it('records the results of first attempts again', async () => {
    const webhookId = await ledger.webhook();
    const eventId = await ledger.outbox([webhookId], { express: true });
    const event = { ...aDelivery().event, id: eventId };
    const delivery = aDelivery({ webhookId, accountId: ledger.account.id, event });
    const results = [{ delivery, result: aFinishedAttempt(delivery) }];
    const { isCut, result } = await proxy.cutDuring(1, () => worker.recorder.recordFirst(eventId, results));

    expect({ isCut, result }).toEqual({ isCut: true, result: true });
    expect(await ledger.one('deliveries', delivery.deliveryId)).toMatchObject({ state: 'delivered' });
    expect(await ledger.rows('outbox', 'event_id')).toEqual([]);
  });
});

describe('a request whose connection to PostgreSQL is cut before a commit', () => {
  let oauth: OAuthDesk;
  let proxy: CuttingProxy;
  let person: Person;
  beforeAll(async () => {
    proxy = await proxyFor('deskwire-api');
    oauth = await OAuthDesk.start({}, { databaseServer: proxy.url });
    cleanups.push(() => oauth.stop());
    person = await oauth.person();
  });

  const revoke = (token: string) =>
    new ApiClient(oauth.base).post('/oauth/revoke', {
      client_id: oauth.app.clientId,
      client_secret: oauth.app.secret,
      token,
    });
  const submit = (cookie: string, path: string, csrf: string) =>
    new ApiClient(oauth.base).send('POST', path, `csrf=${csrf}`, {
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
    });
  const works = ({ body }: ApiResponse) => oauth.works(body.access_token as string);
  interface Request {
    readonly send: () => Promise<ApiResponse>;
    /** Whether its effect is there afterwards. */
    readonly effect: (answer: ApiResponse) => Promise<boolean>;
  }
  const REQUESTS: Record<string, () => Promise<Request>> = {
    'the exchange of a code': async () => {
      const code = await oauth.code(person);
      return { send: () => oauth.exchange(code), effect: works };
    },
    'a refresh': async () => {
      const { refresh_token: token } = await oauth.tokens(person);
      return { send: () => oauth.refresh(token), effect: works };
    },
    'the revocation of an access token': async () => {
      const { access_token: token } = await oauth.tokens(person);
      return { send: () => revoke(token), effect: async () => !(await oauth.works(token)) };
    },
    'the revocation of a grant': async () => {
      const { access_token: token, refresh_token: refresh } = await oauth.tokens(person);
      return { send: () => revoke(refresh), effect: async () => !(await oauth.works(token)) };
    },
    'a sign-out': async () => {
      const other = await oauth.person();
      const { cookieHeader: cookie } = other;
      const page = await other.get('/profile');
      return {
        send: () => submit(cookie, '/sign-out', csrfOf(page)),
        effect: async () => (await new ApiClient(oauth.base).get('/profile', { cookie })).status !== 200,
      };
    },
    'the end of another session': async () => {
      await oauth.person();
      const page = await person.get('/profile');
      const [path, id] = /\/profile\/sessions\/([\da-f-]{36})\/close/.exec(page.html)!;
      return {
        send: () => submit(person.cookieHeader, path, csrfOf(page)),
        effect: async () => (await oauth.desk.sql.query('select from sessions where id = $1', [id])).rowCount === 0,
      };
    },
  };

  it.each(Object.entries(REQUESTS))('does not answer %s with success without the effect', async (_name, prepare) => {
    const outcomes: boolean[] = [];
    // At the first Sync of a request, then at the second of another, and so on.
    for (let cutAt = 1; ; cutAt++) {
      const { send, effect } = await prepare();
      const { isCut, result } = await proxy.cutDuring(cutAt, send);
      if (!isCut) break;
      outcomes.push(result.status >= 400 || (await effect(result)));
    }

    expect(outcomes.length).toBeGreaterThan(1);
    expect(outcomes).not.toContain(false);
  });
});
