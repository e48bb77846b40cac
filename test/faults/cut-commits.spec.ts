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

interface Run<Answer, Effect> {
  readonly send: () => Promise<Answer>;
  readonly effect: (answer: Answer) => Promise<Effect>;
}

/** Cuts at the first Sync of a run, then at the second of another run, and so on. Returns the effect of each run. */
async function cutEverywhere<Answer, Effect>(proxy: CuttingProxy, prepare: () => Promise<Run<Answer, Effect>>) {
  const effects: Effect[] = [];
  for (let cutAt = 1; ; cutAt++) {
    const { send, effect } = await prepare();
    const { isCut, result } = await proxy.cutDuring(cutAt, send);
    if (!isCut) return effects;
    effects.push(await effect(result));
  }
}

const insert = (id: number) => ({ name: '', text: `insert into kept values (${id})`, values: [] });

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'reported',
    () => 'failed',
  );

describe('a connection that is cut between the response and the commit', () => {
  let ledger: Ledger;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    proxy = await proxyFor('deskwire-tests');
    ledger = await Ledger.start(proxy.url);
    cleanups.push(() => ledger.stop());
    await ledger.sql.query('create table kept (id int)');
  });
  beforeEach(() => ledger.clear());

  const isKept = async (id: number) => (await ledger.sql.query('select from kept where id = $1', [id])).rowCount === 1;

  it('fails a single statement, whose commit is missing', async () => {
    const { isCut, result } = await proxy.cutDuring(1, () => outcome(ledger.database.statements().query(insert(1))));

    expect({ isCut, result, isKept: await isKept(1) }).toEqual({ isCut: true, result: 'failed', isKept: false });
  });

  it('reports a transaction exactly if it was committed, whatever follows the COMMIT', async () => {
    let id = 10;
    const insertAndNotify = () =>
      ledger.database.inTransaction(async (pipeline) => {
        await pipeline.query(insert(id));
        pipeline.send({ name: '', text: 'select 1', values: [] });
        pipeline.atCommit(() => ({ name: '', text: 'notify deskwire_test', values: [] }));
      });
    const outcomes = await cutEverywhere(proxy, async () => {
      id += 1;
      return {
        send: () => outcome(insertAndNotify()),
        effect: async (result: string) => ({ result, isKept: await isKept(id) }),
      };
    });

    expect(outcomes).toEqual([
      { result: 'failed', isKept: false },
      { result: 'reported', isKept: true },
    ]);
  });

  it('fails a statement whose commit PostgreSQL refuses', async () => {
    await ledger.sql.query('create table once (id int unique deferrable initially deferred)');
    const twice = { name: '', text: 'insert into once values (1), (1)', values: [] };

    await expect(ledger.database.statements().query(twice)).rejects.toThrow('duplicate key');
  });

  it('records the result of an attempt again', async () => {
    const worker = new AttemptWorker(ledger);
    cleanups.push(() => worker.stop());
    const webhookId = await ledger.webhook();
    const { deliveryId } = await ledger.owed(webhookId, { queued: true });
    const delivery = aDelivery({ deliveryId, webhookId, accountId: ledger.account.id });
    const { isCut } = await proxy.cutDuring(1, () => worker.recorder.record(delivery, aFinishedAttempt(delivery)));

    expect(isCut).toBe(true);
    expect(await ledger.one('deliveries', deliveryId)).toMatchObject({ state: 'delivered' });
    expect(await ledger.owedRows()).toEqual([]);
  });

  it('records the results of first attempts again', async () => {
    const worker = new AttemptWorker(ledger);
    cleanups.push(() => worker.stop());
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
  /** Each is one request, and whether its effect is there afterwards. */
  const REQUESTS: Record<string, () => Promise<Run<ApiResponse, boolean>>> = {
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

  it.each(Object.keys(REQUESTS))('does not answer %s with success without the effect', async (name) => {
    const outcomes = await cutEverywhere(proxy, async () => {
      const { send, effect } = await REQUESTS[name]!();
      const effectOf = async (answer: ApiResponse) => answer.status >= 400 || (await effect(answer));
      return { send, effect: effectOf };
    });

    expect(outcomes.length).toBeGreaterThan(1);
    expect(outcomes).not.toContain(false);
  });
});
