import { type AccountTx, accountStatement } from '#libs/database';

/**
 * Every session, link, grant and token of one agent, and the webhooks made with them, which end with their access as
 * they do whenever a grant is revoked. One round trip.
 */
const END = accountStatement(
  'agent_end_access',
  `with signed_out as (delete from sessions where account_id = $1 and agent_id = $2),
   links as (delete from single_use_links where account_id = $1 and agent_id = $2),
   revoked as (
     update grants set revoked_at = $3, revoked_reason = 'agent_archived'
     where account_id = $1 and agent_id = $2 and revoked_at is null returning id
   )
   update webhooks set state = 'disabled', disabled_reason = 'access_revoked', updated_at = $3
   where account_id = $1 and grant_id in (select id from revoked) and state <> 'disabled'`,
);

/** For good: who comes back signs in again and asks for new tokens. */
export async function revokeAgentAccess(tx: AccountTx, agent: { readonly id: string }, now: Date): Promise<void> {
  await tx.rows(END, [agent.id, now]);
}
