import { Transactions, isUuid, uuidAt } from '#libs/database';
import { type Attachment, Conflict, type Draft } from '#libs/entities';
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

export class NewerDraft extends Conflict {
  constructor() {
    super('newer_draft', 'You have two drafts, and this one was not saved. Save again to replace the other.');
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
      if (removesFile) await removeDraftFile(tx, agentId, removedFile);
      const changesFiles = removesFile || files.length > 0;
      const id = await saveDraft(tx, { ...written, id: uuidAt(now), agentId, number, changesFiles }, now);
      if (id === undefined) {
        await readTicket(tx, number);
        throw new NewerDraft();
      }
      if (files.length > 0) await addDraftFiles(tx, id, files);
      await discardEmptyDraft(tx, id);
      const draft = await readDraft(tx, agentId, number);
      refuseTooManyFiles(draft?.files.length ?? 0);
      return draft;
    });
  }
}
