import { InsufficientScope, InvalidField } from '#libs/entities';
import type { ImportResult, Imported } from '#libs/tickets';
import type { Caller, Exchange } from '../edge/caller.js';
import { BooleanFlag, IsTime, Optional, timeOf } from '../edge/field-decorators.js';

export const ImportFlag = () =>
  Optional(
    {
      words:
        'Brings the record along from another system: it may have a time in the past, sends no email and causes no event. Needs the scope `admin`.',
      default: false,
    },
    BooleanFlag(),
  );

export const ImportedTime = (when: string) => Optional(`${when} Only with \`import\`.`, IsTime());

interface ImportFields {
  readonly import?: boolean | null;
  readonly created_at?: string | null;
  readonly closed_at?: string | null;
}

/** Undefined for a record that is not imported. */
export function importedOf(fields: ImportFields, { scopes }: Caller): Imported | undefined {
  const given = (['created_at', 'closed_at'] as const).find((name) => (fields[name] ?? null) !== null);
  if (fields.import) {
    if (!scopes.includes('admin')) throw new InsufficientScope(['admin']);
    return { createdAt: timeOf(fields.created_at), closedAt: timeOf(fields.closed_at) };
  }
  if (given) throw new InvalidField(given, 'only_imported', `${given} needs import: true`);
  return undefined;
}

export function showImported<Row>({ record, isNew }: ImportResult<Row>, { reply }: Exchange): Row {
  if (!isNew) void reply.status(200);
  return record;
}
