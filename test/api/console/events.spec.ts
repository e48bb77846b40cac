import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { type Page, type Person, csrfOf } from '../../oauth/support/person.js';
import { ACTIVITY_KINDS } from '../../../apps/api/src/events/activity-description.js';
import { consoleRoutes } from '#test/support/console-routes.js';
import { PEOPLE_ACTIONS } from './people-actions.js';
import { TICKET_ACTIONS } from './ticket-actions.js';
import { Twins } from './twins.js';
import { WEBHOOK_ACTIONS } from './webhook-actions.js';

const ACTIONS = [...TICKET_ACTIONS, ...PEOPLE_ACTIONS, ...WEBHOOK_ACTIONS];

const NAMED_ACTIONS = ACTIONS.map(
  (action) => [`${action.route}${action.what ? `, ${action.what}` : ''}`, action] as const,
);

let oauth: OAuthDesk;
let owner: Person;
let csrf = '';
let twins: Twins;

beforeAll(async () => {
  oauth = await OAuthDesk.start();
  owner = await oauth.person();
  csrf = csrfOf(await owner.get('/profile'));
  twins = new Twins(oauth);
  await twins.post('/v1/groups', { name: 'Engineering' });
  await twins.post('/v1/mailboxes', { name: 'Billing', email: 'billing@acme.test' });
});
afterAll(() => oauth.stop());

/** Forms that emit nothing, that have no counterpart over REST, or that another test covers. */
const ELSEWHERE = [
  // Makes one replay for each webhook of the preview: `test/browser/replays.spec.ts`.
  'POST /settings/replays',
  'POST /live/replying/:ticket',
  'POST /tickets/:number/draft',
  'POST /tickets/:number/replies/:id/undo',
  // `test/mail` covers both.
  'POST /tickets/:number/messages/:id/send-again',
  'POST /settings/outgoing-mail/:id/answer',
  // `test/browser/quarantine.spec.ts` covers both.
  'POST /quarantine/:id/release',
  'POST /quarantine/:id/discard',
  // `test/mail/imap-console.spec.ts` covers these.
  'POST /settings/mailboxes/:id/imap',
  'POST /settings/mailboxes/:id/imap/delete',
  'POST /settings/mailboxes/:id/imap/import',
  'POST /settings/mailboxes/:id/imap/import/stop',
  'POST /settings/mailboxes/:id/imap/pause',
  'POST /settings/mailboxes/:id/imap/rescan',
  'POST /settings/mailboxes/:id/imap/resume',
  // `test/mail/mailbox-tests.spec.ts` covers it.
  'POST /settings/mailboxes/:id/test',
  'POST /tickets/undo',
  // `test/api/console/views.spec.ts` covers these.
  'POST /views',
  'POST /views/:id',
  'POST /views/:id/delete',
  // `test/mail/replies.spec.ts` covers it.
  'POST /profile/signature',
  // `test/mail/agent-answers.spec.ts` covers it.
  'POST /profile/notices',
  'POST /settings/replies',
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
  'POST /profile/tokens',
  'POST /profile/tokens/:id/revoke',
  // `test/browser/archive.spec.ts` covers it.
  'POST /settings/agents/:id/reassign',
  'POST /settings/agents/:id/invite',
  'POST /settings/agents/:id/reset-two-factor',
  'POST /settings/security/two-factor',
  'POST /settings/applications/:id/revoke',
];

describe('an action in the console', () => {
  it.each(NAMED_ACTIONS)('emits what the same call over REST emits: %s', async (_, { on, click, call }) => {
    const [one, other] = [await on(twins), await on(twins)];
    const clicked = await emittedBy(one, async () => {
      const [path, fields] = click(one, twins);
      const { status } = await owner.post(path, { csrf, ...fields });
      expect(status).toBeLessThan(400);
    });
    const called = await emittedBy(other, async () => expect((await call(other, twins)).status).toBeLessThan(300));
    expect(clicked).not.toEqual([]);
    expect(clicked).toEqual(called);
  });

  it.each(NAMED_ACTIONS)('happens once when its form is sent three times: %s', async (_, { on, click }) => {
    const [one, other] = [await on(twins), await on(twins)];
    const [path, fields] = click(one, twins);
    const once = await emittedBy(one, () => owner.post(path, { csrf, ...fields, form_key: randomUUID() }));
    const key = randomUUID();
    const send = () => owner.post(click(other, twins)[0], { csrf, ...click(other, twins)[1], form_key: key });
    const answers: Page[] = [];
    const thrice = await emittedBy(other, async () => {
      answers.push(...(await Promise.all([send(), send()])), await send());
    });

    expect(thrice).toEqual(once);
    const shown = answers.map(({ status, location, html }) => ({ status, location, html }));
    expect(shown[0]!.status).toBeLessThan(400);
    expect(shown).toEqual([shown[0], shown[0], shown[0]]);
  });

  it('has a description on the events and audit page', async () => {
    const { rows } = await oauth.desk.sql.query<{ kind: string }>('select distinct kind from activities');
    expect(rows.map(({ kind }) => kind).filter((kind) => !ACTIVITY_KINDS.includes(kind))).toEqual([]);
  });

  it('has a test here or stands in the list of exceptions', () => {
    const forms = consoleRoutes().filter(({ method }) => method === 'POST');
    const known = new Set([...ACTIONS.map(({ route }) => route), ...ELSEWHERE]);
    expect(forms.map(({ method, path }) => `${method} ${path}`).filter((form) => !known.has(form))).toEqual([]);
  });
});

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
    .replaceAll(/(?:agent|group|mailbox|name|w|c)\d+/g, 'made')
    .replaceAll(/tickets\/\d+|"number\\":\d+|"id\\":\\"\d+|#\d+|resolution_time\\":\d+/g, 'ticket');
