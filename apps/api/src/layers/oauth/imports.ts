import { InsufficientScope } from '#libs/entities';
import type { Imported } from '#libs/tickets';
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

export const ImportedTime = (when: string) => Optional(`${when} Ignored without \`import\`.`, IsTime());

interface ImportFields {
  readonly import?: boolean | null;
  readonly created_at?: string | null;
  readonly closed_at?: string | null;
}

/** Undefined for a record that is not imported. */
export function importedOf(fields: ImportFields, { scopes }: Caller): Imported | undefined {
  if (!fields.import) return undefined;
  if (!scopes.includes('admin')) throw new InsufficientScope(['admin']);
  return { createdAt: timeOf(fields.created_at), closedAt: timeOf(fields.closed_at) };
}

type ImportResult<Row> = { readonly record: Row; readonly isNew: boolean };

export function showImported<Row>({ record, isNew }: ImportResult<Row>, { reply }: Exchange): Row {
  if (!isNew) void reply.status(200);
  return record;
}
