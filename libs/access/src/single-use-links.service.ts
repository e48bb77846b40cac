import { Clock, Database, accountStatement, filter, systemStatement } from '#libs/database';
import type { Agent, SingleUseLink } from '#libs/entities';
import { oweMails } from '#libs/mail';
import { Injectable } from '@nestjs/common';
import { hashPassword } from './password-hashes.js';
import { versionOf } from './password-version.js';
import { replacePassword, validatePassword } from './passwords.service.js';
import { digest, randomToken } from './secrets.js';

type AgentOfAccount = Pick<Agent, 'id' | 'accountId'>;

/** As a browser signs in after setting the password. */
type AgentWithEmail = AgentOfAccount & Pick<Agent, 'email'>;
type AgentWithPassword = AgentWithEmail & { readonly passwordVersion: Buffer };

/** Whose link it is, for the page that opens it. */
export interface LinkRecipient extends Pick<SingleUseLink, 'purpose' | 'accountId' | 'agentId'> {
  readonly account: string;
  readonly email: string;
}

export interface IssuedLink extends LinkRecipient {
  /** Of the page; the base of the installation comes before it. */
  readonly path: string;
}

/** An invited agent gets an invitation for a week, an active one an hour for a new password, an archived one nothing. */
const MAKE = accountStatement(
  'link_make',
  `with holder as (
     select a.id, a.email, ac.name, case a.state when 'invited' then 'invitation' else 'password' end as purpose
     from agents a join accounts ac on ac.id = a.account_id
     where a.id = $2 and ${filter('a.account_id = $1')} and a.state <> 'archived'
   ), made as (
     insert into single_use_links (hash, purpose, account_id, agent_id, created_at, expires_at)
     select $3, purpose, $1, id, $4,
       $4::timestamptz + case purpose when 'invitation' then interval '168 hours' else interval '1 hour' end from holder
   )
   select purpose, $1::uuid as "accountId", name as account, id as "agentId", email from holder`,
);

const REASON = 'The link itself says whose account this is';

const USABLE = `l.hash = $1 and l.expires_at > $2
  and a.state = case l.purpose when 'invitation' then 'invited' else 'active' end`;

const FIND = systemStatement(
  'link_find',
  REASON,
  `select l.purpose, l.account_id as "accountId", ac.name as account, l.agent_id as "agentId", a.email
   from single_use_links l join agents a on a.id = l.agent_id join accounts ac on ac.id = l.account_id where ${USABLE}`,
);

/**
 * Of two who click at once, on one link or on two, the first to lock the agent wins: its new password ends all links of
 * the agent, and the other no longer finds its own.
 */
const SPEND = systemStatement(
  'link_spend',
  REASON,
  `with holder as (
     select a.id, a.account_id, a.email from single_use_links l join agents a on a.id = l.agent_id
     where ${USABLE} for no key update of a
   )
   delete from single_use_links l using holder where l.hash = $1
   returning holder.id, holder.account_id as "accountId", holder.email`,
);

/** The link itself is made when the mail is sent, so none lies about. */
const OWE_FOR_EMAIL = systemStatement(
  'link_owe_for_email',
  'An e-mail does not say which account is meant, so each gets its own link',
  oweMails(
    'link',
    `select account_id, email, jsonb_build_object('agent', id), $2::timestamptz from agents
     where email = $1 and state <> 'archived' order by id limit 20`,
  ),
);

@Injectable()
export class SingleUseLinksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Nothing for an archived agent. */
  async issue(accountId: string, agentId: string): Promise<IssuedLink | undefined> {
    const token = randomToken();
    const values = [agentId, digest(token), this.clock.now()];
    const holder = await this.database.account(accountId).row<LinkRecipient>(MAKE, values);
    return holder && { ...holder, path: `/set-password/${token}` };
  }

  /** For a forgotten password: a mail with a link for each account the e-mail belongs to. */
  async mailTo(email: string): Promise<void> {
    await this.database.system().rows(OWE_FOR_EMAIL, [email.trim().toLowerCase(), this.clock.now()]);
  }

  /** Looking does not spend: mail scanners look too. */
  find(token: string): Promise<LinkRecipient | undefined> {
    return this.database.system().row<LinkRecipient>(FIND, [digest(token), this.clock.now()]);
  }

  /** Sets the password and returns the agent, or nothing when the link is spent, expired or unknown. */
  async redeem(token: string, password: string): Promise<AgentWithPassword | undefined> {
    const passwordHash = await hashPassword(validatePassword(password), token);
    return this.database.systemTransaction(async (tx) => {
      const now = this.clock.now();
      const agent = await tx.row<AgentWithEmail>(SPEND, [digest(token), now]);
      if (!agent) return undefined;
      await replacePassword(tx.account(agent.accountId), agent.id, { passwordHash, now });
      return { ...agent, passwordVersion: versionOf(passwordHash) };
    });
  }
}
