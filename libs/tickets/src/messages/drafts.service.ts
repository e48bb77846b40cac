import { Transactions, isUuid, uuidAt } from '#libs/database';
import type { Attachment, Draft } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { refuseTooManyFiles } from '../attachments/attachment.statements.js';
import type { RequestContext } from '../request-context.js';
import { readTicket } from '../ticket.statements.js';
import {
  type WrittenDraft,
  addDraftFiles,
  discardEmptyDraft,
  readDraft,
  removeDraftFile,
  saveDraft,
} from './draft.statements.js';

@Injectable()
export class DraftsService {
  constructor(private readonly transactions: Transactions) {}

  read(context: RequestContext, number: number): Promise<Draft | null> {
    return readDraft(this.transactions.account(context), context.agentId, number);
  }

  /** Returns the saved draft, or null if a newer one exists. */
  save(
    context: RequestContext,
    number: number,
    { files = [], ...written }: WrittenDraft & { readonly files?: readonly Attachment[] },
  ): Promise<Draft | null> {
    const { agentId } = context;
    return this.transactions.run(context, async (tx, now) => {
      const id = await saveDraft(tx, { ...written, id: uuidAt(now), agentId, number }, now);
      if (id === undefined) {
        await readTicket(tx, number);
        return null;
      }
      if (files.length > 0) await addDraftFiles(tx, id, files);
      const draft = await readDraft(tx, agentId, number);
      refuseTooManyFiles(draft?.files.length ?? 0);
      return draft;
    });
  }

  async removeFile(context: RequestContext, id: string): Promise<void> {
    if (isUuid(id)) await removeDraftFile(this.transactions.account(context), context.agentId, id);
  }

  /** Returns the draft that remains. */
  async discardIfEmpty(context: RequestContext, number: number): Promise<Draft | null> {
    await discardEmptyDraft(this.transactions.account(context), context.agentId, number);
    return this.read(context, number);
  }
}
