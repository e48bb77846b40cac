import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../../oauth/support/oauth-desk.js';
import { type Page } from '../../oauth/support/person.js';
import { ACTIVITY_KINDS } from '../../../apps/api/src/events/activity-description.js';
import { SubmitOnceInterceptor } from '../../../apps/api/src/layers/shell/submit-once.interceptor.js';
import type { ApiResponse } from '#test/support/api-client.js';
import { type Class, routesOf } from '#test/support/api-routes.js';
import { consoleControllers, consoleRoutes } from '#test/support/console-routes.js';
import { addGroup, addMailbox } from '#test/support/desk-records.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { ACTIONS, type ConsoleAction } from './actions.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const stored = await oauth.desk.sql.query<{ relname: string }>(
  `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition and relname not in ('worker_heartbeats', 'sessions', 'throttles')`,
);
await addGroup(oauth.desk, { name: 'Engineering' });
await addMailbox(oauth.desk, { name: 'Billing', email: 'billing@acme.test' });
afterAll(() => oauth.stop());

/** Forms that emit nothing, that have no counterpart over REST, or that another test covers. */
const ELSEWHERE = [
  'POST /live/replying/:ticket',
  'POST /tickets/:number/preview',
  'POST /tickets/:number/replies/:id/undo',
  'POST /tickets/:number/replies/:id/send',
  'POST /tickets/new/:id/undo',
  'POST /tickets/new/:id/discard',
  'POST /tickets/:number/messages/:id/send-again',
  'POST /settings/outgoing-mail/:id/answer',
  'POST /quarantine/:id/release',
  'POST /quarantine/:id/discard',
  'POST /settings/mailboxes/:id/imap',
  'POST /settings/mailboxes/:id/imap/delete',
  'POST /settings/mailboxes/:id/imap/import',
  'POST /settings/mailboxes/:id/imap/import/stop',
  'POST /settings/mailboxes/:id/imap/pause',
  'POST /settings/mailboxes/:id/imap/rescan',
  'POST /settings/mailboxes/:id/imap/resume',
  'POST /settings/mailboxes/:id/test',
  'POST /tickets/undo',
  'POST /views/:id',
  'POST /views/:id/delete',
  'POST /profile/signature',
  'POST /profile/notices',
  'POST /settings/replies',
  'POST /settings/replies/assistants',
  'POST /settings/time',
  'POST /profile/time-zone',
  'POST /profile/preferences',
  'POST /profile/password',
  'POST /profile/sessions/close-others',
  'POST /profile/sessions/:id/close',
  'POST /profile/two-factor/start',
  'POST /profile/two-factor/confirm',
  'POST /profile/two-factor/recovery-codes',
  'POST /profile/two-factor/off',
  'POST /profile/applications/:id/revoke',
  'POST /profile/tokens/:id/revoke',
  'POST /settings/agents/:id/reassign',
  'POST /settings/agents/:id/reset-two-factor',
  'POST /settings/security/two-factor',
  'POST /settings/applications/:id/revoke',
  'POST /settings/applications/own/:clientId',
  'POST /settings/applications/own/:clientId/rotate',
  'POST /settings/applications/own/:clientId/end-old-secret',
  'POST /settings/applications/own/:clientId/disable',
  'POST /settings/applications/own/:clientId/enable',
  'POST /settings/applications/own/:clientId/delete',
];

const NAMED_ACTIONS = Object.entries(ACTIONS);

describe('an action in the console', () => {
  it.each(NAMED_ACTIONS.filter(([, { call }]) => call !== undefined))(
    'emits what the same call over REST emits: %s',
    async (name, action) => {
      const [one, other] = [await newRecord(action), await newRecord(action)];
      const clicked = await emittedBy(one, async () =>
        expect((await submit(name, action, one)).status).toBeLessThan(400),
      );
      const called = await emittedBy(other, async () =>
        expect((await callRest(action, other)).status).toBeLessThan(300),
      );
      expect(clicked).not.toEqual([]);
      expect(clicked).toEqual(called);
    },
  );

  it.each(NAMED_ACTIONS)(
    'stores as many rows when its form is sent three times as when once: %s',
    async (name, action) => {
      const [one, other] = [await newRecord(action), await newRecord(action)];
      const once = await storedBy(action, () => submit(name, action, one));
      const key = randomUUID();
      const send = () => submit(name, action, other, key);
      const answers: Page[] = [];
      const thrice = await storedBy(action, async () => {
        answers.push(...(await Promise.all([send(), send()])), await send());
      });

      expect(once).not.toEqual({});
      expect(thrice).toEqual(once);
      const shown = answers.map(({ status, location, html }) => ({ status, location, html }));
      expect(shown[0]!.status).toBeLessThan(400);
      expect(shown).toEqual([shown[0], shown[0], shown[0]]);
    },
  );

  it('passes the interceptor that submits once, in every controller', () => {
    const posting = consoleControllers().filter((controller) =>
      routesOf(controller).some(({ method }) => method === 'POST'),
    );
    const unguarded = posting.filter((controller) => !interceptorsOf(controller).includes(SubmitOnceInterceptor));
    expect(posting.length).toBeGreaterThan(20);
    expect(unguarded.map(({ name }) => name)).toEqual([]);
  });

  it('has a description on the events and audit page', async () => {
    const { rows } = await oauth.desk.sql.query<{ kind: string }>('select distinct kind from activities');
    expect(rows.map(({ kind }) => kind).filter((kind) => !ACTIVITY_KINDS.includes(kind))).toEqual([]);
  });

  it('has a test here or stands in the list of exceptions', () => {
    const forms = consoleRoutes().filter(({ method }) => method === 'POST');
    const known = new Set([...NAMED_ACTIONS.map(([name]) => routeOf(name)), ...ELSEWHERE]);
    expect(forms.map(({ method, path }) => `${method} ${path}`).filter((form) => !known.has(form))).toEqual([]);
  });
});

