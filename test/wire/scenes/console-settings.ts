import type { Browser } from '../browser.js';
import type { Desk } from '../desk.js';

const PAGES = [
  '/customers',
  '/customers?q=jonas',
  '/customers?q=zzz',
  '/customers?cursor=x',
  '/customers/new',
  '/settings/agents',
  '/settings/groups',
  '/settings/mailboxes',
  '/profile',
];

/** The other pages of the console, as the owner. */
export async function settings(desk: Desk): Promise<void> {
  const browser = desk.browser('owner');
  await browser.signIn(desk.firstRun.owner.email, desk.firstRun.owner.password);
  for (const path of PAGES) await browser.get(path);
  await customers(browser);
  await agents(desk, browser);
  await groups(desk, browser);
  await mailboxes(desk, browser);
  await profile(desk, browser);
  await desk.settle();
  for (const path of PAGES) await browser.get(path);
}

async function customers(browser: Browser): Promise<void> {
  const fields = {
    email: 'typed@client.example',
    first_name: 'Ty',
    last_name: 'Ped',
    title: 'T',
    company_name: 'C',
    phone_number: '1',
    location: 'L',
    website_url: 'https://w.example',
    twitter_username: 't',
    linkedin_username: 'l',
    about: 'a\r\nb',
  };
  await browser.prove('/customers', {
    ...fields,
    'custom[0][name]': 'plan',
    'custom[0][value]': 'pro',
    'custom[1][name]': '',
    'custom[1][value]': 'x',
  });
  await browser.get('/customers/typed@client.example', { about: 'with a notice' });
  await browser.post('/customers', fields, { about: 'taken' });
  await browser.post('/customers', { email: '<b>', first_name: 'x'.repeat(201) });
  await browser.post('/customers', {});
  const at = '/customers/typed%40client.example';
  await browser.prove(at, { ...fields, title: '', 'custom[0][name]': 'plan', 'custom[0][value]': 'free' });
  await browser.post(at, { ...fields, email: 'x' });
  await browser.post(at, { ...fields, email: 'jonas@client.example' }, { about: 'taken' });
  for (const path of [at, '/customers/jonas@client.example', '/customers/nobody@x.example']) await browser.get(path);
  await browser.post('/customers/nobody@x.example', fields);
  await browser.post('/customers/jonas@client.example/delete', {}, { about: 'has tickets' });
  await browser.get('/customers/jonas@client.example', { about: 'with a notice' });
  await browser.prove(`${at}/delete`);
  await browser.get('/customers', { about: 'with a notice' });
  await browser.post(`${at}/delete`, {}, { about: 'again' });
}

async function agents(desk: Desk, browser: Browser): Promise<void> {
  const at = '/settings/agents';
  await browser.prove(at, { email: 'console@example.com', first_name: 'Con', last_name: 'Sole', role: 'agent' });
  await browser.get(at, { about: 'with a notice' });
  await browser.post(at, { email: 'console@example.com' }, { about: 'taken' });
  await browser.post(at, { email: 'x', role: 'king', first_name: '<b>' });
  const { json } = await desk.api('GET /v1/agents/console@example.com');
  const one = `${at}/${json.agent.id}`;
  await browser.prove(`${one}/invite`);
  await browser.post(`${at}/${desk.known['admin']}/invite`, {}, { about: 'active already' });
  await browser.prove(`${one}/role`, { role: 'admin' });
  await browser.post(`${one}/role`, { role: 'king' });
  await browser.prove(`${one}/archive`);
  await browser.post(`${one}/archive`, {}, { about: 'again' });
  await browser.get(at);
  await browser.prove(`${one}/restore`);
  await browser.post(`${one}/role`, { role: 'agent' });
  for (const deed of ['invite', 'role', 'archive', 'restore'])
    await browser.post(`${at}/nothing/${deed}`, { role: 'agent' });
  await browser.post(`${at}/${desk.firstRun.owner.email}/archive`, {}, { about: 'the last owner' });
  await browser.post(`${at}/${desk.firstRun.owner.email}/role`, { role: 'agent' }, { about: 'the last owner' });
}

