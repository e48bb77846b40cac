import { type AccountConnection, accountStatement } from '#libs/database';
import type { SavedView } from '#libs/entities';
import { SETTLED_CHANGE } from '../lists/folder-counts.statements.js';

const MAX_LISTED_GROUPS = 10;

const LIST = accountStatement(
  'saved_view_list',
  `select coalesce((select jsonb_agg(v) from (
     select id, name, query, agent_id as "agentId" from saved_views
     where account_id = $1 and (agent_id is null or agent_id = $2)
     order by agent_id is not null, position, id
   ) v), '[]') as views, array(
     select g.name from group_members m join groups g on g.id = m.group_id
     where m.account_id = $1 and m.agent_id = $2 order by g.name limit ${MAX_LISTED_GROUPS}
   ) as groups, ${SETTLED_CHANGE} as "settledChange"`,
);

/** The ids must be all of one list. */
export const PLACE_VIEWS = accountStatement(
  'saved_view_place',
  `update saved_views v set position = placed.position
   from unnest($2::uuid[]) with ordinality placed (id, position) where v.account_id = $1 and v.id = placed.id`,
);

export type ListedView = Pick<SavedView, 'id' | 'name' | 'query' | 'agentId'>;

/** With the names of the agent’s groups. */
export const listViews = async (connection: AccountConnection, agentId: string) =>
  (await connection.row<ListedViews>(LIST, [agentId]))!;

interface ListedViews {
  readonly views: readonly ListedView[];
  readonly groups: readonly string[];
  readonly settledChange: string | null;
}
