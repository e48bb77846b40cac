import { type AccountConnection, accountStatement, columns, hydrate } from '#libs/database';
import { Group } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { parseReference } from './references.js';

const FIND = `select ${columns(Group, 'g')} from groups g where g.account_id = $1 and (g.name = $2 or g.id = $3)`;
const READ = accountStatement('group_read', FIND);
const LOCK = accountStatement('group_lock', `${FIND} for update`);
const LOAD = accountStatement(
  'group_load',
  `select ${columns(Group, 'g')} from groups g where g.account_id = $1 and g.id = any($2)`,
);

/** By name or id. */
export async function findGroup(connection: AccountConnection, name: string): Promise<Group | null> {
  return hydrate(Group, (await connection.row(READ, Object.values(parseReference(name)))) ?? {}, 'g');
}

/** Also against tickets that are just now being assigned to it. */
export async function lockGroup(connection: AccountConnection, name: string): Promise<Group | null> {
  return hydrate(Group, (await connection.row(LOCK, Object.values(parseReference(name)))) ?? {}, 'g');
}

export const loadGroups = (connection: AccountConnection, ids: readonly string[]): Promise<Group[]> =>
  loadInOrder(connection, LOAD, ids, (row) => hydrate(Group, row, 'g'));
