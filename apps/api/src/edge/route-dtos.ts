import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA, type RouteParamtypes } from '@nestjs/common/internal';

export type Dto = (new () => object) & {
  /** Fields of which one has to be sent, and no other where they exclude each other. */
  readonly oneOfThese?: { readonly names: readonly string[]; readonly excluding: boolean };
};

/** The class that a handler declares for its body or its query. */
export function dtoAt(type: Dto, name: string, source: RouteParamtypes): Dto | undefined {
  const sources = (Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) ?? {}) as Record<string, { index: number }>;
  const place = Object.entries(sources).find(([key]) => key.startsWith(`${source}:`))?.[1].index;
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, type.prototype as object, name) as Dto[];
  return place === undefined ? undefined : types[place];
}
