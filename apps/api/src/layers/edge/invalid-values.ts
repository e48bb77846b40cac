import { type FieldError, DomainError } from '#libs/entities';
import type { FastifyInstance } from 'fastify';

/** Shallow enough for recursive code. */
const MAX_DEPTH = 12;
/** Names and values. Checking them takes milliseconds. */
const MAX_VALUES = 10_000;
const MAX_FAULTS = 10;

/** Refuses what PostgreSQL, UTF-8 or JavaScript numbers cannot represent. */
export function rejectInvalidValues(server: FastifyInstance): void {
  server.addHook('preValidation', async ({ body, query }) => {
    requireValidValues(query, body);
    if (body !== undefined && body !== null && typeof body !== 'object') throw notAnObject();
  });
}

export function requireValidValues(...values: readonly unknown[]): void {
  const faults = values.flatMap(fieldErrorsIn);
  if (faults.length > 0) throw invalidFields(faults);
}

export const invalidFields = (faults: readonly FieldError[]): DomainError =>
  new DomainError('invalid', 'invalid_request', 'Some fields are not valid.', faults);

export const notAnObject = (): DomainError =>
  new DomainError('invalid', 'invalid_request', 'The body must be an object.');

interface VisitedValue {
  readonly value: unknown;
  readonly field: string;
  readonly depth: number;
}

/** Not recursive, because the client decides the depth. */
function fieldErrorsIn(root: unknown): FieldError[] {
  const faults: FieldError[] = [];
  const places: VisitedValue[] = [{ value: root, field: '', depth: 0 }];
  let seen = 0;
  for (let place = places.pop(); place && faults.length < MAX_FAULTS; place = places.pop()) {
    const { value, field, depth } = place;
    const fault = faultOf(value, depth);
    const named = field === '' ? '(unnamed)' : field;
    if (fault) faults.push({ field: named, code: fault.code, message: `${named} ${fault.must}` });
    else if (typeof value === 'object' && value !== null) {
      const names = Array.isArray(value) && value.length > MAX_VALUES ? [] : Object.keys(value);
      seen += Array.isArray(value) ? value.length : names.length;
      if (seen > MAX_VALUES) return [{ field: named, ...TOO_MANY_VALUES }];
      for (const name of names) places.push(...childValuesOf(value as Record<string, unknown>, name, place));
    }
  }
  return faults;
}

function childValuesOf(parent: Record<string, unknown>, name: string, { field, depth }: VisitedValue): VisitedValue[] {
  const path = field === '' ? name : `${field}.${name}`;
  return [
    { value: name, field: path, depth },
    { value: parent[name], field: path, depth: depth + 1 },
  ];
}

const TOO_MANY_VALUES = { code: 'too_many_values', message: `a request may have at most ${MAX_VALUES} values` };

function faultOf(value: unknown, depth: number): { readonly code: string; readonly must: string } | undefined {
  if (depth > MAX_DEPTH) return { code: 'too_deep', must: `must not be nested deeper than ${MAX_DEPTH} levels` };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { code: 'not_a_number', must: 'must be a smaller number' };
  if (typeof value !== 'string') return undefined;
  if (value.includes('\0')) return { code: 'nul_character', must: 'must not contain the NUL character' };
  if (/\p{Surrogate}/u.test(value))
    return { code: 'not_unicode', must: 'must be valid Unicode, without unpaired surrogates' };
  return undefined;
}
