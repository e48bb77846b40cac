import type { Desk } from '../desk.js';

/** The owner signs in, with every way of not succeeding first, and makes the tokens that later scenes use. */
export async function signIn(desk: Desk): Promise<void> {
  const { owner } = desk.firstRun;
  await strangers(desk);
  const browser = desk.browser('owner');
  await browser.get('/settings/webhooks?event=ticket_started', { about: 'comes back here after signing in' });
  await browser.get('/sign-in');
  await browser.get('/sign-in', { headers: { 'accept-encoding': 'gzip' } });
  await browser.post('/sign-in', { csrf: '', email: owner.email, password: owner.password });
  await browser.post('/sign-in', { csrf: 'forged', email: owner.email, password: owner.password });
  await browser.post('/sign-in', { email: owner.email, password: 'wrong' });
  await browser.post('/sign-in', { email: '<b>"nobody"@example.com', password: 'wrong' });
  await browser.post('/sign-in', {});
  for (const site of ['cross-site', 'same-site'])
    await browser.post(
      '/sign-in',
      { email: owner.email, password: owner.password },
      { headers: { 'sec-fetch-site': site } },
    );
  await browser.post(
    '/sign-in',
    { email: owner.email, password: owner.password },
    { headers: { origin: 'https://x.example' } },
  );
  await browser.post('/sign-in/account', { agent: 'nobody' });
  await browser.post('/sign-in', { email: ` ${owner.email.toUpperCase()} `, password: owner.password });
  await browser.get('/sign-in', { about: 'signed in already' });
  await browser.get('/');
  await browser.get('/inbox');
  await tokens(desk, browser);
  await throttled(desk);
  await signedOut(desk);
}

type Browser = ReturnType<Desk['browser']>;

const PAGES = [
  '/',
  '/inbox',
  '/tickets/new',
  '/tickets/1',
  '/customers',
  '/profile',
  '/settings/agents',
  '/settings/system',
];

async function strangers(desk: Desk): Promise<void> {
  const nobody = desk.browser('nobody');
  for (const path of PAGES) await desk.browser('a stranger').get(path);
  await nobody.ask('HEAD /inbox');
  await nobody.post('/tickets', {});
  await nobody.post('/sign-out');
  await nobody.get('/live', { headers: { accept: 'text/event-stream' } });
  await nobody.get('/live');
  await desk.ask('GET /inbox', { about: 'a program' });
  await desk.browser('with a made-up session').get('/inbox', { headers: { cookie: 'deskwire-session=made-up' } });
  await nobody.post('/sign-in', { email: 'a@b.example', password: 'x' }, { about: 'without a visit' });
}

async function tokens(desk: Desk, browser: Browser): Promise<void> {
  // A person may ask for ten tokens an hour, and the three refused forms count.
  await browser.get('/profile');
  const make = async (name: string, scopes: readonly string[]): Promise<void> => {
    const page = await browser.post('/profile/tokens', { name, days: '30', 'scope[]': scopes });
    desk.tokens[name] = /data-token[^>]*>(dwp_[\w-]+)</.exec(page.text)?.[1] ?? '';
  };
  await browser.prove('/profile/tokens', { name: '', days: 'many' });
  await browser.prove('/profile/tokens', { name: 'no scopes', days: '30' });
  await browser.prove('/profile/tokens', { name: 'too long', days: '366', 'scope[]': 'read' });
  for (const scope of ['read', 'write', 'admin']) await make(scope, [scope]);
  await make('webhooks', ['read', 'webhooks']);
  for (const name of ['sweep', 'poll', 'ended']) await make(name, ['read', 'write', 'webhooks', 'admin']);
  const page = await browser.get('/profile');
  const ids = [...page.text.matchAll(/\/profile\/tokens\/([\da-f-]{36})\/revoke/g)].map(([, id]) => id!);
  const ended = await desk.send('GET /v1/me', { as: 'ended' });
  if (ended.status !== 200) throw new Error('The personal tokens do not work.');
  const last = /ended<[\s\S]*?\/profile\/tokens\/([\da-f-]{36})\/revoke/.exec(page.text)?.[1] ?? ids[0]!;
  await browser.prove(`/profile/tokens/${last}/revoke`);
  await browser.post(`/profile/tokens/${last}/revoke`, {}, { about: 'again' });
  await browser.post('/profile/tokens/nothing/revoke');
  await desk.api('GET /v1/me', { as: 'ended', about: 'a token that was revoked' });
}

async function throttled(desk: Desk): Promise<void> {
  const browser = desk.browser('guessing');
  await browser.get('/sign-in');
  for (let tries = 0; tries < 11; tries += 1)
    await browser.post('/sign-in', { email: 'guess@example.com', password: 'x' });
}

async function signedOut(desk: Desk): Promise<void> {
  const { owner } = desk.firstRun;
  const browser = desk.browser('leaving');
  await browser.signIn(owner.email, owner.password);
  await browser.prove('/sign-out');
  await browser.get('/inbox');
  await browser.signIn(owner.email, owner.password);
  await browser.post('/sign-out?return_to=%2Fcustomers');
  await browser.signIn(owner.email, owner.password);
  await browser.post('/sign-out?return_to=%2F%2Fevil.example');
}
