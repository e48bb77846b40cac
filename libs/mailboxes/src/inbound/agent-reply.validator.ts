import { Database } from '#libs/database';
import { MailContentsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { AgentReplyAddressesService } from './agent-reply-addresses.service.js';
import { type AgentReply, replyIn } from './agent-reply.js';
import type { InboundMail } from './arrival.statements.js';
import { textOf } from './mail-body.js';
import { findActiveAgent, isTicketLive } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import type { QuarantineReason } from './quarantine.service.js';
import { provenDomain } from './sender-verdicts.js';

/** Verifies that the agent wrote the mail, as a reply to a ticket. */
@Injectable()
export class AgentReplyValidator {
  constructor(
    private readonly database: Database,
    private readonly addresses: AgentReplyAddressesService,
    private readonly contents: MailContentsService,
  ) {}

  /** Round trips: 1, and 1 more for a signed address. */
  async validate(
    inbound: InboundMail,
    mail: IdentifiedMail,
    authservId: string | null,
  ): Promise<{ readonly reply: AgentReply } | { readonly refused: QuarantineReason }> {
    const { accountId } = inbound;
    const account = this.database.account(accountId);
    const agent = await findActiveAgent(account, mail.from.address);
    if (!agent) return { refused: 'agent_address' };
    const number = this.addresses.ticketOf(mail.addressed, { accountId, agentId: agent.id });
    const isProven = isSenderProven(mail, authservId);
    if (number === null) return { refused: isProven ? 'agent_without_token' : 'agent_address' };
    if (!isProven) return { refused: 'agent_unproven' };
    if (mail.automatic) return { refused: 'agent_automatic' };
    const text = replyIn(await textOf(this.contents, inbound, mail));
    if (text === '') return { refused: 'agent_empty' };
    if (!(await isTicketLive(account, number))) return { refused: 'agent_ticket_deleted' };
    return { reply: { agentEmail: agent.email, number, text } };
  }
}

/** Requires a single author, since programs disagree on which of several From lines counts. */
function isSenderProven({ from, hasOneAuthor, authentication }: IdentifiedMail, authservId: string | null): boolean {
  const [, domain] = from.address.split('@');
  return hasOneAuthor && domain !== undefined && provenDomain(authentication, authservId) === domain;
}
