import { DefaultNamingStrategy, getMetadataArgsStorage } from 'typeorm';

type Row = Readonly<Record<string, unknown>>;
type Class<T> = new () => T;

/** Columns are named `<alias>.<property>`, so a row can carry several joined entities for `hydrate`. */
export function columns<T extends object>(entity: Class<T>, alias: string, except: readonly (keyof T)[] = []): string {
  return columnsOf(entity, except)
    .map(({ property, name }) => `${alias}.${name} as "${alias}.${property}"`)
    .join(', ');
}

/** Parameters begin at `$first`. */
export function writtenColumns<T extends object>(entity: Class<T>, first: number, except: readonly (keyof T)[]) {
  const written = columnsOf(entity, except).map((column, index) => ({ ...column, parameter: `$${first + index}` }));
  return {
    names: written.map(({ name }) => name).join(', '),
    parameters: written.map(({ parameter }) => parameter).join(', '),
    assignments: written.map(({ name, parameter }) => `${name} = ${parameter}`).join(', '),
    parameter: (wanted: keyof T): string => written.find(({ property }) => property === wanted)!.parameter,
    next: first + written.length,
    values: (row: T): unknown[] => written.map(({ property }) => row[property]),
  };
}

type EntityColumn<T> = { readonly property: Extract<keyof T, string>; readonly name: string };

/** Without this cache a page of 100 tickets costs 10 ms more. */
const columnsByEntity = new Map<unknown, readonly EntityColumn<never>[]>();

/** Excludes columns that only PostgreSQL writes. */
export function columnsOf<T extends object>(
  entity: Class<T>,
  except: readonly (keyof T)[] = [],
): readonly EntityColumn<T>[] {
  const known = (columnsByEntity.get(entity) ?? readColumns(entity)) as readonly EntityColumn<T>[];
  columnsByEntity.set(entity, known);
  return except.length === 0 ? known : known.filter(({ property }) => !except.includes(property));
}

const readColumns = (entity: unknown) =>
  getMetadataArgsStorage()
    .columns.filter(({ target, options }) => target === entity && options.select !== false)
    .map(({ propertyName, options }) => ({
      property: propertyName as never,
      name: options.name ?? snakeCase(propertyName),
    }));

/** Null if an outer join found none. */
export function hydrate<T extends { id: string }>(entity: Class<T>, row: Row, as: string): T | null {
  if (row[`${as}.id`] === null || row[`${as}.id`] === undefined) return null;
  const found = new entity();
  for (const { property } of columnsOf(entity)) {
    const value = row[`${as}.${property}`];
    if (value !== undefined) (found as Record<string, unknown>)[property] = value;
  }
  return found;
}

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export class SnakeCaseColumns extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? snakeCase(property);
  }
}
