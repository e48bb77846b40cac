import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from './naming-strategy.js';

type Row = Readonly<Record<string, unknown>>;
type Class<T> = new () => T;

/**
 * The select list of one entity, each column named `<as>.<property>`: one joined row carries several entities, and
 * `hydrate` takes them out again. Reading the list from the entity means that a new column is added in one place.
 */
export function columns(entity: Class<object>, alias: string, as = alias): string {
  return getMetadataArgsStorage()
    .columns.filter((column) => column.target === entity)
    .map(
      ({ propertyName, options }) => `${alias}.${options.name ?? snakeCase(propertyName)} as "${as}.${propertyName}"`,
    )
    .join(', ');
}

/** The entity that `columns(…, as)` selected, or null where an outer join found none. */
export function hydrate<T extends { id: string }>(entity: Class<T>, row: Row, as: string): T | null {
  if (row[`${as}.id`] === null || row[`${as}.id`] === undefined) return null;
  const found = new entity();
  for (const [name, value] of Object.entries(row))
    if (name.startsWith(`${as}.`)) Object.assign(found, { [name.slice(as.length + 1)]: value });
  return found;
}
