import { Transactions } from '#libs/database';
import type { Attachment, SenderVerdicts } from '#libs/entities';
import { EventsService } from '#libs/events';
import { CustomerMailsService, insertMessage, lockTicket, newMessage } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { AgentReply } from './agent-reply.validator.js';
import { recordOutcome, refuseDuplicate } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { MailAttachmentsService } from './mail-attachments.service.js';
import { bodyOf, renderedText } from './mail-contents.service.js';
import { findActiveAgent } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';

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
      this.mails.oweReply(tx, message, ticket, now);
      const actor = { agentId: agent.id, applicationId: null, requestId: null };
      message.attachments = await this.attachments.add(tx, actor, { id: message.id, ticket, files }, now);
      const made = { ticketId: ticket.id, messageId: message.id, isStoredTwice: files.length > 0 };
      await recordOutcome(tx, inbound, mail, { state: 'understood', verdicts, ...made }, now);
      const events = opened ? [['ticket_opened', ticket] as const] : [];
      await this.events.record(tx, actor, ['agent_replied', message], ...events);
    });
  }
}
