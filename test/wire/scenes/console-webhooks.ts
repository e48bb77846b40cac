import type { Browser } from '../browser.js';
import type { Desk } from '../desk.js';
import { TWIN } from '../product.js';
import { granted } from './oauth.js';

/** Webhooks, deliveries, applications, the audit and the system page, as the owner. */
export async function webhookPages(desk: Desk): Promise<void> {
  const browser = desk.browser('owner');
  await browser.signIn(desk.firstRun.owner.email, desk.firstRun.owner.password);
  await lists(desk, browser);
  await creation(desk, browser);
  await one(desk, browser);
  await deliveries(desk, browser);
  await audit(browser);
  await applications(desk, browser);
  await desk.settle();
  for (const path of ['/settings/webhooks', '/settings/system', '/settings/applications']) await browser.get(path);
  await browser.ask('HEAD /settings/system');
}

async function lists({ known }: Desk, browser: Browser): Promise<void> {
  const at = '/settings/webhooks';
  for (const query of [
    '',
    '?event=note_added',
    '?event=x',
    '?state=disabled',
    '?state=paused',
    '?state=x',
    '?cursor=x',
  ])
    await browser.get(`${at}${query}`);
  for (const name of ['ticket_started', 'ticket_closed', 'fail', 'gone', 'moved', 'closed', 'paused', 'own'])
    await browser.get(`${at}/${known[name]}`);
  for (const query of [
    'state=delivered',
    'state=exhausted',
    'state=x',
    'since=1h',
    'since=x',
    'cursor=x',
    'state=exhausted&since=24h',
  ])
    await browser.get(`${at}/${known['fail']}?${query}`);
  for (const id of ['nothing', known['message']]) await browser.get(`${at}/${id}`);
}

async function creation(desk: Desk, browser: Browser): Promise<void> {
  const at = '/settings/webhooks';
  const url = `${desk.receiver.url}/console`;
  await browser.get(`${at}/new`);
  await browser.prove(at, { url, 'event[]': ['ticket_started', 'note_added'], test: 'yes' });
  const created = browser.last?.header('location') ?? '';
  await browser.get(created);
  await browser.post(at, { url, 'event[]': 'ticket_opened' });
  desk.known['by console'] = new URLSearchParams(browser.last?.header('location')?.split('?')[1]).get('id') ?? '';
  await browser.post(at, { url, 'event[]': [] });
  await browser.post(at, { url: 'ftp://x', 'event[]': 'note_added' });
  await browser.post(at, { url, 'event[]': ['note_added', 'nothing'] });
  await browser.post(at, {});
  for (const query of ['', '?id=nothing', `?id=${desk.known['message']}`]) await browser.get(`${at}/created${query}`);
  await desk.settle();
}

async function one(desk: Desk, browser: Browser): Promise<void> {
  const at = `/settings/webhooks/${desk.known['by console']}`;
  await browser.prove(at, { url: `${desk.receiver.url}/console/moved` });
  await browser.get(at, { about: 'with a notice' });
  await browser.post(at, { url: 'ftp://x' });
  await browser.prove(`${at}/test`);
  await desk.settle();
  await browser.prove(`${at}/secret`);
  await browser.prove(`${at}/rotate`);
  await browser.post(`${at}/secret`, {}, { about: 'two of them live' });
  await desk.settle();
  await browser.get(at);
  await browser.prove(`${at}/state`, { state: 'paused' });
  await desk.send('PUT /v1/tickets/5/state', { as: 'owner', json: { state: 'opened' } });
  await desk.settle();
  await browser.get(at, { about: 'one delivery is held' });
  await browser.post(`${at}/state`, { state: 'x' });
  await browser.post(`${at}/state`, { state: 'active' });
  await desk.settle();
  await browser.get(at);
  for (const deed of ['', '/state', '/test', '/secret', '/rotate', '/replay', '/delete', '/replays/nothing/cancel'])
    await browser.post(
      `/settings/webhooks/${desk.known['message']}${deed}`,
      { url: desk.receiver.url, state: 'active' },
      { about: 'no webhook' },
    );
}

async function deliveries(desk: Desk, browser: Browser): Promise<void> {
  const { known } = desk;
  for (const name of ['fail', 'gone', 'moved', 'closed', 'ticket_started', 'agent_replied'])
    await browser.get(`/settings/deliveries/${known[`delivery of ${name}`]}`);
  for (const id of ['nothing', known['message']]) await browser.get(`/settings/deliveries/${id}`);
  const delivery = `/settings/deliveries/${known['delivery of ticket_started']}`;
  await browser.prove(`${delivery}/redeliver`);
  await desk.settle();
  await browser.post(`${delivery}/redeliver`, { list: 'yes' });
  await browser.post('/settings/deliveries/nothing/redeliver');
  await desk.settle();
  const at = `/settings/webhooks/${known['fail']}`;
  await browser.prove(`${at}/replay`, { hours: '24', which: 'all' });
  await desk.settle();
  await browser.get(at, { about: 'after a replay' });
  await browser.post(`${at}/replay`, { hours: 'x', which: 'x' });
  await desk.settle();
  await browser.post(`/settings/webhooks/${known['gone']}/replay`, {}, { about: 'disabled' });
  await browser.prove(`${at}/replays/${known['replay']}/cancel`);
  await browser.prove(`/settings/webhooks/${known['by console']}/delete`);
  await browser.get('/settings/webhooks', { about: 'with a notice' });
  await browser.post(`/settings/webhooks/${known['gone']}/state`, { state: 'active' }, { about: 'on again' });
  await browser.get(`/settings/webhooks/${known['gone']}`);
}

async function audit(browser: Browser): Promise<void> {
  const page = await browser.get('/settings/events');
  for (const query of ['?kind=ticket_started', '?kind=x', '?since=1h', '?since=7d&kind=signed_in', '?cursor=x'])
    await browser.get(`/settings/events${query}`);
  const next = /href="(\/settings\/events\?[^"]*cursor=[^"]*)"/.exec(page.text)?.[1];
  const older = next && (await browser.get(next.replaceAll('&amp;', '&')));
  const ids = [page, ...(older ? [older] : [])].flatMap(({ text }) => [
    ...text.matchAll(/href="\/settings\/events\/([\da-f-]{36})"/g),
  ]);
  for (const [, id] of ids.slice(0, 60)) await browser.get(`/settings/events/${id}`);
  for (const id of ['nothing', '00000000-0000-7000-8000-000000000000']) await browser.get(`/settings/events/${id}`);
}

/** The plain agent lets the application in, and the owner takes it back for them. */
async function applications(desk: Desk, browser: Browser): Promise<void> {
  const plain = desk.browser('plain');
  await plain.signIn(TWIN.email, TWIN.password, 'Demonstration');
  await granted(desk, plain);
  await granted(desk, browser);
  const page = await browser.get('/settings/applications');
  const id = /\/settings\/applications\/([\da-f-]{36})\/revoke/.exec(page.text)?.[1] ?? 'none';
  await browser.prove(`/settings/applications/${id}/revoke`, { agent: desk.known['plain']! });
  await browser.get('/settings/applications', { about: 'with a notice' });
  await browser.post(`/settings/applications/${id}/revoke`, {}, { about: 'everybody’s' });
}
