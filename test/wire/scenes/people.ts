import type { Desk } from '../desk.js';
import { TWIN } from '../product.js';

/** Agents, groups and mailboxes through the API. Leaves a plain agent and an admin who are active. */
export async function people(desk: Desk): Promise<void> {
  await mailboxes(desk);
  await agents(desk);
  await groups(desk);
  await asOthers(desk);
}

async function mailboxes(desk: Desk): Promise<void> {
  const made = await desk.api('POST /v1/mailboxes', { json: { name: 'Billing', email: 'Billing@Example.com' } });
  desk.known['billing'] = made.json.mailbox.id;
  const spare = await desk.api('POST /v1/mailboxes', {
    form: [
      ['name', 'Spare'],
      ['email', 'spare@example.com'],
    ],
  });
  await desk.api('POST /v1/mailboxes', {
    json: { name: 'Billing', email: 'other@example.com' },
    about: 'a name that is taken',
  });
  await desk.api('POST /v1/mailboxes', {
    json: { name: 'Other', email: 'billing@example.com' },
    about: 'an address that is taken',
  });
  await desk.api('POST /v1/mailboxes', { json: {} });
  for (const query of ['', '?per_page=1', '?per_page=1&page=2', '?page=99'])
    await desk.api(`GET /v1/mailboxes${query}`);
  for (const name of ['Billing', 'billing@example.com', 'BILLING@example.com', made.json.mailbox.id, 'nobody'])
    await desk.api(`GET /v1/mailboxes/${encodeURIComponent(name)}`);
  await desk.api('PUT /v1/mailboxes/Spare', { json: { name: 'Second' } });
  await desk.api('PUT /v1/mailboxes/Second', { json: { name: 'Billing' } });
  await desk.api('PUT /v1/mailboxes/Second', { json: { email: 'no address' } });
  await desk.api('PUT /v1/mailboxes/Second', { json: { email: null, name: null } });
  await desk.api(`DELETE /v1/mailboxes/${spare.json.mailbox.id}`);
  await desk.api(`DELETE /v1/mailboxes/${spare.json.mailbox.id}`, { about: 'again' });
}

async function agents(desk: Desk): Promise<void> {
  const { owner } = desk.firstRun;
  const invite = (json: object, about?: string) => desk.api('POST /v1/agents', { json, about });
  const plain = await invite({ email: TWIN.email.toUpperCase(), first_name: 'Petra', last_name: 'Plain' });
  desk.known['plain'] = plain.json.agent.id;
  const admin = await invite({ email: 'admin@example.com', first_name: 'Ada', role: 'admin' });
  desk.known['admin'] = admin.json.agent.id;
  await invite({ email: 'leaving@example.com', first_name: null, last_name: 'Leaving <i>&' });
  await invite({ email: TWIN.email }, 'already here');
  await invite({ email: 'x', role: 'king', first_name: 5, last_name: 'x'.repeat(101) });
  await invite({});
  for (const query of ['', '?per_page=2', '?per_page=2&page=2', '?group=nothing', '?group=', '?cursor=bm9uZQ'])
    await desk.api(`GET /v1/agents${query}`);
  for (const name of [owner.email, 'ADMIN%40example.com', admin.json.agent.id, 'nobody@example.com'])
    await desk.api(`GET /v1/agents/${name}`);
  await desk.api('PUT /v1/agents/admin@example.com', { json: { first_name: 'Adele', last_name: 'Admin' } });
  await desk.api('PUT /v1/agents/admin@example.com', { json: { first_name: null, role: null } });
  await desk.api('PUT /v1/agents/admin@example.com', {
    form: [
      ['first_name', 'Adele'],
      ['role', ''],
    ],
  });
  await desk.api(`PUT /v1/agents/${owner.email}`, { json: { role: 'agent' }, about: 'the last owner' });
  await desk.api(`POST /v1/agents/${owner.email}/archive`, { about: 'the last owner' });
  await desk.api('POST /v1/agents/leaving@example.com/archive');
  await desk.api('POST /v1/agents/leaving@example.com/archive', { about: 'again' });
  await desk.api('PUT /v1/agents/leaving@example.com', { json: { first_name: 'Gone' }, about: 'archived' });
  await desk.api('POST /v1/agents/leaving@example.com/restore');
  await desk.api('POST /v1/agents/leaving@example.com/restore', { about: 'again' });
}