const routeOf = (name: string): string => name.split(', ')[0]!;

const newRecord = ({ on }: ConsoleAction): Promise<string> => NEW_RECORDS[on](oauth.desk);

/** Sends the form of an action on this record. */
function submit(name: string, { form = {} }: ConsoleAction, record: string, key: string = randomUUID()): Promise<Page> {
  const names = record.split(' ');
  const path = routeOf(name)
    .split(' ')[1]!
    .replaceAll(/:\w+/g, () => names.shift()!);
  return owner.act(path, { form_key: key, ...named(form, record) });
}

function callRest({ call: wanted = '', form, body = form }: ConsoleAction, record: string): Promise<ApiResponse> {
  const [method, path] = named(wanted, record).split(' ') as [string, string];
  return oauth.desk.client().send(method, path, /POST|PUT|PATCH/.test(method) ? named(body ?? {}, record) : undefined);
}

/** Replaces the placeholders of an action. */
const named = <T>(value: T, record: string): T =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll('$owner', oauth.desk.account.owner.email)
      .replaceAll('$password', PASSWORD)
      .replaceAll('$', record.split(' ').at(-1)!),
  ) as T;

const interceptorsOf = (controller: Class): unknown[] =>
  (Reflect.getMetadata('__interceptors__', controller) as unknown[] | undefined) ?? [];

const AT_ONCE = 'update accounts set undo_send_seconds = 0; delete from held_replies';

/** Counts the new rows of each table, including the one stored for each form key. */
async function storedBy({ before }: ConsoleAction, act: () => Promise<unknown>): Promise<Record<string, number>> {
  await oauth.desk.sql.query(before ?? AT_ONCE);
  const counts = await rowCounts();
  await act();
  const more = [...(await rowCounts())].map(([table, count]) => [table, count - (counts.get(table) ?? 0)] as const);
  return Object.fromEntries(more.filter(([, count]) => count !== 0));
}

async function rowCounts(): Promise<Map<string, number>> {
  const counted = stored.rows.map(
    ({ relname: name }) => `select '${name}' as name, count(*)::int as count from "${name}"`,
  );
  const { rows } = await oauth.desk.sql.query<{ name: string; count: number }>(counted.join(' union all '));
  return new Map(rows.map(({ name, count }) => [name, count]));
}

interface EmittedRow {
  readonly kind: string;
  readonly agent_id: string | null;
  readonly application_id: string | null;
  readonly subject: string;
  readonly detail: unknown;
  readonly payload: string | null;
}

/** Returns the new activities and events, without what must differ: the name of the twin, ids and times. */
async function emittedBy(twin: string, act: () => Promise<unknown>): Promise<string[]> {
  const { id } = oauth.desk.account;
  const known = await oauth.desk.sql.query<{ id: string }>('select id from activities where account_id = $1', [id]);
  await act();
  const { rows } = await oauth.desk.sql.query<EmittedRow>(
    `select x.kind, x.agent_id, x.application_id, x.subject, x.detail, e.payload
     from activities x left join events e on e.id = x.id
     where x.account_id = $1 and not x.id = any($2::uuid[]) order by e.sequence nulls last, x.kind`,
    [id, known.rows.map((row) => row.id)],
  );
  return rows.map((row) => alike(JSON.stringify(row), twin));
}

const alike = (text: string, twin: string): string =>
  text
    .replaceAll(oauth.base, 'base')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'uuid')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(new RegExp(String.raw`\b${twin}\b`, 'g'), 'twin')
    .replaceAll(/(?:agent|Group|mailbox|customer|name|reply)-\d+|hooks\/\d+/g, 'made')
    .replaceAll(/tickets\/\d+|"number\\":\d+|"id\\":\\"\d+|#\d+|resolution_time\\":\d+/g, 'ticket');
