import { Clock, Database, accountStatement, later, systemStatement } from '#libs/database';
import type { LinkPurpose } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { validatePassword, hashPassword } from './passwords.service.js';
import { digest, randomToken } from './secrets.js';

const HOUR_MS = 3_600_000;
const LIFE_MS: Readonly<Record<LinkPurpose, number>> = { invitation: 7 * 24 * HOUR_MS, password: HOUR_MS };

/** Whose link it is, for the page that opens it. */
export interface LinkRecipient {
  readonly purpose: LinkPurpose;
  readonly accountId: string;
  readonly account: string;
  readonly agentId: string;
  readonly email: string;
}

export interface IssuedLink extends LinkRecipient {
  /** Of the page; the base of the installation comes before it. */
  readonly path: string;
}

/** An invited agent gets an invitation, an active one a new password, an archived one nothing. */
const MAKE = accountStatement(
  'link_make',
  `with holder as (
     select a.id, a.email, ac.name, case a.state when 'invited' then 'invitation' else 'password' end as purpose
     from agents a join accounts ac on ac.id = a.account_id
     where a.account_id = $1 and a.id = $2 and a.state <> 'archived'
   ), made as (
     insert into single_use_links (hash, purpose, account_id, agent_id, created_at, expires_at)
     select $3, purpose, $1, id, $4,
       case purpose when 'invitation' then $5::timestamptz else $6::timestamptz end from holder
   )
   select purpose, $1::uuid as "accountId", name as account, id as "agentId", email from holder`,
);

const REASON = 'The link itself says whose account this is';

const FIND = systemStatement(
  'link_find',
  REASON,
  `select l.purpose, l.account_id as "accountId", ac.name as account, l.agent_id as "agentId", a.email
   from single_use_links l join agents a on a.id = l.agent_id join accounts ac on ac.id = l.account_id
   where l.hash = $1 and l.expires_at > $2
     and a.state = case l.purpose when 'invitation' then 'invited' else 'active' end`,
);

/**
 * Spending the link, setting the password and signing everybody else out are one statement: of two who click at once,
 * one wins, and no other link or session survives it.
 */
const SPEND = systemStatement(
  'link_spend',
  REASON,
  `with spent as (
     delete from single_use_links l using agents a
     where l.hash = $1 and l.expires_at > $2 and a.id = l.agent_id
       and a.state = case l.purpose when 'invitation' then 'invited' else 'active' end
     returning l.account_id, l.agent_id
   ), changed as (
     update agents a set password_hash = $3, state = 'active', updated_at = $2
     from spent where a.id = spent.agent_id and a.account_id = spent.account_id
     returning a.id, a.account_id
   ), signed_out as (
     delete from sessions s using spent where s.agent_id = spent.agent_id
   ), others as (
     delete from single_use_links l using spent where l.agent_id = spent.agent_id and l.hash <> $1
   )
   select id, account_id as "accountId" from changed`,
);

const HOLDERS = systemStatement(
  'link_holders',
  'An e-mail does not say which account is meant, so each gets its own link',
  `select id, account_id as "accountId" from agents where email = $1 and state <> 'archived' order by id limit 20`,
);

@Injectable()
export class SingleUseLinksService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Nothing for an archived agent. */
  async issue(accountId: string, agentId: string): Promise<IssuedLink | undefined> {
    const now = this.clock.now();
    const token = randomToken();
    const ends = [LIFE_MS.invitation, LIFE_MS.password].map((life) => later(now, life));
    const holder = await this.database
      .account(accountId)
      .row<LinkRecipient>(MAKE, [agentId, digest(token), now, ...ends]);
    return holder && { ...holder, path: `/set-password/${token}` };
  }

  /** For a forgotten password: one link for each account the e-mail belongs to. */
  async issueForEmail(email: string): Promise<IssuedLink[]> {
    const holders = await this.database
      .system()
      .rows<{ id: string; accountId: string }>(HOLDERS, [email.trim().toLowerCase()]);
    const made = await Promise.all(holders.map(({ accountId, id }) => this.issue(accountId, id)));
    return made.filter((link) => link !== undefined);
  }

  /** Looking does not spend: mail scanners look too. */
  find(token: string): Promise<LinkRecipient | undefined> {
    return this.database.system().row<LinkRecipient>(FIND, [digest(token), this.clock.now()]);
  }

  /** Sets the password and returns the agent, or nothing when the link is spent, expired or unknown. */
  async redeem(token: string, password: string): Promise<{ id: string; accountId: string } | undefined> {
    const passwordHash = await hashPassword(validatePassword(password));
    return this.database
      .system()
      .row<{ id: string; accountId: string }>(SPEND, [digest(token), this.clock.now(), passwordHash]);
  }
}
