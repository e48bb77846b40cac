import type { TestApplication } from '../oauth/support/oauth-desk.js';
import type { ApiRoute } from '#test/support/api-routes.js';
import { type Fields, bodyWith, formBody, jsonBody } from './bodies.js';
import { browserRequest } from './browser-requests.js';
import type { DraftedRequest, Header } from './draft.js';
import { headersOf } from './headers.js';
import { hostileText } from './hostile.js';
import { type RequestPlan } from './request-plan.js';

/** An application at one of the three endpoints that answer it directly. */
export function oauthRequest(plan: RequestPlan, { method, path }: ApiRoute): DraftedRequest {
  const { choices, world } = plan;
  const who = plan.has('caller') ? choices.pick(['another', 'disabled', 'nonsense'] as const) : 'ours';
  const client = who === 'nonsense' ? nonsenseClient(plan) : world.clients[who];
  const viaHeader = choices.isLikely(0.5);
  const right = { ...(viaHeader ? {} : credentialsOf(client)), ...fieldsFor(plan, path, client) };
  const body = bodyWith(plan, right, (fields) => (choices.isLikely(0.4) ? jsonBody(plan, fields) : formBody(fields)));
  const headers = headersOf(plan, '*/*', viaHeader ? [basicOf(client)] : [], body);
  return {
    route: `${method} ${path}`,
    caller: `the application “${who}”`,
    account: world.accounts.ours,
    draft: { method, target: path, headers, body: body.bytes },
  };
}

function nonsenseClient({ choices, world }: RequestPlan): TestApplication {
  return { ...world.clients.ours, clientId: hostileText(choices), secret: hostileText(choices) };
}

const credentialsOf = ({ clientId, secret }: TestApplication): Fields => ({
  client_id: clientId,
  client_secret: secret,
});

const basicOf = ({ clientId, secret }: TestApplication): Header => [
  'authorization',
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`.slice(0, 6000),
];

function fieldsFor(plan: RequestPlan, path: string, client: TestApplication): Fields {
  const { choices, world } = plan;
  const anyToken = [...world.refreshTokens, ...world.accessTokens, world.tokens.owner];
  if (path !== '/oauth/token') return { token: choices.pick(anyToken), token_type_hint: choices.pick(HINTS) };
  if (choices.isLikely(0.5)) return { grant_type: 'refresh_token', refresh_token: choices.pick(world.refreshTokens) };
  const redirect = { redirect_uri: client.redirectUri };
  return { grant_type: 'authorization_code', code: choices.pick(world.codes), ...redirect };
}

const HINTS = ['access_token', 'refresh_token', 'nonsense'];

export function authorizeRequest(plan: RequestPlan, route: ApiRoute): DraftedRequest {
  return browserRequest(plan, { ...route, path: `${route.path}${authorizationQuery(plan)}` }, route.path);
}

const SCOPES = ['read', 'read write', 'read write webhooks admin', 'nonsense', ''];

function authorizationQuery(plan: RequestPlan): string {
  const { choices, world } = plan;
  const client = world.clients.ours;
  const asked: Record<string, string> = {
    client_id: plan.textFor('query', () => client.clientId),
    response_type: plan.textFor('query', () => 'code'),
    redirect_uri: plan.textFor('query', () => client.redirectUri),
    ...(choices.isLikely(0.5) ? { state: plan.textFor('query', () => 'some state') } : {}),
    ...(choices.isLikely(0.5) ? { scope: plan.textFor('query', () => choices.pick(SCOPES)) } : {}),
  };
  return `?${new URLSearchParams(asked)}`;
}
