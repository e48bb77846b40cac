// @module-tag long
import { startupOptions } from '#libs/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PLANNING } from '../../apps/api/src/api.module.js';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import type { Person } from '../oauth/support/person.js';
import { loadStatements } from '#test/support/statement-sources.js';
import { executeText, explainPrepared } from './explained.js';
import { FEW_ROWS, MANY_ROWS, addNotes, growAccount } from './account-rows.js';

/** Frequent requests. Each must read a page, however large the tables are. */
const API_PATHS = [
  '/v1/tickets',
  '/v1/tickets?sort=-updated_at&folder=open',
  '/v1/tickets?folder=closed',
  '/v1/tickets?folder=needs_reply',
  '/v1/tickets?folder=mentioned&sort=-updated_at',
  '/v1/tickets?folder=needs_reply&sort=-updated_at',
  '/v1/tickets?q=is:waiting',
  '/v1/tickets?folder=needs_reply&sort=waiting',
  '/v1/tickets?q=is:waiting&sort=waiting',
  '/v1/tickets?state=opened',
  '/v1/tickets?assignee=unassigned',
  '/v1/tickets?mailbox=Support&sort=-updated_at',
  '/v1/tickets?tag=login',
  '/v1/tickets?priority=high',
  '/v1/tickets?customer=c7@client.test',
  '/v1/tickets?external_id=e7',
  '/v1/tickets?sort=updated_at&updated_since=2020-01-01T00:00:00Z',
  '/v1/tickets?sort=-updated_at',
  '/v1/tickets?sort=-updated_at&per_page=50&page=100',
  '/v1/tickets?sort=-updated_at&folder=open&per_page=50&page=100',
  '/v1/tickets?sort=-updated_at&folder=spam',
  '/v1/tickets?sort=-updated_at&folder=deleted',
  '/v1/tickets?sort=-updated_at&state=spam',
  '/v1/tickets?sort=-priority&q=zeppelin',
  '/v1/tickets?sort=-priority',
  '/v1/tickets?sort=-priority&folder=open',
  '/v1/tickets?updated_since=2020-01-01T00:00:00Z',
  '/v1/tickets?q=zeppelin',
  '/v1/tickets?include=messages,customer',
  '/v1/tickets/1/messages',
  '/v1/messages?updated_since=2020-01-01T00:00:00Z',
  '/v1/customers',
  '/v1/customers?external_id=e7',
  '/v1/customers/c7@client.test',
  '/v1/events',
  '/v1/events?ticket=1',
  '/v1/changes',
  '/v1/changes?type=ticket',
  '/v1/webhooks/:webhook/deliveries',
  '/v1/webhooks/:webhook/statistics?hours=168',
  '/v1/deliveries',
  '/v1/deliveries?ticket=1',
];
const PAGES = [
  '/inbox',
  '/inbox?folder=closed',
  '/inbox?folder=mine',
  '/inbox?folder=mentioned',
  '/inbox?folder=open&group=none',
  '/inbox?folder=needs_reply',
  '/inbox?folder=unassigned&sort=priority',
  '/inbox?q=zeppelin',
  '/tickets/1',
  '/customers',
  '/settings/webhooks',
  '/settings/webhooks/:webhook',
  '/settings/deliveries',
  '/settings/events',
  '/settings/system',
];

/** Rows of a page, with the words, customer and last message of each. */
const ROWS_OF_A_PAGE = 50;
const MAX_ROWS = ROWS_OF_A_PAGE * 20;
/** Rows before the page that its range of an index skips. */
const skippedBy = (path: string): number => (Number(/[?&]page=(\d+)/.exec(path)?.[1] ?? 1) - 1) * ROWS_OF_A_PAGE;
const MAX_PAGES = ROWS_OF_A_PAGE * 60;
/** Notes at the end of one ticket. */
const NOTES = MAX_ROWS;
/** A count reads each row of an index at most once, and 10,000 rows of the table. Its result is cached for a minute. */
const MAX_COUNTED = { rows: MANY_ROWS + NOTES, pages: 12_000 };

