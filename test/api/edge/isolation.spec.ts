import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiResponse } from '#test/support/api-client.js';
import { startDesk } from '#test/support/desk.js';
import { type Operation, operationsOf } from '#test/support/openapi-operations.js';
import { allIdsIn, idsOf, accountRowsOf } from '#test/support/account-rows.js';
import { ownWordsFrom } from './isolation/own-words.js';
import { type Asked, type Word, plainRequest, requestsSaying, send } from './isolation/requests.js';
import { ONLY, SHARED, type Twin, liveFurtherIn, liveIn, seedTwin } from './isolation/twins.js';

/** Returns one email per decision, because each email can be decided once. */
const quarantinedMailsOf = async ({ client }: Twin): Promise<string[]> =>
  (await client.get('/v1/arrivals')).body.arrivals.map(({ id }: { id: string }) => id);

const questions = () => operations.filter(({ method }) => method === 'GET');
const NAMES = [SHARED.numbers[0], SHARED.owner, SHARED.customer, SHARED.mailbox, SHARED.group, SHARED.tag];

// A mail server makes the routes for outgoing email available. It never answers.
const desk = await startDesk({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
afterAll(() => desk.stop());
const operations = operationsOf((await desk.anonymous().get('/openapi.json')).body);
const [worker, receiver] = [await desk.worker(), await desk.receiver()];
const [mine, theirs] = [await seedTwin(desk), await seedTwin(desk)];
await liveIn(desk, mine, receiver);
const [release = '', discard = ''] = await quarantinedMailsOf(mine);
const myRows = await accountRowsOf(desk.sql, mine.account.id);
const ownWords = ownWordsFrom({ ...idsOf(myRows), release, discard });
/** The responses to all GET requests while the other account was empty. */
const answersBefore = await answersToEverything();
await liveIn(desk, theirs, receiver);
await liveFurtherIn(desk, theirs);
await worker.stop();

const theirRows = await accountRowsOf(desk.sql, theirs.account.id);
/** Names of records of the other account. */
const words: Word[] = [...Object.values(idsOf(theirRows)), ...Object.values(ONLY)].map((name) => ({
  theirs: name,
  nobodys: likenessOf(name),
}));
/** Text that must never leave the other account. */
const secrets = [theirs.mark, ...theirs.secrets];
const known = new Set(allIdsIn(await accountRowsOf(desk.sql, mine.account.id)));
/** Ids that a response may repeat only when the request contained them. */
const ids = allIdsIn(theirRows).filter((id) => !known.has(id));

function likenessOf(name: string): string {
  if (/^\d+$/.test(name)) return '777777';
  if (/^[\da-f-]{36}$/.test(name)) return randomUUID();
  return name.toLowerCase().replace('only', 'none');
}

async function answersToEverything(): Promise<Record<string, string>> {
  const asked = questions().flatMap((operation) => [
    plainRequest(operation, ownWords),
    ...NAMES.flatMap((name) => requestsSaying(name, operation, ownWords)),
  ]);
  const answers: Record<string, string> = {};
  for (const one of asked) answers[one.path] = wordingOf(await send(mine.client, one));
  return answers;
}

/** The response without the parts that differ in every request. */
function wordingOf({ status, text, headers }: ApiResponse): string {
  const wording = text.replaceAll(/"request_id":"[^"]*"|\?pass=[^"]*/g, '');
  return [status, wording, headers.get('link'), headers.get('location')].join(' ');
}

/** Removes added files and tags, because a message and a ticket have limits. */
const forgetAdded = async () => {
  const { id } = mine.account;
  await desk.sql.query(
    `delete from attachments where account_id = $1
     and id > (select id from attachments where account_id = $1 order by id limit 1)`,
    [id],
  );
  await desk.sql.query('update tickets set tags = tags[1:1] where account_id = $1 and cardinality(tags) > 1', [id]);
};

