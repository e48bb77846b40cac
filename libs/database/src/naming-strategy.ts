import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const tableName = (table: Table | string): string =>
  (typeof table === 'string' ? table : table.name).split('.').at(-1) ?? '';

/** The names PostgreSQL itself would give, so that migrations are plain SQL and still equal the entities. */
export class PostgresNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override columnName(property: string, custom: string | undefined): string {
    return custom ?? snakeCase(property);
  }
  override primaryKeyName(table: Table | string): string {
    return `${tableName(table)}_pkey`;
  }
  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_fkey`;
  }
  override indexName(table: Table | string, columns: string[]): string {
    return `${tableName(table)}_${columns.join('_')}_idx`;
  }
}
