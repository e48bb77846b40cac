import { Injectable, RequestMethod } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import type { Scope } from '#libs/entities';
import { SCOPES_KEY } from '../oauth/bearer.guard.js';
import { API_OPERATION_KEY, type ApiOperationOptions } from './api-operation.js';
import type { Dto } from './dto-schema.js';

/** A route as its controller's decorators tell it. */
export interface Route {
  readonly id: string;
  readonly method: string;
  /** With `{braces}` around parameters. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly query: Dto | undefined;
  readonly body: Dto | undefined;
  readonly status: number | undefined;
  readonly scopes: readonly Scope[];
  readonly description: ApiOperationOptions;
}

type Handler = (...values: unknown[]) => unknown;

/** Nest's own numbers for what a parameter of a handler is taken from. */
const BODY_PARAM_TYPE = 3;
const QUERY_PARAM_TYPE = 4;

@Injectable()
export class RouteScanner {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Every route of `/v1`; one that does not say what it is for is refused when the API starts. */
  all(): Route[] {
    return this.discovery
      .getControllers()
      .filter(({ metatype }) => String(Reflect.getMetadata('path', metatype as Dto)).startsWith('v1'))
      .flatMap(({ instance, metatype }) => this.routesOf(instance as object, metatype as Dto));
  }

  private routesOf(controller: object, type: Dto): Route[] {
    const prototype = Object.getPrototypeOf(controller) as Record<string, Handler>;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (!handler || !Reflect.hasMetadata('method', handler)) return [];
      const description = this.reflector.get<ApiOperationOptions | undefined>(API_OPERATION_KEY, handler);
      if (!description) throw new Error(`${type.name}.${name} needs @Describe: every route is in the OpenAPI document`);
      return [this.route(type, name, handler, description)];
    });
  }

  private route(type: Dto, name: string, handler: Handler, description: ApiOperationOptions): Route {
    const method = RequestMethod[Reflect.getMetadata('method', handler) as number]!;
    const prefix = Reflect.getMetadata('path', type) as string;
    const path = `/${prefix}/${Reflect.getMetadata('path', handler) as string}`.replaceAll(/\/{2,}/g, '/');
    const named = this.reflector.getAllAndOverride<Scope[] | undefined>(SCOPES_KEY, [handler, type]);
    return {
      id: `${type.name.replace(/Controller$/, '').toLowerCase()}-${name}`,
      method: method.toLowerCase(),
      path: path.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}'),
      parameters: [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter!),
      query: dtoAt(type, name, QUERY_PARAM_TYPE),
      body: dtoAt(type, name, BODY_PARAM_TYPE),
      status: Reflect.getMetadata('__httpCode__', handler) as number | undefined,
      scopes: named ?? (method === 'GET' ? ['read'] : ['write']),
      description,
    };
  }
}

function dtoAt(type: Dto, name: string, source: number): Dto | undefined {
  const sources = (Reflect.getMetadata('__routeArguments__', type, name) ?? {}) as Record<string, { index: number }>;
  const place = Object.entries(sources).find(([key]) => key.startsWith(`${source}:`))?.[1].index;
  const types = Reflect.getMetadata('design:paramtypes', type.prototype as object, name) as Dto[];
  return place === undefined ? undefined : types[place];
}
