import { type AccountTx, Database, Transactions, isUuid, later, uuidAt } from '#libs/database';
import { type Attachment, DomainError, HeldReply, MergedTicket } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { refuseTooManyFiles } from '../attachments/attachment.statements.js';
import { type NewTicket, resolveReferences } from '../new-ticket.statements.js';
import { readPreferences } from '../people/preference.statements.js';
import { acceptCc } from '../recipients/copy-recipients.statements.js';
import type { RequestContext } from '../request-context.js';
import { changeOnSending } from '../saved-replies/saved-reply.statements.js';
import { lockTicket } from '../ticket.statements.js';
import { type StartOptions, TicketsService } from '../tickets.service.js';
import { addDraftFiles, takeDraft } from './draft.statements.js';
import {
  type DueReply,
  type HeldReplyOfAgent,
  LIST_UNSENT,
  NotHeld,
  UNDO_TICKET,
  type UnsentTicket,
  type WaitingReply,
  findDueReplies,
  listHeld,
  lockHeld,
  returnToDraft,
  takeHeld,
} from './held-reply.statements.js';
import { MessagesService, type NewMessage, type Sending } from './messages.service.js';
import { refuseOtherCustomer, refuseUnseen } from './seen-thread.js';

const SECOND_MS = 1000;
/** Delay before the next try after an error on our side. */
const TRY_AGAIN_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Replies to one ticket sent in one run. The rest follow a second later. */
const MAX_TURNS = 20;

interface OptionsOfReply extends Omit<Sending, 'held'> {
  readonly afterSending: string;
  /** The time that the author chose, instead of the delay. */
  readonly sendAt?: ((now: Date) => Date) | undefined;
}

type ReplyToHold = OptionsOfReply & Pick<NewMessage, 'body' | 'cc'>;

/**
 * Replies and new tickets that wait, so that their authors can undo them. The transaction that deletes the row sends the
 * message, so it is sent once.
 */
