import type { Ask, Fields } from '../ask.js';
import type { Browser } from '../browser.js';
import type { Desk } from '../desk.js';
import { VERIFIER, allowed, asking, deciding } from './oauth-consent.js';

/** The whole dance of an application, every step done wrongly as well. */
export async function oauth(desk: Desk): Promise<void> {
  const browser = desk.browser('owner at oauth');
  await asking(desk, browser);
  const code = await deciding(desk, browser);
  const tokens = await exchanging(desk, code);
  await using(desk, tokens.access_token);
  await refreshing(desk, tokens);
  await ending(desk, browser);
}

const ofClient = ({ firstRun }: Desk): Fields => [
  ['client_id', firstRun.client_id],
  ['client_secret', firstRun.client_secret],
];

const basic = ({ firstRun }: Desk, secret = firstRun.client_secret): string =>
  `Basic ${Buffer.from(`${firstRun.client_id}:${secret}`).toString('base64')}`;

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function exchanging(desk: Desk, code: string): Promise<Tokens> {
  const client = ofClient(desk);
  const token = (ask: Ask) => desk.ask('POST /oauth/token', ask);
  const redirect: Fields = [['redirect_uri', desk.firstRun.redirect_uri]];
  const good: Fields = [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ...redirect,
    ['code_verifier', VERIFIER],
    ...client,
  ];
  const without = (name: string): Fields => good.filter(([field]) => field !== name);
  for (const name of ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret'])
    await token({ form: without(name), about: `without ${name}` });
  await token({ form: [...without('grant_type'), ['grant_type', 'password']] });
  await token({ form: [...good, ['code', 'twice']] });
  await token({ form: [...without('code'), ['code', 'nothing']] });
  await token({ form: [...without('client_secret'), ['client_secret', 'wrong']] });
  await token({ form: good, headers: { authorization: 'Basic nonsense' } });
  await token({ form: good, headers: { authorization: basic(desk) }, about: 'in two ways', shown: 'a good form' });
  await token({
    form: without('client_secret'),
    headers: { authorization: basic(desk, 'wrong') },
    shown: 'a wrong secret',
  });
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }])
    await token({ raw: '{', headers });
  await token({ about: 'nothing' });
  await token({ json: [] });
  await desk.ask('GET /oauth/token');
  const answer = await token({ form: good, shown: 'a good form' });
  const again = await allowed(desk, await signedIn(desk));
  await token({
    form: [...good.filter(([name]) => name !== 'code' && name !== 'code_verifier'), ['code', again]],
    about: 'without its verifier',
  });
  await token({
    form: [
      ...good.filter(([name]) => name !== 'code' && name !== 'redirect_uri'),
      ['code', again],
      ['redirect_uri', 'http://127.0.0.1/'],
    ],
  });
  return answer.json as Tokens;
}

async function signedIn(desk: Desk): Promise<Browser> {
  const browser = desk.browser('owner again');
  await browser.signIn(desk.firstRun.owner.email, desk.firstRun.owner.password);
  return browser;
}

async function using(desk: Desk, access: string): Promise<void> {
  desk.tokens['application'] = access;
  const url = `${desk.receiver.url}/application`;
  await desk.api('GET /v1/me', { as: 'application' });
  await desk.api('GET /v1/webhooks', { as: 'application' });
  const made = await desk.api('POST /v1/webhooks', { as: 'application', json: { event: 'ticket_tagged', url } });
  desk.known['of the application'] = made.json.webhook.id;
  await desk.api('POST /v1/tickets/2/tags', { as: 'application', json: { tags: ['by-application'] } });
  await desk.settle();
  await desk.api(`GET /v1/webhooks/${made.json.webhook.id}/deliveries`, { as: 'application' });
  for (const headers of [
    { authorization: 'Bearer' },
    { authorization: 'Bearer a b' },
    { authorization: 'Basic abc' },
    { authorization: 'bearer  nothing' },
  ] as const)
    await desk.ask('GET /v1/me', { headers });
  await desk.ask(`GET /v1/me?access_token=${access}`);
}

const renewal = (token: string): Fields => [
  ['grant_type', 'refresh_token'],
  ['refresh_token', token],
];

async function refreshing(desk: Desk, tokens: Tokens): Promise<void> {
  const token = (fields: Fields, ask: Ask = {}) =>
    desk.ask('POST /oauth/token', { form: [...fields, ...ofClient(desk)], ...ask });
  await token([['grant_type', 'refresh_token']]);
  await token(renewal('nothing'));
  await token([...renewal(tokens.refresh_token), ['scope', 'everything']]);
  const { client_id, client_secret } = desk.firstRun;
  const json = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id, client_secret };
  const second = await desk.ask('POST /oauth/token', { json, about: 'as JSON' });
  await token(renewal(tokens.refresh_token), { about: 'the answer was lost' });
  const narrow = await token([...renewal(second.json.refresh_token), ['scope', 'read']]);
  await token(renewal(tokens.refresh_token), { about: 'spent' });
  const ask = (line: string, value: string, about: string) =>
    desk.ask(line, { form: [['token', value], ...ofClient(desk)], about });
  for (const line of ['POST /oauth/introspect', 'POST /oauth/revoke']) {
    await desk.ask(line);
    await desk.ask(line, { form: ofClient(desk) });
    await desk.ask(line, { form: [['token', 'x']] });
    await ask(line, 'nothing', 'unknown');
    await desk.ask(line.replace('POST', 'GET'));
  }
  await ask('POST /oauth/introspect', narrow.json.access_token, 'after the theft was noticed');
  await token(renewal(narrow.json.refresh_token), { about: 'after the theft was noticed' });
}

/** Lets the application in and has it exchange its code. */
export async function granted(desk: Desk, browser: Browser, scope?: string): Promise<Tokens> {
  const code = await allowed(desk, browser, { scope, code_challenge: undefined, code_challenge_method: undefined });
  const form: Fields = [
    ['grant_type', 'authorization_code'],
    ['code', code],
    ['redirect_uri', desk.firstRun.redirect_uri],
  ];
  const shown = 'a code, and the client by header';
  const answer = await desk.ask('POST /oauth/token', { form, headers: { authorization: basic(desk) }, shown });
  return answer.json as Tokens;
}

/** Given once more, looked at, and given back in each way. */
async function ending(desk: Desk, browser: Browser): Promise<void> {
  const fresh = (scope?: string): Promise<Tokens> => granted(desk, browser, scope);
  const ask = (line: string, value: string, about: string) =>
    desk.ask(line, { form: [['token', value], ...ofClient(desk)], about });
  const first = await fresh('read webhooks');
  for (const value of [first.access_token, first.refresh_token]) await ask('POST /oauth/introspect', value, 'alive');
  desk.tokens['narrow'] = first.access_token;
  await desk.api('GET /v1/me', { as: 'narrow' });
  await desk.api('POST /v1/tickets', { as: 'narrow', json: {} });
  await ask('POST /oauth/revoke', first.access_token, 'the access token');
  await ask('POST /oauth/introspect', first.access_token, 'revoked');
  await ask('POST /oauth/introspect', first.refresh_token, 'still alive');
  await desk.api('GET /v1/me', { as: 'narrow' });
  await ask('POST /oauth/revoke', first.refresh_token, 'the grant');
  await ask('POST /oauth/introspect', first.refresh_token, 'revoked');
  const last = await fresh();
  desk.tokens['application'] = last.access_token;
  await desk.api('GET /v1/me', { as: 'application' });
}
