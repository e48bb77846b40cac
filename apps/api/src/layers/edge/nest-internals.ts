// Metadata of Nest's decorators, for which Nest has no public API. nest-internals.spec.ts fails when the installed version
// keeps it in another way. https://github.com/nestjs/nest/blob/master/packages/common/constants.ts
import { RequestMethod } from '@nestjs/common';
import {
  METHOD_METADATA,
  PARAMTYPES_METADATA,
  PATH_METADATA,
  ROUTE_ARGS_METADATA,
  RouteParamtypes,
} from '@nestjs/common/internal';

/** Without a leading slash if the decorator has none. */
export const controllerPath = (type: object): string => String(Reflect.getMetadata(PATH_METADATA, type));

/** Undefined for a method that is no route. */
export function routeAt(handler: object) {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number];
  if (!method) return undefined;
  return { method, path: String(Reflect.getMetadata(PATH_METADATA, handler)) };
}

export type Dto = (new () => object) & {
  /** Exactly one of these fields is required, or at least one if they do not exclude each other. */
  readonly oneOfThese?: { readonly names: readonly string[]; readonly excluding: boolean };
};

const SOURCES = { query: RouteParamtypes.QUERY, body: RouteParamtypes.BODY } as const;

export function dtoAt(type: Dto, name: string, source: keyof typeof SOURCES): Dto | undefined {
  const sources = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, { index: number }>;
  const place = Object.entries(sources).find(([key]) => key.startsWith(`${SOURCES[source]}:`))?.[1].index;
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, type.prototype as object, name) as Dto[];
  return place === undefined ? undefined : types[place];
}
