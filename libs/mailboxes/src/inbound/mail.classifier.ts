import { Clock, Database } from '#libs/database';
import type { SenderVerdicts } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { CheckMailsService } from '../checks/check-mails.service.js';
import type { AgentReply } from './agent-reply.js';
import { AgentReplyValidator } from './agent-reply.validator.js';
import type { InboundMail } from './arrival.statements.js';
import { type Bounce, BouncesService } from './bounces.service.js';
import { deliveryReportIn } from './delivery-report.js';
import { type MailContext, findContext } from './mail-context.statements.js';
import type { IdentifiedMail } from './parse-mail.js';
import type { QuarantineReason } from './quarantine.service.js';
import { verdictsOf } from './sender-verdicts.js';

export type ClassifiedMail = { readonly verdicts: SenderVerdicts | null } & (
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'bounce'; readonly bounce: Bounce }
  | { readonly kind: 'mailbox_check'; readonly sentAs: string }
  | { readonly kind: 'agent_reply'; readonly reply: AgentReply }
  | { readonly kind: 'quarantined'; readonly reason: QuarantineReason }
  | { readonly kind: 'customer_mail'; readonly context: MailContext }
);

const HOUR_MS = 60 * 60 * 1000;

/** Changes nothing. */
@Injectable()
export class MailClassifier {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly bounces: BouncesService,
    private readonly checks: CheckMailsService,
    private readonly agentReplies: AgentReplyValidator,
  ) {}

  async classify(inbound: InboundMail, mail: IdentifiedMail): Promise<ClassifiedMail> {
    const returned = await this.bounces.match(inbound, mail);
    // A program’s reply to a Return-Path belongs to the message sent from there.
    const ticketNumber = mail.ticketNumber ?? returned?.message?.number ?? null;
    const search = { ticketNumber, startedSince: this.clock.in(-HOUR_MS) };
    const context = await findContext(this.database.account(inbound.accountId), inbound, mail, search);
    const verdicts = verdictsOf(mail.authentication, context.mailbox.authservId);
    if (context.isDuplicate) return { kind: 'duplicate', verdicts };
    const report = returned && deliveryReportIn(mail.files);
    if (report) return { kind: 'bounce', bounce: { ...returned, ...report }, verdicts };
    const sentAs = await this.checks.match(inbound, mail);
    if (sentAs !== null) return { kind: 'mailbox_check', sentAs, verdicts };
    if (mayBeAgentReply(inbound, context)) {
      const result = await this.agentReplies.validate(inbound, mail, context.mailbox.authservId);
      if ('reply' in result) return { kind: 'agent_reply', reply: result.reply, verdicts };
      return { kind: 'quarantined', reason: result.refused, verdicts };
    }
    const reason = quarantineReason(inbound, context);
    return reason === null ? { kind: 'customer_mail', context, verdicts } : { kind: 'quarantined', reason, verdicts };
  }
}

const mayBeAgentReply = ({ released, receivedAt }: InboundMail, { isAgent, isOwn }: MailContext): boolean =>
  isAgent && !isOwn && !released && receivedAt === null;

/** Stops a program that starts tickets, within an hour. */
const MAX_STARTED_TICKETS = 20;

/** From is a claim: anyone could appear to colleagues as an agent. A person approved a released mail. */
function quarantineReason(
  { released, receivedAt }: InboundMail,
  { isOwn, isAgent, ticket, startedTickets }: MailContext,
): QuarantineReason | null {
  if (released) return null;
  if (isOwn) return 'own_mail';
  if (isAgent) return 'agent_address';
  // An import is bounded by its folder.
  const startsTicket = receivedAt === null && ticket === null;
  return startsTicket && startedTickets >= MAX_STARTED_TICKETS ? 'too_many' : null;
}
