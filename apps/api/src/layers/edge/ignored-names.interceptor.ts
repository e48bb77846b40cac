import { InvalidField, InvalidFields } from '#libs/entities';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { isNested, rulesOf } from './field-decorators.js';
import { type Dto, dtoAt } from './nest-internals.js';

const MAX_REPORTED = 20;
const MAX_NAME_CHARACTERS = 60;

type Names = ReadonlyMap<string, Dto | undefined>;
type KnownNames = Readonly<Record<'query' | 'body', Names>>;

const TOKEN_PARAMETER = 'access_token';

/** With `Prefer: handling=strict` (RFC 7240), refuses unknown names instead of reporting them. */
@Injectable()
export class IgnoredNamesInterceptor implements NestInterceptor {
  private readonly known = new Map<unknown, KnownNames>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!request.url.startsWith('/v1/')) return next.handle();
    const reply = http.getResponse<FastifyReply>();
    const ignored = ignoredIn(request, this.namesOf(context));
    if (isStrict(request)) {
      void reply.header('preference-applied', 'handling=strict');
      if (ignored.length > 0) throw new InvalidFields(ignored.slice(0, MAX_REPORTED).map(refusalOf));
    } else if (ignored.length > 0) void reply.header('deskwire-ignored', headerOf(ignored));
    return next.handle();
  }

  private namesOf(context: ExecutionContext): KnownNames {
    const handler = context.getHandler();
    const namesAt = (source: 'query' | 'body') => namesIn(dtoAt(context.getClass<Dto>(), handler.name, source));
    const names = this.known.get(handler) ?? { query: namesAt('query'), body: namesAt('body') };
    this.known.set(handler, names);
    return names;
  }
}

function namesIn(dto: Dto | undefined): Names {
  if (!dto) return new Map();
  const rules = rulesOf(dto);
  return new Map([
    ...rules.map(({ propertyName }) => [propertyName, undefined] as const),
    ...rules.filter(isNested).map(({ propertyName, constraints }) => [propertyName, constraints?.[0]] as const),
  ]);
}

/** Parameters in the body of a GET were copied to its query. */
function ignoredIn({ method, query, body }: FastifyRequest, known: KnownNames): string[] {
  const parameters = unknownIn(query, known.query).filter((name) => name !== TOKEN_PARAMETER);
  return method === 'GET' ? parameters : [...new Set([...parameters, ...unknownIn(body, known.body)])];
}

function unknownIn(value: unknown, names: Names): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return names.size === 0 && value.length > 0 ? ['(body)'] : [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (!names.has(name)) return [name];
    const nested = names.get(name);
    return nested ? unknownIn(part, namesIn(nested)).map((inner) => `${name}.${inner}`) : [];
  });
}

const isStrict = ({ headers }: FastifyRequest): boolean =>
  String(headers['prefer'] ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'handling=strict');

function headerOf(names: readonly string[]): string {
  const reported = names.slice(0, MAX_REPORTED).map((name) => encodeURIComponent(shortened(name)));
  return [...reported, ...(names.length > MAX_REPORTED ? ['...'] : [])].join(', ');
}

const refusalOf = (name: string): InvalidField =>
  new InvalidField(shortened(name), 'unknown_field', `${shortened(name)} is unknown or cannot be changed`);

/** Half a surrogate pair cannot be encoded. */
const shortened = (name: string): string =>
  Array.from(name.slice(0, MAX_NAME_CHARACTERS * 2))
    .slice(0, MAX_NAME_CHARACTERS)
    .join('');
