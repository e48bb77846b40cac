import type { RequiredScopes } from '../oauth/required-scopes.js';
import { dtoFields } from './dto-schema.js';
import type { Example } from './examples.js';
import { withoutNull } from './form-schemas.js';
import type { NamedSchemas } from './named-schemas.js';
import { pathParameters } from './path-parameters.js';
import { problemResponsesOf } from './problem-responses.js';
import { mailBodyOf, multipartBodyOf, requestBodyOf } from './request-bodies.js';
import type { Route } from './route-reader.js';
import { successResponsesOf } from './success-responses.js';

export function operationOf(route: Route, schemas: NamedSchemas, example: Example | undefined) {
  const { description, body, scopes } = route;
  return {
    operationId: route.id,
    summary: description.summary,
    tags: [route.path.split('/')[2]!],
    ...textOf(description),
    security: [...securityOf(scopes), { token: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && { requestBody: requestBodyOf(body, schemas, example?.request) }),
    ...(description.files && { requestBody: multipartBodyOf(description.files.most, schemas) }),
    ...(description.mail && { requestBody: mailBodyOf(schemas) }),
    responses: { ...successResponsesOf(route, schemas, example?.response), ...problemResponsesOf(route) },
    ...(example && { 'x-example-path': example.path }),
  };
}

/** What the statuses and schemas do not tell. */
function textOf({ emits, conflicts }: Route['description']): { description?: string } {
  const sentences = [
    ...(emits ? [`May emit ${emits.join(', ')}.`] : []),
    ...(conflicts ? [`Its own codes of 409: ${conflicts.join(', ')}.`] : []),
  ];
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

/** One way of several is enough; of one way, every scope is needed. */
const securityOf = ({ anyOf, read }: RequiredScopes) =>
  anyOf.length === 0 ? [{ oauth2: [] }] : anyOf.map((scope) => ({ oauth2: [scope, ...(read ? ['read'] : [])] }));

const queryParameters = ({ path, query }: Route) =>
  query
    ? dtoFields(query).map(({ name, schema: { description, ...schema }, required }) => {
        if (description === undefined)
          throw new Error(`The parameter ${name} of ${path} needs @ApiDescription: it is in the OpenAPI document`);
        return {
          name,
          in: 'query',
          required,
          description,
          schema: withoutNull(schema),
          ...(schema.items && { style: 'form', explode: false }),
        };
      })
    : [];

function headerParameters({ method, parameters, description }: Route) {
  const names = [
    'Prefer',
    ...(method === 'get' ? ['IfNoneMatch'] : []),
    ...(method === 'post' && !description.mail ? ['IdempotencyKey'] : []),
    ...(method !== 'get' && parameters.length > 0 ? ['IfMatch'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
