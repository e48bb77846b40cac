import { Transactions } from '#libs/database';
import type { Attachment, SenderVerdicts } from '#libs/entities';
import { EventsService } from '#libs/events';
import { CustomerMailsService, insertMessage, lockTicket, newMessage } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { type AgentAnswer, findActiveAgent } from './agent-answers.service.js';
import { type ClaimedArrival, endArrival, refuseKnown } from './arrival.statements.js';
import { bodyOf, renderedText } from './mail-body.js';
import { MailAttachmentsService } from './mail-attachments.service.js';
import type { IdentifiedMail } from './read-mail.js';

interface BroughtAnswer {
  readonly arrival: ClaimedArrival;
  readonly mail: IdentifiedMail;
  readonly answer: AgentAnswer;
  readonly verdicts: SenderVerdicts | null;
}

/** Makes of an agent’s mail what their reply in the console is: the same message, the same events, and a mail to the customer. */
@Injectable()
export class AgentRepliesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly attachments: MailAttachmentsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async bring(brought: BroughtAnswer): Promise<void> {
    const { arrival, mail, answer } = brought;
    const { body, files } = bodyOf({ html: '', text: answer.text, files: mail.files });
    await this.attachments.keeping(arrival, files, (kept) => this.reply(brought, body, kept));
  }

  private async reply(
    { arrival, mail, answer, verdicts }: BroughtAnswer,
    body: string,
    files: readonly Attachment[],
  ): Promise<void> {
    const { mailId, contentHash, from } = mail;
    await this.transactions.run(arrival, async (tx, now) => {
      const ticket = await lockTicket(tx, answer.number);
      await refuseKnown(tx, arrival, { mailId, contentHash, ticketId: ticket.id });
      const agent = await findActiveAgent(tx, answer.agentEmail);
      if (!agent) throw new Error('the agent was archived meanwhile, and the mail is judged anew');
      const ccAddresses = await this.mails.stillInCopy(tx, ticket);
      const toAddresses = [ticket.customer.email];
      const written = { body, rendered: renderedText(body), toAddresses, ccAddresses, channel: 'email' as const };
      const message = newMessage(written, ticket, agent, now);
      const opened = ticket.receiveAgentReply(message.plainTextBody, now);
      await insertMessage(tx, message, ticket);
      this.mails.oweReply(tx, message, ticket, now);
      const acting = { agentId: agent.id, applicationId: null, requestId: null };
      message.attachments = await this.attachments.add(tx, acting, { id: message.id, ticket, files, now });
      const isStoredTwice = files.length > 0;
      const end = { state: 'understood', mailId, contentHash, sender: from.address, verdicts, isStoredTwice } as const;
      await endArrival(tx, arrival.id, { ...end, ticketId: ticket.id, messageId: message.id }, now);
      const happened = opened ? [['ticket_opened', ticket] as const] : [];
      await this.events.record(tx, acting, ['agent_replied', message], ...happened);
    });
  }
}