async function groups(desk: Desk, browser: Browser): Promise<void> {
  const at = '/settings/groups';
  await browser.prove(at, { name: 'By console' });
  await browser.post(at, { name: 'By console' }, { about: 'taken' });
  await browser.post(at, { name: '' });
  const { json } = await desk.api('GET /v1/groups/By%20console');
  const one = `${at}/${json.group.id}`;
  await browser.prove(one, { name: 'Changed', 'agent[]': [desk.known['plain']!, desk.known['admin']!] });
  await browser.post(one, { name: 'Refunds' }, { about: 'taken' });
  await browser.post(one, { name: 'Changed', 'agent[]': 'nobody@example.com' });
  await browser.get(at);
  await browser.prove(`${one}/delete`);
  await browser.post(`${one}/delete`, {}, { about: 'again' });
  await browser.post(`${at}/${desk.known['refunds']}/delete`, {}, { about: 'in use' });
  await browser.post(`${at}/nothing`, { name: 'x' });
}

async function mailboxes(desk: Desk, browser: Browser): Promise<void> {
  const at = '/settings/mailboxes';
  await browser.prove(at, { name: 'By console', email: 'console@in.example' });
  await browser.post(at, { name: 'By console', email: 'console@in.example' }, { about: 'taken' });
  await browser.post(at, { name: '', email: 'x' });
  const { json } = await desk.api('GET /v1/mailboxes/By%20console');
  const one = `${at}/${json.mailbox.id}`;
  await browser.prove(one, { name: 'Changed', email: 'changed@in.example' });
  await browser.post(one, { name: 'Billing', email: 'x' });
  await browser.get(at);
  await browser.prove(`${one}/delete`);
  await browser.post(`${one}/delete`, {}, { about: 'again' });
  await browser.post(`${at}/${desk.known['billing']}/delete`, {}, { about: 'in use' });
  await browser.post(`${at}/nothing`, { name: 'x' });
}

async function profile(desk: Desk, browser: Browser): Promise<void> {
  const { owner } = desk.firstRun;
  await browser.prove('/profile', { first_name: 'Olga <b>', last_name: 'Owner' });
  await browser.post('/profile', { first_name: 'x'.repeat(101) });
  await browser.post('/profile', { first_name: 'Olga', last_name: 'Owner' });
  await browser.get('/profile', { about: 'with a notice' });
  await browser.prove('/profile/preferences', { theme: 'dark', after: 'next' });
  await browser.get('/profile', { about: 'dark' });
  await browser.post('/profile/preferences', { theme: 'x', shortcuts: 'on', after: 'x' });
  await browser.prove('/profile/password', { current: 'wrong', password: 'wire-password-4' });
  await browser.post('/profile/password', { current: owner.password, password: 'short' });
  await browser.post('/profile/password', {});
  await browser.post('/profile/password', { current: owner.password, password: owner.password });
  await browser.get('/profile');
  const other = desk.browser('owner elsewhere');
  await other.signIn(owner.email, owner.password);
  await browser.prove('/profile/sessions/close-others');
  await other.get('/inbox', { about: 'signed out from elsewhere' });
  await browser.post('/profile/sessions/close-others', {}, { about: 'again' });
  const [, id = 'none'] =
    /\/profile\/applications\/([\da-f-]{36})\/revoke/.exec((await browser.get('/profile')).text) ?? [];
  await browser.get('/settings/applications');
  await browser.prove(`/settings/applications/${id}/revoke`, { agent: desk.known['plain']! });
  await browser.prove(`/profile/applications/${id}/revoke`);
  await browser.post(`/profile/applications/${id}/revoke`, {}, { about: 'again' });
  await browser.post('/profile/applications/nothing/revoke');
  await browser.post(`/settings/applications/${id}/revoke`, {}, { about: 'again' });
  await browser.post('/settings/applications/nothing/revoke');
  await desk.api('GET /v1/me', { as: 'application', about: 'access was withdrawn' });
  await desk.api(`GET /v1/webhooks/${desk.known['of the application']}`, { about: 'access was withdrawn' });
}
