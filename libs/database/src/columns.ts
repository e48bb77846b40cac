import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from './naming-strategy.js';

type Row = Readonly<Record<string, unknown>>;
type Class<T> = new () => T;

/**
 * The select list of one entity, all but `except`, each column named `<alias>.<property>`: one joined row carries several entities, and
 * `hydrate` takes them out again. Reading the list from the entity means that a new column is added in one place.
 */
export function columns<T extends object>(entity: Class<T>, alias: string, except: readonly (keyof T)[] = []): string {
  return columnsOf(entity, except)
    .map(({ property, name }) => `${alias}.${name} as "${alias}.${property}"`)
    .join(', ');
}

/**
 * The columns of an entity that a statement writes, all but `except`: their names, their parameters from `$first` on,
 * and the values for these, in one order. A new column of the entity is written without another line.
 */
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

/** The columns of an entity, in its order, but for those that only PostgreSQL writes. */
export function columnsOf<T extends object>(
  entity: Class<T>,
  except: readonly (keyof T)[] = [],
): { property: Extract<keyof T, string>; name: string }[] {
  return getMetadataArgsStorage()
    .columns.filter(({ target, options }) => target === entity && options.select !== false)
    .map(({ propertyName, options }) => ({
      property: propertyName as Extract<keyof T, string>,
      name: options.name ?? snakeCase(propertyName),
    }))
    .filter(({ property }) => !except.includes(property));
}

/** The entity that `columns(…, alias)` selected, or null where an outer join found none. */
export function hydrate<T extends { id: string }>(entity: Class<T>, row: Row, as: string): T | null {
  if (row[`${as}.id`] === null || row[`${as}.id`] === undefined) return null;
  const found = new entity();
  for (const { property, name } of selected(entity, as))
    if (row[name] !== undefined) (found as Record<string, unknown>)[property] = row[name];
  return found;
}

interface Selected {
  readonly property: string;
  readonly name: string;
}

const known = new Map<Class<object>, Map<string, readonly Selected[]>>();

/** Under which names a row has the columns of an entity. Made once, because every request asks it several times. */
function selected<T extends object>(entity: Class<T>, as: string): readonly Selected[] {
  const ofEntity = known.get(entity) ?? new Map<string, readonly Selected[]>();
  known.set(entity, ofEntity);
  const names = ofEntity.get(as) ?? columnsOf(entity).map(({ property }) => ({ property, name: `${as}.${property}` }));
  ofEntity.set(as, names);
  return names;
}
