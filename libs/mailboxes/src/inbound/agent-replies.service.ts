import { Transactions } from '#libs/database';
import type { SenderVerdicts } from '#libs/entities';
import { MailContentsService, MailTicketsService, type StoredContent } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { AgentReply } from './agent-reply.js';
import { recordOutcome, refuseDuplicate } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { bodyOf } from './mail-body.js';
import { findActiveAgent } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import { RawMailsService } from './raw-mails.service.js';

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
    private readonly contents: MailContentsService,
    private readonly tickets: MailTicketsService,
    private readonly rawMails: RawMailsService,
  ) {}

  async deliver(replyMail: AgentReplyMail): Promise<void> {
    const { inbound, mail, reply } = replyMail;
    const body = bodyOf({ html: '', text: reply.text, files: mail.files });
    await this.contents.withStored(inbound.accountId, body, (content) => this.addMessage(replyMail, content));
    if (body.files.length > 0) await this.rawMails.discard(inbound);
  }

  private async addMessage({ inbound, mail, reply, verdicts }: AgentReplyMail, content: StoredContent): Promise<void> {
    const isStoredTwice = content.files.length > 0;
    await this.transactions.run(inbound, async (tx, now) => {
      const ticket = await this.tickets.lock(tx, reply.number);
      await refuseDuplicate(tx, inbound, mail, ticket.id);
      const agent = await findActiveAgent(tx, reply.agentEmail);
      if (!agent) throw new Error('the agent was archived meanwhile, and the mail is classified again');
      const onWritten = (written: { ticketId: string; messageId: string }): Promise<void> => {
        const outcome = { state: 'processed', verdicts, ...written, isStoredTwice } as const;
        return recordOutcome(tx, { inbound, mail, outcome }, now);
      };
      await this.tickets.replyFromMail(tx, { ticket, agent, content, onWritten }, now);
    });
  }
}
