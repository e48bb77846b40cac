import { Transactions, isUuid, uuidAt, Clock, Database } from '#libs/database';
import { type Attachment, Conflict, type Draft, DomainError, HeldReply } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { refuseTooManyFiles } from '../attachments/attachment.statements.js';
import type { RequestContext } from '../request-context.js';
import { readTicket, lockTicket } from '../ticket.statements.js';
import {
  DISCARD_EMPTY_DRAFT,
  REMOVE_DRAFT_FILE,
  type WrittenDraft,
  addDraftFiles,
  readDraft,
  saveDraft,
  DISCARD_SENT_DRAFT,
} from './draft.statements.js';
import { acceptCc } from '../recipients/copy-recipients.statements.js';
import {
  DUE_REPLIES,
  type DueReply,
  type HeldReplyOfAgent,
  NotHeld,
  POSTPONE_HELD,
  READ_UNDO_SECONDS,
  holdFiles,
  listHeld,
  lockHeld,
  returnToDraft,
} from './held-reply.statements.js';
import { MessagesService, type NewMessage, type Sending } from './messages.service.js';
import { refuseUnseen } from './seen-thread.js';

export class NewerDraft extends Conflict {
  constructor() {
    super(
      'newer_draft',
      'Your text was not saved: another window or device has a newer draft. Save again to replace that draft.',
    );
  }
}

interface DraftToSave extends WrittenDraft {
  readonly files?: readonly Attachment[];
  readonly removedFile?: string;
}

@Injectable()
export class DraftsService {
  constructor(private readonly transactions: Transactions) {}

  read(context: RequestContext, number: number): Promise<Draft | null> {
    return readDraft(this.transactions.account(context), context.agentId, number);
  }

  /** Returns the saved draft, or null if nothing is left in it. */
  save(context: RequestContext, number: number, { files = [], removedFile = '', ...written }: DraftToSave) {
    const { agentId } = context;
    return this.transactions.run(context, async (tx, now) => {
      const removesFile = isUuid(removedFile);
      if (removesFile) await tx.rows(REMOVE_DRAFT_FILE, [agentId, removedFile]);
      const changesFiles = removesFile || files.length > 0;
      const id = await saveDraft(tx, { ...written, id: uuidAt(now), agentId, number, changesFiles }, now);
      if (id === undefined) {
        await readTicket(tx, number);
        throw new NewerDraft();
      }
      if (files.length > 0) await addDraftFiles(tx, id, files);
      await tx.rows(DISCARD_EMPTY_DRAFT, [id]);
      const draft = await readDraft(tx, agentId, number);
      refuseTooManyFiles(draft?.files.length ?? 0);
      return draft;
    });
  }
}

const SECOND_MS = 1000;
/** Delay before the next try after an error on our side. */
const TRY_AGAIN_MS = 10_000;
const HOUR_MS = 3_600_000;
/** Replies to one ticket sent in one run. The rest follow a second later. */
const MAX_TURNS = 20;

type ReplyToHold = Pick<NewMessage, 'body' | 'cc'> & Omit<Sending, 'held'> & { readonly afterSending: string };

/**
 * Replies that wait, so that their authors can undo them. The transaction that deletes the row sends the reply, so it
 * is sent once.
 */
@Injectable()
export class ScheduledRepliesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly messages: MessagesService,
    private readonly clock: Clock,
  ) {}

  async delayMs({ accountId }: Pick<RequestContext, 'accountId'>): Promise<number> {
    const row = await this.transactions.account({ accountId }).row<{ seconds: number }>(READ_UNDO_SECONDS);
    return (row?.seconds ?? 0) * SECOND_MS;
  }

  list(context: RequestContext, number: number): Promise<HeldReplyOfAgent[]> {
    return listHeld(this.transactions.account(context), number);
  }

  hold(context: RequestContext, number: number, wanted: ReplyToHold, delayMs: number): Promise<HeldReply> {
    const { body, cc = [], close = false, afterSending, seen, draft, received = [] } = wanted;
    const { accountId, agentId } = context;
    return this.transactions.run(context, async (tx, now) => {
      const ticket = await lockTicket(tx, number);
      if (seen) await refuseUnseen(tx, ticket, seen, agentId);
      const dueAt = new Date(now.getTime() + delayMs);
      const ccAddresses = await acceptCc(tx, cc, ticket.customer.email);
      const row = { id: uuidAt(now), accountId, agentId, ticketId: ticket.id, body, ccAddresses, close };
      const held = Object.assign(new HeldReply(), row, { afterSending, dueAt });
      await tx.repository(HeldReply).insert(held);
      refuseTooManyFiles((draft?.files.length ?? 0) + received.length);
      await holdFiles(tx, held, { draft, received });
      if (draft) await tx.rows(DISCARD_SENT_DRAFT, [agentId, ticket.id, draft.revision, draft.writer]);
      return held;
    });
  }

  /** Returns whether it became a draft, or part of a note. */
  async undo(context: RequestContext, number: number, id: string): Promise<'draft' | 'note'> {
    if (!isUuid(id)) throw new NotHeld();
    return this.transactions.run(context, async (tx, now) => {
      await lockHeld(tx, { id, agentId: context.agentId }, number);
      return (await returnToDraft(tx, id, uuidAt(now), now)) ? 'note' : 'draft';
    });
  }

  /** A refused reply becomes a draft again. `nextInMs` is when the next reply is due, at most `horizonMs`. */
  async sendDue(horizonMs = 0): Promise<{ readonly errors: readonly unknown[]; readonly nextInMs: number }> {
    const errors: unknown[] = [];
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const found = await this.database.system().rows<DueReply>(DUE_REPLIES, [this.clock.in(horizonMs)]);
      const now = this.clock.now();
      const due = found.filter(({ dueAt }) => dueAt <= now);
      if (due.length === 0)
        return { errors, nextInMs: found[0] ? found[0].dueAt.getTime() - now.getTime() : horizonMs };
      const outcomes = await Promise.allSettled(due.map((reply) => this.send(reply)));
      errors.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])));
    }
    return { errors, nextInMs: SECOND_MS };
  }

  private async send({ id, accountId, agentId, role, isArchived, number, body, cc, close }: DueReply): Promise<void> {
    const context: RequestContext = { accountId, agentId, role, applicationId: null, requestId: null };
    try {
      await this.messages.post(context, number, { body, cc, note: false }, { held: id, close });
    } catch (error) {
      if (error instanceof NotHeld) return;
      const isRefused = error instanceof DomainError && error.kind !== 'unavailable';
      if (isRefused && !isArchived) return void (await this.undo(context, number, id).catch(refusalsOnly));
      // Nobody could see a draft of an archived agent, but a held reply is shown with its ticket.
      const until = this.clock.in(isRefused ? HOUR_MS : TRY_AGAIN_MS);
      await this.transactions.account(context).rows(POSTPONE_HELD, [id, until]);
      if (!isRefused) throw error;
    }
  }
}

function refusalsOnly(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}
