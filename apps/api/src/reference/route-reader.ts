import { Injectable, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type RequiredScopes, requiredScopes } from '../oauth/required-scopes.js';
import { API_OPERATION_KEY, type ApiOperationOptions } from '../edge/api-operation.decorator.js';
import { type Dto, dtoAt } from '../edge/nest-internals.js';

export interface Route {
  readonly id: string;
  readonly method: string;
  /** Parameters are in `{braces}`. */
  readonly path: string;
  readonly parameters: readonly string[];
  readonly query: Dto | undefined;
  readonly body: Dto | undefined;
  readonly status: number | undefined;
  readonly scopes: RequiredScopes;
  readonly description: ApiOperationOptions;
}

type Handler = (...values: unknown[]) => unknown;

/**
 * Reads the metadata that Nest's decorators leave on controllers. Nest has no public API for the parameters of a route,
 * so the keys come from `@nestjs/common/internal`; route-reader.spec.ts checks them against the installed version.
 */
@Injectable()
export class RouteReader {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  /** Every route of `/v1`. The API does not start when one has no description. */
  all(): Route[] {
    return this.of(this.discovery.getControllers().map(({ metatype }) => metatype as Dto));
  }

  of(controllers: readonly Dto[]): Route[] {
    return controllers
      .filter((type) => String(Reflect.getMetadata(PATH_METADATA, type)).startsWith('v1'))
      .flatMap((type) => this.routesOf(type));
  }

  private routesOf(type: Dto): Route[] {
    const prototype = type.prototype as Record<string, Handler>;
    return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (!handler || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
      const description = this.reflector.get<ApiOperationOptions | undefined>(API_OPERATION_KEY, handler);
      if (!description)
        throw new Error(`${type.name}.${name} needs @ApiOperation: every route is in the OpenAPI document`);
      return [this.route(type, name, handler, description)];
    });
  }

  private route(type: Dto, name: string, handler: Handler, description: ApiOperationOptions): Route {
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]!;
    const prefix = Reflect.getMetadata(PATH_METADATA, type) as string;
    const path = `/${prefix}/${Reflect.getMetadata(PATH_METADATA, handler) as string}`.replaceAll(/\/{2,}/g, '/');
    return {
      id: `${type.name.replace(/Controller$/, '').toLowerCase()}-${name}`,
      method: method.toLowerCase(),
      path: path.replace(/\/$/, '').replaceAll(/:(\w+)/g, '{$1}'),
      parameters: [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter!),
      query: dtoAt(type, name, RouteParamtypes.QUERY),
      body: dtoAt(type, name, RouteParamtypes.BODY),
      status: Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined,
      scopes: requiredScopes(this.reflector, [handler, type], method),
      description,
    };
  }
}
