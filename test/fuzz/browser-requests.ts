import { csrfToken } from '../../apps/api/src/layers/ui/csrf.js';
import type { ApiRoute } from '#test/support/api-routes.js';
import { type Body, type Fields, bodyWith, formBody, jsonBody, multipartBody } from './bodies.js';
import type { DraftedRequest, Header } from './draft.js';
import { fieldsOfForm, isForSpares, parametersOfPage, turnOf, valueOf } from './forms.js';
import { headersOf } from './headers.js';
import { hostileText } from './hostile.js';
import { pathWith, withQuery } from './paths.js';
import { type RequestPlan, encoded } from './request-plan.js';
import { BROWSERS, type Browser } from './world.js';

const USUAL: readonly Browser[] = ['owner', 'owner', 'owner', 'owner', 'admin', 'agent'];

/** A holder of a password link may see its account, and a holder of a file link gets the file. */
const OF_LINK_HOLDERS = /\/(set-password|downloads)\//;

const OF_AGENTS_WITH_CODES = /^POST \/profile\/two-factor\/(confirm|recovery-codes|off)$/;

/** A page or a form requested by a browser. The address may have its own query. */
export function browserRequest(plan: RequestPlan, { method, path }: ApiRoute, pattern = path): DraftedRequest {
  const route = `${method} ${pattern}`;
  const browser = plan.choices.pick(plan.has('caller') ? BROWSERS : USUAL);
  const parameters = path === pattern ? plan.some(parametersOfPage(path), 0.25) : [];
  const target = withQuery(plan, pathWith(plan, path), parameters);
  const { csrf, cookie } = cookieOf(plan, { route, target }, browser);
  const body = method === 'GET' ? undefined : bodyOf(plan, route, csrf);
  const accept = path === '/live' ? 'text/event-stream' : plan.choices.pick(['text/html', 'text/html', '*/*']);
  const own: Header[] = [...(cookie === '' ? [] : ([['cookie', cookie]] as const)), ...tokenOfMetrics(plan, path)];
  return {
    route,
    caller: `${browser}’s browser`,
    account: accountOf(plan, route, browser),
    draft: { method, target, headers: headersOf(plan, accept, own, body), body: body?.bytes },
    streams: path === '/live',
  };
}

/** Forms of two-factor sign-in use separate sessions, whatever the sender. */
function accountOf({ world: { accounts } }: RequestPlan, route: string, browser: Browser): string {
  const isTheirs = browser === 'stranger' && !OF_LINK_HOLDERS.test(route) && !OF_AGENTS_WITH_CODES.test(route);
  return isTheirs ? accounts.theirs : accounts.ours;
}

const tokenOfMetrics = ({ choices, world }: RequestPlan, path: string): Header[] =>
  path === '/metrics' && choices.isLikely(0.7) ? [['authorization', `Bearer ${world.metricsToken}`]] : [];

interface Cookie {
  readonly cookie: string;
  /** The token in the forms of its pages. */
  readonly csrf: string;
}

function cookieOf(plan: RequestPlan, { route, target }: FormAddress, browser: Browser): Cookie {
  const { world, choices } = plan;
  if (browser === 'nonsense') return { csrf: hostileText(choices), cookie: nonsenseCookie(plan) };
  if (browser !== 'nobody' && /^\w+ \/sign-in\/(recovery-)?code$/.test(route)) return turnOf(plan, 'challenged');
  if (isStrangersForm(route)) return route.endsWith('/account') ? choices.pick(world.visitsToFinish) : world.visit;
  if (browser === 'nobody') return { csrf: '', cookie: '' };
  const secret = secretFor(plan, route, browser);
  const purpose = route.startsWith('POST /oauth/authorize') ? consentOf(target) : '';
  return { csrf: csrfToken(secret, purpose), cookie: `deskwire-session=${secret}` };
}

function secretFor(plan: RequestPlan, route: string, browser: Exclude<Browser, 'nobody' | 'nonsense'>): string {
  if (OF_AGENTS_WITH_CODES.test(route))
    return turnOf(plan, route.endsWith('/confirm') ? 'settingUpCodes' : 'codeHolders').session;
  return isForSpares(route) ? plan.choices.pick(plan.world.spareSessions) : plan.world.sessions[browser];
}

const nonsenseCookie = ({ choices }: RequestPlan): string =>
  `deskwire-session=${encoded(hostileText(choices)).slice(0, 4000)}`;

const consentOf = (target: string): string => `consent:${target.split('?').slice(1).join('?')}`;

/** Sent by signed-out browsers. */
const isStrangersForm = (route: string): boolean => /^POST \/(sign-in|forgot-password|set-password)/.test(route);

interface FormAddress {
  readonly route: string;
  readonly target: string;
}

function bodyOf(plan: RequestPlan, route: string, csrf: string): Body {
  const right = fieldsOfForm(plan, route).map(([name, field]) => [name, valueOf(plan, name, field)] as const);
  return bodyWith(plan, Object.fromEntries(right), (fields) => {
    const proof = plan.has('caller') && plan.choices.isLikely(0.3) ? hostileText(plan.choices) : csrf;
    return writtenAs(plan, route, { csrf: proof, ...fields });
  });
}

const WITH_FILES = /^POST \/tickets(\/:number\/messages)?$/;

function writtenAs(plan: RequestPlan, route: string, fields: Fields): Body {
  const { choices } = plan;
  if (WITH_FILES.test(route) && choices.isLikely(0.5)) return multipartBody(plan, fields, choices.integer(0, 2));
  return choices.isLikely(0.05) ? jsonBody(plan, fields) : formBody(fields);
}
