import { Injectable } from '@nestjs/common';
import { CheckMailsService } from '../checks/check-mails.service.js';
import type { MailOutcome } from './arrival-outcome.statements.js';
import type { InboundMail } from './arrival.statements.js';
import { BouncesService } from './bounces.service.js';
import type { ClassifiedMail } from './mail.classifier.js';
import type { ParseResult } from './mail.parser.js';
import { TicketMailDeliveryService } from './ticket-mail-delivery.service.js';

@Injectable()
export class MailDeliveryService {
  constructor(
    private readonly bounces: BouncesService,
    private readonly checks: CheckMailsService,
    private readonly ticketMails: TicketMailDeliveryService,
  ) {}

  async deliver(
    inbound: InboundMail,
    { mail, fault }: ParseResult,
    classified: ClassifiedMail,
  ): Promise<MailOutcome['state']> {
    const { verdicts } = classified;
    switch (classified.kind) {
      case 'duplicate':
        await this.ticketMails.dropDuplicate(inbound, mail, verdicts);
        return 'duplicate';
      case 'quarantined':
        await this.ticketMails.quarantine(inbound, mail, classified);
        return 'quarantined';
      case 'bounce':
        await this.bounces.deliver(inbound, mail, classified.bounce);
        return 'processed';
      case 'mailbox_check':
        await this.checks.deliver(inbound, mail, classified.sentAs);
        return 'processed';
      case 'agent_reply':
        await this.ticketMails.deliverReply(
          { inbound, mail, outcome: { state: 'processed', verdicts } },
          classified.reply,
        );
        return 'processed';
      case 'customer_mail': {
        const { context } = classified;
        const readable = { state: 'processed', verdicts } as const;
        const outcome = fault === null ? readable : ({ state: 'unreadable', reason: fault, verdicts } as const);
        await this.ticketMails.deliver({ inbound, mail, context, outcome });
        return outcome.state;
      }
      default:
        return classified satisfies never;
    }
  }
}
