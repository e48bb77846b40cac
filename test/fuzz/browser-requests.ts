import { csrfToken } from '../../apps/api/src/pages/csrf.js';
import type { ApiRoute } from '../support/api-routes.js';
import { type Body, type Fields, formBody, jsonBody, multipartBody, wrongBody } from './bodies.js';
import type { DraftedRequest, Header } from './draft.js';
import { fieldsOfForm, isForSpares, parametersOfPage, valueOf } from './forms.js';
import { ordinaryHeaders, unusualHeaders } from './headers.js';
import { hostileText } from './hostile.js';
import { pathWith, withQuery } from './paths.js';
import { type RequestPlan, encoded } from './request-plan.js';
import { withWrongField } from './values.js';
import { BROWSERS, type Browser } from './world.js';

const USUAL: readonly Browser[] = ['owner', 'owner', 'owner', 'owner', 'admin', 'agent'];

/** A page opened, or a form sent, by somebody in front of a browser. The address may have a query of its own. */
export function browserRequest(plan: RequestPlan, { method, path }: ApiRoute, pattern = path): DraftedRequest {
  const route = `${method} ${pattern}`;
  const browser = plan.choices.pick(plan.has('caller') ? BROWSERS : USUAL);
  const { secret, cookie } = cookieOf(plan, route, browser);
  const parameters = path === pattern ? plan.some(parametersOfPage(path), 0.25) : [];
  const target = withQuery(plan, pathWith(plan, path), parameters);
  const body = method === 'GET' ? undefined : bodyOf(plan, { route, secret, target });
  const accept = path === '/live' ? 'text/event-stream' : plan.choices.pick(['text/html', 'text/html', '*/*']);
  const headers: Header[] = [
    ...ordinaryHeaders(plan, accept),
    ...(cookie === '' ? [] : ([['cookie', cookie]] as const)),
    ...(plan.has('headers') ? unusualHeaders(plan) : []),
    ...(body ? ([['content-type', body.type]] as const) : []),
  ];
  return {
    route,
    caller: `${browser}’s browser`,
    account: browser === 'stranger' ? plan.world.accounts.theirs : plan.world.accounts.ours,
    draft: { method, target, headers, body: body?.bytes },
    streams: path === '/live',
  };
}

interface Cookie {
  /** From which the proof of forms is made. */
  readonly secret: string;
  readonly cookie: string;
}

function cookieOf({ world, choices }: RequestPlan, route: string, browser: Browser): Cookie {
  if (browser === 'nonsense') {
    const secret = encoded(hostileText(choices)).slice(0, 4000);
    return { secret, cookie: `deskwire-session=${secret}` };
  }
  if (isStrangersForm(route)) {
    const secret = route.endsWith('/account') ? choices.pick(world.visitsToFinish) : world.visit;
    return { secret, cookie: `deskwire-visit=${secret}` };
  }
  if (browser === 'nobody') return { secret: '', cookie: '' };
  const secret = isForSpares(route) ? choices.pick(world.spareSessions) : world.sessions[browser];
  return { secret, cookie: `deskwire-session=${secret}` };
}

/** Sent by browsers that are not signed in. */
const isStrangersForm = (route: string): boolean => /^POST \/(sign-in|forgot-password|set-password)/.test(route);

interface FormToFill {
  readonly route: string;
  readonly secret: string;
  readonly target: string;
}

function bodyOf(plan: RequestPlan, form: FormToFill): Body {
  const right = Object.fromEntries(
    fieldsOfForm(plan, form.route).map(([name, field]) => [name, valueOf(plan, name, field)]),
  );
  const filled = plan.has('fields') ? withWrongField(plan, right) : right;
  const written = writtenAs(plan, form.route, { csrf: proofOf(plan, form), ...filled });
  return plan.has('body') ? wrongBody(plan, written) : written;
}

/** Usually the one that the page carried. */
function proofOf(plan: RequestPlan, { route, secret, target }: FormToFill): string {
  if (plan.has('caller') && plan.choices.isLikely(0.3)) return hostileText(plan.choices);
  return csrfToken(secret, route.startsWith('POST /oauth/authorize') ? consentOf(target) : '');
}

const consentOf = (target: string): string => `consent:${target.split('?').slice(1).join('?')}`;

const WITH_FILES = /^POST \/tickets(\/:number\/messages)?$/;

function writtenAs(plan: RequestPlan, route: string, fields: Fields): Body {
  const { choices } = plan;
  if (WITH_FILES.test(route) && choices.isLikely(0.5)) return multipartBody(plan, fields, choices.integer(0, 2));
  return choices.isLikely(0.05) ? jsonBody(plan, fields) : formBody(fields);
}
