import { Database, Transactions } from '#libs/database';
import type { Attachment, SenderVerdicts } from '#libs/entities';
import { EventsService } from '#libs/events';
import { replyText } from '#libs/payloads';
import { CustomerMailsService, insertMessage, lockTicket, newMessage } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { AgentReplyAddressesService } from './agent-reply-addresses.service.js';
import { recordOutcome, refuseDuplicate } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { MailAttachmentsService, MailContentsService, bodyOf, renderedText } from './mail-contents.service.js';
import { FIND_ANSWERED_TICKET, findActiveAgent } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import type { QuarantineReason } from './quarantine.service.js';
import { provenDomain } from './sender-verdicts.js';

interface AgentReplyMail {
  readonly inbound: InboundMail;
  readonly mail: IdentifiedMail;
  readonly reply: AgentReply;
  readonly verdicts: SenderVerdicts | null;
}

/** Delivers an agent’s mail like a reply in the console. */
@Injectable()
export class AgentRepliesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly attachments: MailAttachmentsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async deliver(replyMail: AgentReplyMail): Promise<void> {
    const { inbound, mail, reply } = replyMail;
    const { body, files } = bodyOf({ html: '', text: reply.text, files: mail.files });
    await this.attachments.withStored(inbound, files, (stored) => this.addMessage(replyMail, body, stored));
  }

  private async addMessage(
    { inbound, mail, reply, verdicts }: AgentReplyMail,
    body: string,
    files: readonly Attachment[],
  ): Promise<void> {
    await this.transactions.run(inbound, async (tx, now) => {
      const ticket = await lockTicket(tx, reply.number);
      await refuseDuplicate(tx, inbound, mail, ticket.id);
      const agent = await findActiveAgent(tx, reply.agentEmail);
      if (!agent) throw new Error('the agent was archived meanwhile, and the mail is classified again');
      const ccAddresses = await this.mails.stillInCopy(tx, ticket);
      const toAddresses = [ticket.customer.email];
      const written = { body, rendered: renderedText(body), toAddresses, ccAddresses, channel: 'email' as const };
      const message = newMessage(written, ticket, agent, now);
      const opened = ticket.receiveAgentReply(message.plainTextBody, now);
      await insertMessage(tx, message, ticket);
      const actor = { agentId: agent.id, applicationId: null, requestId: null };
      message.attachments = await this.attachments.add(tx, actor, { id: message.id, ticket, files }, now);
      this.mails.oweReply(tx, message, ticket, now);
      const made = { ticketId: ticket.id, messageId: message.id, isStoredTwice: files.length > 0 };
      await recordOutcome(tx, inbound, mail, { state: 'processed', verdicts, ...made }, now);
      const events = opened ? [['ticket_opened', ticket] as const] : [];
      await this.events.record(tx, actor, ['agent_replied', message], ...events);
    });
  }
}

export interface AgentReply {
  readonly agentEmail: string;
  readonly number: number;
  readonly text: string;
}

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
    const text = replyIn(await this.contents.textOf(inbound, mail));
    if (text === '') return { refused: 'agent_empty' };
    if (!(await account.row(FIND_ANSWERED_TICKET, [number]))) return { refused: 'agent_ticket_deleted' };
    return { reply: { agentEmail: agent.email, number, text } };
  }
}

/** Requires a single author, since programs disagree on which of several From lines counts. */
function isSenderProven({ from, hasOneAuthor, authentication }: IdentifiedMail, authservId: string | null): boolean {
  const [, domain] = from.address.split('@');
  return hasOneAuthor && domain !== undefined && provenDomain(authentication, authservId) === domain;
}

export const REPLY_MARK = '=== Write your answer above this line ===';

/** Drops the notice, which is for agents. */
export function replyIn(text: string): string {
  const written = replyText(text);
  const mark = written.indexOf(REPLY_MARK);
  return (mark < 0 ? written : textAbove(written, mark)).trim();
}

/** `replyText` keeps a text that is only a quotation, so a line is put before it. */
function textAbove(text: string, mark: number): string {
  const lines = text.slice(0, text.lastIndexOf('\n', mark) + 1);
  return replyText(`${REPLY_MARK}\n\n${lines}`).slice(REPLY_MARK.length);
}
