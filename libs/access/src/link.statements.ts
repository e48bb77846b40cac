import {
  type AccountConnection,
  type SystemConnection,
  accountStatement,
  filter,
  systemStatement,
} from '#libs/database';
import type { SingleUseLink } from '#libs/entities';
import { queueMailsSql } from '#libs/mail';
import type { SigningIn } from './session.statements.js';

/** The state of the agent decides the purpose. Another purpose than `$5` makes no link. */
const MAKE_LINK = accountStatement(
  'link_make',
  `with holder as (
     select a.id, a.email, ac.name, p.purpose
     from agents a join accounts ac on ac.id = a.account_id,
       lateral (select case a.state when 'invited' then 'invitation' else 'password' end as purpose) p
     where a.id = $2 and ${filter('a.account_id = $1')} and a.state <> 'archived' and p.purpose = coalesce($5, p.purpose)
   ), made as (
     insert into single_use_links (hash, purpose, account_id, agent_id, created_at, expires_at)
     select $3, purpose, $1, id, $4,
       $4::timestamptz + case purpose when 'invitation' then interval '168 hours' else interval '1 hour' end from holder
   )
   select purpose, $1::uuid as "accountId", name as account, id as "agentId", email from holder`,
);

export interface LinkRecipient extends Pick<SingleUseLink, 'purpose' | 'accountId' | 'agentId'> {
  readonly account: string;
  readonly email: string;
}

interface WantedLink {
  readonly agentId: string;
  readonly hash: Buffer;
  readonly purpose: SingleUseLink['purpose'] | undefined;
}

export const makeLink = (account: AccountConnection, { agentId, hash, purpose }: WantedLink, now: Date) =>
  account.row<LinkRecipient>(MAKE_LINK, [agentId, hash, now, purpose ?? null]);

const REASON = 'The link itself says whose account this is';

const USABLE = `l.hash = $1 and l.expires_at > $2
  and a.state = case l.purpose when 'invitation' then 'invited' else 'active' end`;

const FIND_LINK = systemStatement(
  'link_find',
  REASON,
  `select l.purpose, l.account_id as "accountId", ac.name as account, l.agent_id as "agentId", a.email
   from single_use_links l join agents a on a.id = l.agent_id join accounts ac on ac.id = l.account_id where ${USABLE}`,
);

export const findLink = (db: SystemConnection, hash: Buffer, now: Date): Promise<LinkRecipient | undefined> =>
  db.row<LinkRecipient>(FIND_LINK, [hash, now]);

/** Locks the agent: of two links used at once, only one works. */
const SPEND_LINK = systemStatement(
  'link_spend',
  REASON,
  `with holder as (
     select a.id, a.account_id, a.email from single_use_links l join agents a on a.id = l.agent_id
     where ${USABLE} for no key update of a
   )
   delete from single_use_links l using holder where l.hash = $1
   returning holder.id, holder.account_id as "accountId", holder.email`,
);

export const spendLink = (tx: SystemConnection, hash: Buffer, now: Date): Promise<SigningIn | undefined> =>
  tx.row<SigningIn>(SPEND_LINK, [hash, now]);

/** The link is created when the mail is sent. */
const OWE_LINK_MAILS = systemStatement(
  'link_owe_for_email',
  'An email does not say which account is meant, so each gets its own link',
  queueMailsSql(
    'link',
    `select account_id, email, jsonb_build_object('agent', id), $2::timestamptz from agents
     where email = $1 and state <> 'archived' order by id limit 20`,
  ),
);

export async function queueLinkMails(db: SystemConnection, email: string, now: Date): Promise<void> {
  await db.rows(OWE_LINK_MAILS, [email, now]);
}
