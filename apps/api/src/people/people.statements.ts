import { accountStatement } from '#libs/database';

export const COUNT_OPEN_TICKETS = accountStatement(
  'console_open_tickets',
  `select assignee_id as id, count(*)::int as count from tickets
   where account_id = $1 and assignee_id is not null and deleted_at is null and state not in ('closed', 'spam')
   group by assignee_id`,
);

export const LIST_GROUP_MEMBERS = accountStatement(
  'console_group_members',
  'select group_id as id, array_agg(agent_id) as members from group_members where account_id = $1 group by group_id',
);

/** The webhooks that stop when their maker is archived. */
export const LIST_CONSOLE_WEBHOOKS = accountStatement(
  'console_webhooks_of_agents',
  `select agent_id as id, array_agg(event || ' to ' || substring(url from '//([^/?#]+)') order by event) as webhooks
   from webhooks where account_id = $1 and grant_id is null and state <> 'disabled' group by agent_id`,
);
