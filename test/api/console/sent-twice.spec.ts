import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SubmitOnceInterceptor } from '../../../apps/api/src/layers/shell/submit-once.interceptor.js';
import { OAuthDesk, PASSWORD } from '../../oauth/support/oauth-desk.js';
import { type Page, type Person, csrfOf } from '../../oauth/support/person.js';
import { consoleControllers } from '#test/support/console-routes.js';
import { type Class, routesOf } from '#test/support/api-routes.js';
import { Twins } from './twins.js';

/** A form that makes something and that `events.spec.ts` does not compare with a call of the API. */
interface MakingForm {
  readonly route: string;
  readonly on: (desk: Twins) => Promise<string>;
  readonly click: (twin: string) => readonly [path: string, fields: Record<string, string>];
}

const FORMS: readonly MakingForm[] = [
  {
    route: 'POST /views',
    on: (desk) => desk.name(),
    click: (twin) => ['/views', { name: twin, query: 'folder=open&q=hello', for: 'me' }],
  },
  {
    route: 'POST /settings/replays',
    on: (desk) => desk.delivery(),
    click: () => ['/settings/replays', { hours: '24', which: 'failed' }],
  },
  {
    route: 'POST /settings/agents/:id/invite',
    on: (desk) => desk.agent(),
    click: (twin) => [`/settings/agents/${twin}/invite`, {}],
  },
  {
    route: 'POST /tickets/:number/draft',
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/draft`, { body: 'Dear Ana', kind: 'reply' }],
  },
  {
    route: 'POST /tickets/:number/messages, which waits',
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/messages`, { body: 'Dear Ana', kind: 'reply' }],
  },
  {
    route: 'POST /profile/tokens',
    on: (desk) => desk.name(),
    click: (twin) => ['/profile/tokens', { name: twin, 'scope[]': 'read', days: '30', proof: PASSWORD }],
  },
];

const NAMED_FORMS = FORMS.map((form) => [form.route, form] as const);

let oauth: OAuthDesk;
let owner: Person;
let csrf = '';
let twins: Twins;

beforeAll(async () => {
  oauth = await OAuthDesk.start();
  owner = await oauth.person();
  csrf = csrfOf(await owner.get('/profile'));
  twins = new Twins(oauth);
});
afterAll(() => oauth.stop());

describe('a form that is sent twice at once and again', () => {
  it('passes the interceptor that submits once, in every controller', () => {
    const posting = consoleControllers().filter((controller) =>
      routesOf(controller).some(({ method }) => method === 'POST'),
    );
    const unguarded = posting.filter((controller) => !interceptorsOf(controller).includes(SubmitOnceInterceptor));
    expect(posting.length).toBeGreaterThan(20);
    expect(unguarded.map(({ name }) => name)).toEqual([]);
  });

  it.each(NAMED_FORMS)('stores as many rows as one submission: %s', async (route, { on, click }) => {
    await oauth.desk.sql.query('update accounts set undo_send_seconds = $1', [route.endsWith('waits') ? 30 : 0]);
    const [one, other] = [await on(twins), await on(twins)];
    const once = await storedBy(() => send(click(one), randomUUID()));
    await oauth.desk.sql.query('delete from replays');
    const key = randomUUID();
    const answers: Page[] = [];
    const thrice = await storedBy(async () => {
      answers.push(...(await Promise.all([send(click(other), key), send(click(other), key)])));
      answers.push(await send(click(other), key));
    });

    expect(once).not.toEqual({});
    expect(thrice).toEqual(once);
    const shown = answers.map(({ status, location, html }) => ({ status, location, html }));
    expect(shown[0]!.status).toBeLessThan(400);
    expect(shown).toEqual([shown[0], shown[0], shown[0]]);
  });
});

const interceptorsOf = (controller: Class): unknown[] =>
  (Reflect.getMetadata('__interceptors__', controller) as unknown[] | undefined) ?? [];

const send = ([path, fields]: readonly [string, Record<string, string>], key: string): Promise<Page> =>
  owner.post(path, { csrf, ...fields, form_key: key });

/** Counts the new rows of each table, including the one stored for each form key. */
async function storedBy(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowCounts();
  await act();
  const after = await rowCounts();
  const more = [...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count !== 0));
}

async function rowCounts(): Promise<Map<string, number>> {
  const { sql } = oauth.desk;
  const { rows: tables } = await sql.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not in ('worker_heartbeats', 'sessions', 'throttles')`,
  );
  const counted = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from "${name}"`);
  const { rows } = await sql.query<{ name: string; count: number }>(counted.join(' union all '));
  return new Map(rows.map(({ name, count }) => [name, count]));
}
