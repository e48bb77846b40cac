import { DomainError, type FieldError } from '#libs/entities';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { flagOf, isNested, rulesOf } from './field-decorators.js';
import { nearestName } from './nearest-name.js';
import { type Dto, dtoAt } from './nest-internals.js';
import { MAX_ERRORS } from './problem.js';

const MAX_REPORTED = 20;
const MAX_NAME_CHARACTERS = 60;

type Names = ReadonlyMap<string, Dto | undefined>;
type KnownNames = Readonly<Record<'query' | 'body', Names>>;

interface UnknownName {
  readonly source: 'query' | 'body';
  /** Names the object that has it. Ends with a dot, unless it is empty. */
  readonly path: string;
  readonly name: string;
  readonly known: Names;
}

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
      if (ignored.length > 0) throw refusalOf(ignored);
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
function ignoredIn({ method, query, body }: FastifyRequest, known: KnownNames): UnknownName[] {
  const parameters = unknownIn(query, { source: 'query', path: '', known: known.query });
  const fields =
    method === 'GET' ? [] : unknownIn(body, { source: 'body', path: '', known: fieldsFor(body, known.body) });
  return [...parameters.filter(({ name }) => name !== TOKEN_PARAMETER), ...fields];
}

/** The fields that need `import: true` mean nothing without it. */
function fieldsFor(body: unknown, known: Names): Names {
  if (!known.has('import') || flagOf((body as { import?: unknown } | null)?.import) === true) return known;
  return new Map([...known].filter(([name]) => name !== 'created_at' && name !== 'closed_at'));
}

function unknownIn(value: unknown, at: Omit<UnknownName, 'name'>): UnknownName[] {
  const { known, path } = at;
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return known.size === 0 && value.length > 0 ? [{ ...at, name: '(body)' }] : [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (!known.has(name)) return [{ ...at, name }];
    const nested = known.get(name);
    return nested ? unknownIn(part, { ...at, path: `${path}${name}.`, known: namesIn(nested) }) : [];
  });
}

const isStrict = ({ headers }: FastifyRequest): boolean =>
  String(headers['prefer'] ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'handling=strict');

function headerOf(ignored: readonly UnknownName[]): string {
  const names = [...new Set(ignored.map(fullNameOf))];
  const reported = names.slice(0, MAX_REPORTED).map((name) => encodeURIComponent(name));
  return [...reported, ...(names.length > MAX_REPORTED ? ['...'] : [])].join(', ');
}

/** A field makes it a 422, as any fault of a body does. */
function refusalOf(ignored: readonly UnknownName[]): DomainError {
  const errors = ignored.slice(0, MAX_ERRORS).map(fieldErrorOf);
  const detail = errors.length === 1 ? errors[0]!.message : 'Some names are unknown.';
  const kind = ignored.some(({ source }) => source === 'body') ? 'invalid' : 'bad_request';
  return new DomainError(kind, 'invalid_request', detail, errors);
}

function fieldErrorOf(unknown: UnknownName): FieldError {
  const { source, path, name, known } = unknown;
  const field = fullNameOf(unknown);
  const nearest = nearestName(shortened(name), known.keys());
  const hint = nearest === undefined ? '' : `. Did you mean ${path}${nearest}?`;
  return source === 'query'
    ? { field, code: 'unknown_parameter', message: `${field} is not a parameter here${hint}` }
    : { field, code: 'unknown_field', message: `${field} is unknown or cannot be changed${hint}` };
}

const fullNameOf = ({ path, name }: UnknownName): string => shortened(`${path}${name}`);

/** Half a surrogate pair cannot be encoded. */
const shortened = (name: string): string =>
  Array.from(name.slice(0, MAX_NAME_CHARACTERS * 2))
    .slice(0, MAX_NAME_CHARACTERS)
    .join('');
