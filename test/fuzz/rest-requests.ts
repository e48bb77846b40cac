import type { Operation } from '#test/support/openapi-operations.js';
import { type Body, type Fields, bodyWith, formBody, jsonBody, mailBody, multipartBody } from './bodies.js';
import type { DraftedRequest, Header } from './draft.js';
import { headersOf } from './headers.js';
import { hostileText } from './hostile.js';
import { pathWith, withQuery } from './paths.js';
import { type RequestPlan } from './request-plan.js';
import { objectOf } from './values.js';
import { BEARERS, type Bearer } from './world.js';

/** Most callers are permitted. */
const USUAL: readonly Bearer[] = ['owner', 'owner', 'owner', 'owner', 'owner', 'admin', 'application', 'agent'];

export function restRequest(plan: RequestPlan, operation: Operation): DraftedRequest {
  const caller = plan.choices.pick(plan.has('caller') ? BEARERS : USUAL);
  const query = plan.some(operation.inQuery, 0.3);
  const required = operation.inQuery.filter((parameter) => parameter.required && !query.includes(parameter));
  const { contentType } = operation;
  const body =
    operation.body && bodyWith(plan, objectOf(plan, operation.body), (fields) => writtenAs(plan, contentType, fields));
  const headers = headersOf(plan, '*/*', authorization(plan, caller), body);
  return {
    route: operation.name,
    caller,
    account: plan.world.accounts[caller === 'stranger' ? 'theirs' : 'ours'],
    draft: {
      method: operation.method,
      target: withQuery(plan, pathWith(plan, operation.path), [...required, ...query]),
      headers,
      body: body?.bytes,
    },
  };
}

const SCHEMES = ['Bearer', 'bearer', 'BEARER ', 'Basic', 'Token', 'Bearer Bearer', ''];

function authorization({ world, choices }: RequestPlan, caller: Bearer): Header[] {
  if (caller === 'nobody') return [];
  if (caller !== 'nonsense') return [['authorization', `Bearer ${world.tokens[caller]}`]];
  const text = hostileText(choices)
    .replaceAll(/[^\u0020-\u007e]/g, '~')
    .slice(0, 4000);
  return [['authorization', `${choices.pick(SCHEMES)} ${text}`]];
}

function writtenAs(plan: RequestPlan, contentType: string | undefined, fields: Fields): Body {
  if (contentType === 'message/rfc822') return mailBody(plan);
  if (contentType === 'multipart/form-data') return multipartBody(plan, {}, plan.choices.integer(1, 3));
  return plan.choices.isLikely(0.2) ? formBody(fields) : jsonBody(plan, fields);
}