/** Returns the secrets of the other account that the response shows and the request did not contain. */
function leaksOf({ operation, path, body }: Asked, answer: ApiResponse, hidden: readonly string[]): string[] {
  const said = `${decodeURIComponent(path)} ${JSON.stringify(body)}`;
  const shown = `${answer.text} ${answer.headers.get('link')} ${answer.headers.get('location')}`;
  return hidden
    .filter((secret) => shown.includes(secret) && !said.includes(secret))
    .map((secret) => `${operation.name} asked with ${said} shows ${secret}`);
}

describe('another account', () => {
  it('does not change the response to any GET', async () => {
    expect(await answersToEverything()).toEqual(answersBefore);
  });

  it(
    'has no record that a request can change or distinguish from a missing one',
    { tags: ['long'], timeout: 120_000 },
    async () => {
      const before = await accountRowsOf(desk.sql, theirs.account.id);
      const faults: string[] = [];

      for (const operation of operations)
        for (const word of words) {
          faults.push(...(await differencesOf(operation, word)));
          await forgetAdded();
        }

      expect(faults).toEqual([]);
      expect(await accountRowsOf(desk.sql, theirs.account.id)).toEqual(before);
    },
  );

  it('keeps its records when records of the same name and number are changed and deleted here', async () => {
    const before = await accountRowsOf(desk.sql, theirs.account.id);
    const faults: string[] = [];

    for (const operation of operations) {
      const asked = plainRequest(operation, ownWords);
      const answer = await send(mine.client, asked);
      // The other operations need the ticket, so it is merged into itself, which is refused.
      const complete = !operation.inQuery.some(({ required }) => required) && !operation.name.endsWith('/merge');
      if (answer.status >= 300 && complete) faults.push(`${operation.name} was not carried out: ${answer.text}`);
      faults.push(...leaksOf(asked, answer, secrets));
    }

    expect(faults).toEqual([]);
    expect(await accountRowsOf(desk.sql, theirs.account.id)).toEqual(before);
  });
});

describe('the size of another account', () => {
  it('does not slow down a search for a word that the account uses often', async () => {
    await desk.sql.query(
      `insert into ticket_words (ticket_id, source_id, account_id, words)
       select t.id, gen_random_uuid(), t.account_id, array_to_tsvector(account_words(t.account_id, '{flooded}'))
       from tickets t, generate_series(1, 10000) where t.account_id = $1 and t.number = 1`,
      [theirs.account.id],
    );
    await desk.sql.query('analyze ticket_words');

    const [nowhere, flooded] = [await medianOf('nowhere'), await medianOf('flooded')];

    expect(flooded).toBeLessThan(nowhere * 3 + 5);
  });
});

async function medianOf(q: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 15; run++) {
    const start = performance.now();
    await mine.client.get(`/v1/tickets?q=${q}`);
    times.push(performance.now() - start);
  }
  return times.sort((one, other) => one - other)[7]!;
}

async function differencesOf(operation: Operation, word: Word): Promise<string[]> {
  const aboutNobody = requestsSaying(word.nobodys, operation, ownWords);
  const faults: string[] = [];
  for (const [place, asked] of requestsSaying(word.theirs, operation, ownWords).entries()) {
    const both = [asked, aboutNobody[place]!].map((one) => send(mine.client, one));
    const [answer, usual] = (await Promise.all(both)) as [ApiResponse, ApiResponse];
    faults.push(...leaksOf(asked, answer, operation.method === 'GET' ? [...secrets, ...ids] : secrets));
    const [told, usually] = [comparable(operation, answer, word), comparable(operation, usual, word)];
    if (told !== usually) faults.push(`${operation.name} tells ${told} of theirs but ${usually} of nobody’s`);
  }
  return faults;
}

/** A successful write differs each time; all other responses must be identical. Errors of filters name the first word. */
function comparable({ method }: Operation, answer: ApiResponse, { theirs: their, nobodys }: Word): string {
  if (answer.status < 300 && method !== 'GET') return `${answer.status}`;
  const anonymous = [their, nobodys].flatMap((name) => [
    name,
    encodeURIComponent(name),
    name.toLowerCase(),
    name.split(' ')[0]!,
  ]);
  return anonymous.reduce((text, name) => text.replaceAll(name, '…'), wordingOf(answer));
}
