import { Clock, Database, Transactions, isUuid, uuidAt } from '#libs/database';
import { type Attachment, DomainError, HeldReply } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { refuseTooManyFiles } from './attachment.statements.js';
import { type DraftOfMessage, discardSentDraft } from './draft.statements.js';
import {
  DUE_REPLIES,
  type DueReply,
  type HeldReplyOfAgent,
  NotHeld,
  countHeld,
  holdFiles,
  insertHeld,
  listHeld,
  lockHeld,
  postponeHeld,
  readUndoSeconds,
  returnToDraft,
} from './held-reply.statements.js';
import { MessageCame, MessagesService } from './messages.service.js';
import type { RequestContext } from './request-context.js';
import { lockTicket } from './ticket.statements.js';
import { TriageService } from './triage.service.js';

const SECOND_MS = 1000;
/** What could not be sent, for a reason of ours, is tried again then. */
const TRY_AGAIN_MS = 10_000;

export interface ReplyToHold {
  readonly body: string;
  readonly close: boolean;
  readonly afterSending: string;
  /** How many messages the page showed, with those that waited. */
  readonly seen: number | undefined;
  readonly draft: DraftOfMessage | undefined;
  readonly received: readonly Attachment[];
}

/**
 * Replies that wait before they are sent, so that their authors can take them back. They are rows, so they outlive a
 * restart, and whoever deletes the row sends the reply, so it is sent once.
 */
@Injectable()
export class HeldRepliesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly messages: MessagesService,
    private readonly triage: TriageService,
    private readonly clock: Clock,
  ) {}

  /** How long replies of this account wait. One round trip. */
  async delayMs({ accountId }: Pick<RequestContext, 'accountId'>): Promise<number> {
    return (await readUndoSeconds(this.transactions.account({ accountId }))) * SECOND_MS;
  }

  /** Those of a ticket, of everybody. One round trip. */
  list(context: RequestContext, number: number): Promise<HeldReplyOfAgent[]> {
    return listHeld(this.transactions.account(context), number);
  }

  /** Refused for what would be refused as a message: one that came since the page was drawn, or that waits. */
  hold(context: RequestContext, number: number, wanted: ReplyToHold, delayMs: number): Promise<HeldReply> {
    const { body, close, afterSending, seen, draft, received } = wanted;
    const { accountId, agentId } = context;
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      const there = ticket.messageCount + (await countHeld(tx, ticket.id));
      if (seen !== undefined && seen < there) throw new MessageCame();
      const dueAt = new Date(now.getTime() + delayMs);
      const row = { id: uuidAt(now), accountId, agentId, ticketId: ticket.id, body, close, afterSending, dueAt };
      const held = Object.assign(new HeldReply(), row);
      await insertHeld(tx, held);
      refuseTooManyFiles((draft?.files.length ?? 0) + received.length);
      await holdFiles(tx, held, { draft, received });
      if (draft) await discardSentDraft(tx, held, draft);
      return held;
    });
  }

  /** It becomes the draft of its author again, or a part of the note that its author is writing: says which. */
  async undo(context: RequestContext, number: number, id: string): Promise<'draft' | 'note'> {
    if (!isUuid(id)) throw new NotHeld();
    return this.transactions.run(context, async (tx, now) => {
      await lockHeld(tx, { id, agentId: context.agentId }, number);
      return (await returnToDraft(tx, id, uuidAt(now), now)) ? 'note' : 'draft';
    });
  }

  /** Those of all accounts whose time has come. One that cannot be sent is a draft again. Says what went wrong. */
  async sendDue(): Promise<readonly unknown[]> {
    const due = await this.database.system().rows<DueReply>(DUE_REPLIES, [this.clock.now()]);
    const outcomes = await Promise.allSettled(due.map((reply) => this.send(reply)));
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  }

  private async send({ id, accountId, agentId, role, number, body, close }: DueReply): Promise<void> {
    const context: RequestContext = { accountId, agentId, role, applicationId: null, requestId: null };
    try {
      await this.messages.post(context, number, { body, note: false }, { held: id });
      if (close) await this.triage.setState(context, number, 'closed').catch(refusalsOnly);
    } catch (error) {
      if (error instanceof NotHeld) return;
      if (error instanceof DomainError && error.kind !== 'unavailable')
        return void (await this.undo(context, number, id).catch(refusalsOnly));
      await postponeHeld(this.transactions.account(context), id, this.clock.in(TRY_AGAIN_MS));
      throw error;
    }
  }
}

/** The ticket stays as it is, and so does what was sent meanwhile. */
function refusalsOnly(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