@Injectable()
export class ScheduledRepliesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly messages: MessagesService,
    private readonly tickets: TicketsService,
    private readonly events: EventsService,
  ) {}

  /** Posts a message of the console, or holds it. */
  async post(context: RequestContext, number: number, message: NewMessage, options: OptionsOfReply) {
    const delayMs = await this.delayMs(context, message);
    if (delayMs > 0 || options.sendAt)
      return this.hold(context, number, { body: message.body, cc: message.cc, ...options }, delayMs);
    await this.messages.post(context, number, message, options);
    return undefined;
  }

  /** Starts a ticket of the console, or holds it. */
  async startTicket(context: RequestContext, newTicket: NewTicket, options: StartOptions) {
    const delayMs = await this.delayMs(context, newTicket);
    if (delayMs > 0) return this.holdTicket(context, newTicket, options, delayMs);
    return this.tickets.create(context, newTicket, options);
  }

  private async delayMs(context: RequestContext, { note }: Pick<NewMessage, 'note'>): Promise<number> {
    if (note) return 0;
    const { undoSendSeconds } = await readPreferences(this.transactions.account(context), context.agentId);
    return undoSendSeconds * SECOND_MS;
  }

  /** Without a ticket, those that are scheduled: the agent’s own, or all for owners and admins. */
  list(context: RequestContext, number?: number): Promise<HeldReplyOfAgent[]> {
    return listHeld(this.transactions.account(context), context, number);
  }

  hold(context: RequestContext, number: number, wanted: ReplyToHold, delayMs: number): Promise<WaitingReply> {
    const { body, cc = [], savedReplyId = null, afterSending, seen, draft, received = [], sendAt } = wanted;
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      if (seen) await refuseUnseen(tx, ticket, seen, context.agentId);
      refuseOtherCustomer(ticket, wanted);
      const ccAddresses = await acceptCc(tx, cc, ticket.customer.email);
      const thenChange = await changeOnSending(tx, context.agentId, wanted, now);
      // Too many tags are refused while the author is there.
      ticket.addTags(thenChange?.addTags ?? [], now);
      const times = sendAt ? { scheduledAt: now, dueAt: sendAt(now) } : { dueAt: later(now, delayMs) };
      const reply = { ticketId: ticket.id, body, ccAddresses, thenChange, savedReplyId, afterSending, ...times };
      const drafted = draft ? await takeDraft(tx, { agentId: context.agentId, ticketId: ticket.id }, draft) : [];
      return insertHeld(tx, context, { reply, files: [...drafted, ...received] }, now);
    });
  }

  /** Refuses unknown names now, not when it is due. */
  private async holdTicket(
    context: RequestContext,
    newTicket: NewTicket,
    { received = [], held: source }: StartOptions,
    delayMs: number,
  ) {
    await resolveReferences(this.transactions.account(context), context.agentId, newTicket);
    return this.transactions.run(context, async (tx, now) => {
      await acceptCc(tx, newTicket.ccAddresses ?? [], newTicket.to.email);
      const taken = source ? await takeHeld(tx, context.agentId, source) : [];
      const reply = { newTicket, body: '', afterSending: '', dueAt: later(now, delayMs) };
      return insertHeld(tx, context, { reply, files: [...taken, ...received] }, now);
    });
  }

  listUnsent(context: RequestContext): Promise<UnsentTicket[]> {
    return this.transactions.account(context).rows<UnsentTicket>(LIST_UNSENT, [context.agentId]);
  }

  async undoTicket(context: RequestContext, id: string): Promise<void> {
    const account = this.transactions.account(context);
    if (!isUuid(id) || !(await account.row(UNDO_TICKET, [id, context.agentId]))) throw new NotHeld();
  }

  async discardTicket(context: RequestContext, id: string): Promise<void> {
    await this.transactions.run(context, (tx) => takeHeld(tx, context.agentId, { id, keptFiles: [] }));
  }

  /** Makes it a draft, or part of a note. Records an activity unless its author undid it. */
  async undo(context: RequestContext, id: string, refused?: string) {
    return this.transactions.run(context, async (tx, now) => {
      const { agentId } = context;
      const { author, ticketId, number, dueAt, isScheduled, ...held } = await lockHeld(tx, context, id);
      const isNote = await returnToDraft(tx, id, { id: uuidAt(now), agentId, updatedAt: now });
      const isOwn = held.agentId === agentId;
      const detail = { due_at: dueAt.toISOString(), ...(refused ? { refused } : { author }) };
      const description = { ticketId, subject: `#${number}`, detail };
      if (refused || !isOwn) await this.events.recordActivity(tx, context, 'reply_unscheduled', description);
      return { isNote, isOwn, scheduledFor: isScheduled ? dueAt : null };
    });
  }

  /** The next run sends it. It is not scheduled any more, so it goes out even if the customer has written since. */
  async sendNow(context: RequestContext, id: string): Promise<void> {
    await this.transactions.run(context, async (tx, now) => {
      await lockHeld(tx, context, id);
      await tx.repository(HeldReply).update({ id }, { dueAt: now, scheduledAt: null });
    });
  }

  /** A refused message is a draft again. `nextInMs` is when the next reply is due, at most `horizonMs`. */
  async sendDue(horizonMs = 0): Promise<{ readonly errors: readonly unknown[]; readonly nextInMs: number }> {
    const errors: unknown[] = [];
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const found = await findDueReplies(this.database.system(), later(this.transactions.now(), horizonMs));
      const now = this.transactions.now();
      const due = found.filter(({ dueAt }) => dueAt <= now);
      if (due.length === 0)
        return { errors, nextInMs: found[0] ? found[0].dueAt.getTime() - now.getTime() : horizonMs };
      const outcomes = await Promise.allSettled(due.map((reply) => this.send(reply)));
      errors.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])));
    }
    return { errors, nextInMs: SECOND_MS };
  }

  private async send(due: DueReply): Promise<void> {
    const { id, isArchived, number, newTicket, body, cc, thenChange, ...actor } = due;
    const context: RequestContext = { ...actor, requestId: null };
    try {
      if (newTicket) await this.tickets.create(context, startedBy(due, newTicket), { held: { id } });
      else await this.messages.post(context, number, { body, cc, markdown: true }, { held: id, thenChange });
    } catch (error) {
      // After a merge, the next run sends it to the other ticket.
      if (error instanceof NotHeld || error instanceof MergedTicket) return;
      const isRefused = error instanceof DomainError && error.kind !== 'unavailable';
      if (isRefused && !isArchived) {
        const undone = newTicket ? this.undoTicket(context, id) : this.undo(context, id, error.message);
        return void (await undone.catch(refusalsOnly));
      }
      // Nobody could see a draft of an archived agent, but a held reply is shown with its ticket.
      const dueAt = later(this.transactions.now(), isRefused ? HOUR_MS : TRY_AGAIN_MS);
      await this.transactions.run(context, (tx) => tx.repository(HeldReply).update({ id }, { dueAt }));
      if (!isRefused) throw error;
    }
  }
}

/** An archived agent gets no ticket. */
const startedBy = ({ isArchived }: DueReply, ticket: NewTicket): NewTicket =>
  isArchived && ticket.assignee === ticket.from.email ? { ...ticket, assignee: null } : ticket;

async function insertHeld(
  tx: AccountTx,
  { accountId, agentId, applicationId, origin }: RequestContext,
  { reply, files }: { reply: Partial<HeldReply> & Pick<WaitingReply, 'dueAt'>; files: readonly Attachment[] },
  now: Date,
): Promise<WaitingReply> {
  refuseTooManyFiles(files.length);
  const id = uuidAt(now);
  const held = Object.assign(new HeldReply(), { id, accountId, agentId, applicationId, origin, ...reply });
  await tx.repository(HeldReply).insert(held);
  await addDraftFiles(tx, { heldReplyId: id }, files);
  return held;
}

function refusalsOnly(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