async function groups(desk: Desk): Promise<void> {
  const members = [TWIN.email, desk.known['admin']];
  const made = await desk.api('POST /v1/groups', { json: { name: 'Refunds', members } });
  desk.known['refunds'] = made.json.group.id;
  await desk.api('POST /v1/groups', { json: { name: 'Refunds' }, about: 'taken' });
  await desk.api('POST /v1/groups', { json: { name: 'Strangers', members: ['nobody@example.com'] } });
  await desk.api('POST /v1/groups', { json: { members: 7 } });
  const second = await desk.api('POST /v1/groups', {
    form: [
      ['name', 'Second line'],
      ['members[]', TWIN.email],
    ],
  });
  for (const query of ['', '?per_page=1', `?agent=${TWIN.email}`, '?agent=nobody@example.com'])
    await desk.api(`GET /v1/groups${query}`);
  for (const name of ['Refunds', 'Second%20line', made.json.group.id, 'nothing'])
    await desk.api(`GET /v1/groups/${name}`);
  await desk.api('GET /v1/agents?group=Refunds');
  await desk.api('PUT /v1/groups/Second%20line', { json: { name: 'Third line', members: [] } });
  await desk.api('PUT /v1/groups/Third%20line', { json: { name: 'Refunds' } });
  await desk.api('PUT /v1/groups/Third%20line', { json: { members: `${TWIN.email}, admin@example.com` } });
  await desk.api('PUT /v1/groups/nothing', { json: { name: 'x' } });
  await desk.api(`DELETE /v1/groups/${second.json.group.id}`);
  await desk.api('DELETE /v1/groups/nothing');
}

/** Those who were invited follow the link in their mail. The plain agent has an account elsewhere as well. */
async function asOthers(desk: Desk): Promise<void> {
  const link = await desk.mail.linkTo(TWIN.email);
  const plain = desk.browser('plain');
  await plain.get(link);
  await plain.ask(`HEAD ${link}`);
  await plain.post(link, { csrf: '', password: TWIN.password });
  await plain.post(link, { password: 'short' });
  await plain.post(link, { password: '' });
  await plain.post(link, { password: TWIN.password });
  await plain.get('/inbox');
  await plain.get(link, { about: 'spent' });
  await plain.post(link, { password: TWIN.password }, { about: 'spent' });
  await plain.get('/set-password/nothing');
  const admin = desk.browser('admin');
  const adminLink = await desk.mail.linkTo('admin@example.com');
  await admin.get(adminLink);
  await admin.post(adminLink, { password: 'wire-password-2' });
  for (const [browser, name] of [
    [plain, 'plain'],
    [admin, 'of admin'],
  ] as const) {
    await browser.get('/profile');
    const page = await browser.post('/profile/tokens', {
      name,
      days: '30',
      'scope[]': ['read', 'write', 'webhooks', 'admin'],
    });
    desk.tokens[name] = /data-token[^>]*>(dwp_[\w-]+)</.exec(page.text)?.[1] ?? '';
  }
  await roles(desk);
}

async function roles(desk: Desk): Promise<void> {
  for (const as of ['plain', 'of admin']) {
    await desk.api('GET /v1/me', { as });
    await desk.api('POST /v1/agents', { as, json: { email: `by-${as.replace(' ', '-')}@example.com` } });
    await desk.api('POST /v1/agents', { as, json: { email: 'owner-2@example.com', role: 'owner' } });
    await desk.api('PUT /v1/agents/admin@example.com', { as, json: { role: 'owner' } });
    await desk.api(`PUT /v1/agents/${desk.firstRun.owner.email}`, { as, json: { role: 'agent' } });
    await desk.api(`PUT /v1/agents/${TWIN.email}`, { as, json: { last_name: 'Plainer' } });
    await desk.api('POST /v1/groups', { as, json: { name: `By ${as}` } });
    await desk.api('POST /v1/mailboxes', {
      as,
      json: { name: `By ${as}`, email: `${as.replace(' ', '-')}@in.example` },
    });
    await desk.api('GET /v1/webhooks', { as });
    await desk.api(`GET /v1/webhooks/${desk.known['fail']}`, { as });
  }
  for (const as of ['read', 'write', 'webhooks', 'admin']) await desk.api('GET /v1/me', { as });
}
