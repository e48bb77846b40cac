import { type AccountConnection, Database, accountStatement, columns, hydrate, rowByKey } from '#libs/database';
import { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { answerIn } from '../outbound/agent-answer-text.js';
import { AgentReplyAddressesService } from './agent-reply-addresses.service.js';
import type { ClaimedArrival } from './arrival.statements.js';
import type { HoldReason } from './hold-policy.js';
import { MailContentsService } from './mail-contents.service.js';
import type { IdentifiedMail } from './read-mail.js';
import { provenDomain } from './sender-verdicts.js';

const FIND = accountStatement(
  'agent_answer_find',
  `select ${columns(Agent, 'a')} from ${rowByKey('agents', 'email', '$2')} a where a.state = 'active'`,
);

const IS_LIVE = accountStatement(
  'agent_answer_ticket',
  `select from ${rowByKey('tickets', 'number', '$2')} t where t.deleted_at is null`,
);

/** A mail that an agent surely wrote, for the customer of a ticket. */
export interface AgentAnswer {
  readonly agentEmail: string;
  readonly number: number;
  /** Without what it quotes. */
  readonly text: string;
}

/** Null for one that may not answer any more. */
export async function findActiveAgent(account: AccountConnection, email: string): Promise<Agent | null> {
  return hydrate(Agent, (await account.row(FIND, [email])) ?? {}, 'a');
}

/** Says of a mail with the address of an agent whether that agent answers a ticket by it, or why a person looks at it first. */
@Injectable()
export class AgentAnswersService {
  constructor(
    private readonly database: Database,
    private readonly addresses: AgentReplyAddressesService,
    private readonly contents: MailContentsService,
  ) {}

  /** Round trips: 1, and 1 more for one that was made for the agent. */
  async judge(
    arrival: ClaimedArrival,
    mail: IdentifiedMail,
    authservId: string | null,
  ): Promise<AgentAnswer | HoldReason> {
    const { accountId } = arrival;
    const account = this.database.account(accountId);
    const agent = await findActiveAgent(account, mail.from.address);
    if (!agent) return 'agent_address';
    const number = this.addresses.ticketOf(mail.addressed, { accountId, agentId: agent.id });
    const isProven = isSurelyFrom(mail, authservId);
    if (number === null) return isProven ? 'agent_without_token' : 'agent_address';
    if (!isProven) return 'agent_unproven';
    if (mail.automatic) return 'agent_automatic';
    const text = answerIn(await this.contents.textOf(arrival, mail));
    if (text === '') return 'agent_empty';
    return (await account.row(IS_LIVE, [number])) ? { agentEmail: agent.email, number, text } : 'agent_ticket_deleted';
  }
}

/** One author, whose domain is the one that the check was about: programs disagree on whom several lines of From name. */
function isSurelyFrom({ from, hasOneAuthor, authentication }: IdentifiedMail, authservId: string | null): boolean {
  const [, domain] = from.address.split('@');
  return hasOneAuthor && domain !== undefined && provenDomain(authentication, authservId) === domain;
}