interface Read {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Requests that count all rows. A count up to a hundred is a page. */
const isCount = ({ name, text }: Read): boolean =>
  name === 'folder_counts' ||
  (/^\s*(with scanned .*\s)?select (\(select )?count\(\*\)/s.test(text) && !/\blimit \d{1,3}\b/.test(text));

describe('a page of an account that is ten thousand times larger than its statistics', () => {
  let oauth: OAuthDesk;
  let owner: Person;
  let earlier: Client;
  let later: Client;
  let webhook: string;

  beforeAll(async () => {
    oauth = await OAuthDesk.start();
    owner = await oauth.person();
    const { sql, account } = oauth.desk;
    await growAccount(sql, account, { from: 1, to: FEW_ROWS });
    webhook = (await sql.query<{ id: string }>('select id from webhooks order by id')).rows[0]!.id;
    await sql.query('analyze');
    earlier = await session();
    for (const path of [...API_PATHS, ...PAGES]) for (const read of await readsOf(path)) await planned(earlier, read);
    await growAccount(sql, account, { from: FEW_ROWS + 1, to: MANY_ROWS });
    await addNotes(sql, account, NOTES);
    later = await session();
  }, 120_000);
  afterAll(async () => {
    await earlier.end();
    await later.end();
    await oauth.stop();
  });

  async function session(): Promise<Client> {
    const client = new Client({
      connectionString: oauth.desk.environment['DATABASE_URL']!,
      options: startupOptions(PLANNING),
    });
    await client.connect();
    return client;
  }

  async function readsOf(template: string): Promise<Read[]> {
    const path = template.replace(':webhook', webhook);
    const spy = vi.spyOn(Client.prototype, 'query');
    try {
      const { status } = await (path.startsWith('/v1') ? oauth.desk.client().get(path) : owner.get(path));
      expect(status).toBe(200);
      return spy.mock.calls.flatMap(([config]: readonly unknown[]) => readsIn(config));
    } finally {
      spy.mockRestore();
    }
  }

  it.each([...API_PATHS, ...PAGES])('reads little more than what it shows: %s', async (path) => {
    const dear: string[] = [];
    for (const read of await readsOf(path))
      for (const client of [earlier, later]) {
        const cost = await explainPrepared(client, executeText(client, await planned(client, read), read.values));
        const most = isCount(read) ? MAX_COUNTED : { rows: MAX_ROWS + skippedBy(path), pages: MAX_PAGES };
        if (!cost || cost.rows > most.rows || cost.pages > most.pages)
          dear.push(
            `${client === earlier ? 'planned before' : 'planned now'}: ${read.name} ${JSON.stringify(cost)} ${read.name ? '' : read.text.slice(0, 300)}`,
          );
      }
    expect(dear).toEqual([]);
  });

  it('locks a ticket without reading the notes at its end', async () => {
    const { text } = (await loadStatements()).find(({ name }) => name === 'ticket_lock_with_actor')!;
    const { account } = oauth.desk;
    const values = [account.id, 1, false, account.owner.id, null];
    const cost = await explainPrepared(later, executeText(later, await planned(later, { text, values }), values));

    expect(cost!.rows).toBeLessThan(10);
  });
});

const known = new WeakMap<Client, Map<string, string>>();

/** Prepares the statement and runs it until PostgreSQL uses a generic plan. */
async function planned(client: Client, { text, values }: Omit<Read, 'name'>): Promise<string> {
  const names = known.get(client) ?? new Map<string, string>();
  known.set(client, names);
  const name = names.get(text) ?? `read_${names.size}`;
  if (names.has(text)) return name;
  names.set(text, name);
  await client.query(`prepare ${name} as ${text}`);
  for (let run = 0; run < 6; run++) await client.query(executeText(client, name, values));
  return name;
}

/** Statements that only read, single or in a batch. */
function readsIn(config: unknown): Read[] {
  const all = (config as { statements?: readonly Read[] }).statements ?? [config as Read];
  return all.filter(
    ({ text }) => /^\s*(select|with)\b/i.test(text ?? '') && !/\b(insert|update|delete|for update)\b/i.test(text),
  );
}
