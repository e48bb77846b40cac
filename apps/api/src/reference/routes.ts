import { Reflector } from '@nestjs/core';
import { API_OPERATION_KEY, type ApiOperationOptions } from '../layers/edge/api-operation.decorator.js';
import { type Dto, controllerPath, dtoAt, routeAt } from '../layers/edge/nest-internals.js';
import { requiredScopes } from '../layers/oauth/required-scopes.js';

export type Route = ReturnType<typeof routesOf>[number];

const reflector = new Reflector();

/** Every route of `/v1`. Throws if one has no description, so that the API does not start. */
export const routesOf = (controllers: readonly Dto[]) =>
  controllers
    .filter((type) => controllerPath(type).startsWith('v1'))
    .flatMap((type) => Object.getOwnPropertyNames(type.prototype).flatMap((name) => routeOf(type, name) ?? []));

function routeOf(type: Dto, name: string) {
  const handler = (type.prototype as Record<string, () => unknown>)[name]!;
  const route = routeAt(handler);
  if (!route) return undefined;
  const description = reflector.get<ApiOperationOptions | undefined>(API_OPERATION_KEY, handler);
  if (!description) throw new Error(`${type.name}.${name} needs @ApiOperation: every route is in the OpenAPI document`);
  const scopes = requiredScopes(reflector, [handler, type], route.method);
  if (!scopes) throw new Error(`${type.name}.${name} needs @Scopes`);
  const path = `/${controllerPath(type)}/${route.path}`.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter!);
  return {
    /** Code generators call the operation by the name of its handler. */
    id: name,
    method: route.method.toLowerCase(),
    /** Parameters are in `{braces}`. */
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    parameters,
    /** Emails and files are added, and change nothing that was read. */
    takesIfMatch: route.method !== 'GET' && parameters.length > 0 && !description.mail && !description.files,
    query: dtoAt(type, name, 'query'),
    body: dtoAt(type, name, 'body'),
    scopes,
    description,
  };
}
