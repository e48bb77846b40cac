import { Transactions, isUuid, uuidAt } from '#libs/database';
import { type Attachment, Conflict, type Draft, MergedTicket } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { refuseTooManyFiles } from '../attachments/attachment.statements.js';
import type { RequestContext } from '../request-context.js';
import { readTicket } from '../ticket.statements.js';
import {
  DISCARD_EMPTY_DRAFT,
  REMOVE_DRAFT_FILE,
  type WrittenDraft,
  addDraftFiles,
  readDraft,
  saveDraft,
} from './draft.statements.js';

/** Paragraphs of a draft at which an older version of a text may begin. */
const MAX_COMPARED = 50;

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

  /** Returns the saved draft, or null if nothing is left in it. After a merge, the text goes to the other ticket's draft. */
  async save(context: RequestContext, number: number, written: DraftToSave): Promise<Draft | null> {
    try {
      return await this.write(context, number, written);
    } catch (error) {
      if (error instanceof MergedTicket) await this.add(context, error.into, written);
      throw error;
    }
  }

  private async add(context: RequestContext, number: number, written: DraftToSave): Promise<void> {
    if (written.body === '' && !written.files?.length) return;
    const known = await this.read(context, number);
    const { body = '', note = false, revision = 0 } = known ?? {};
    const joined = { ...written, body: joinTexts(body, written.body), note: note || written.note, revision };
    if (known && joined.body === body && !written.files?.length) return;
    try {
      await this.write(context, number, joined);
    } catch (error) {
      if (error instanceof MergedTicket) await this.add(context, error.into, written);
      else if (error instanceof NewerDraft) await this.add(context, number, written);
      else throw error;
    }
  }

  private write(context: RequestContext, number: number, { files = [], removedFile = '', ...written }: DraftToSave) {
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
      await addDraftFiles(tx, { draftId: id }, files);
      await tx.rows(DISCARD_EMPTY_DRAFT, [id]);
      const draft = await readDraft(tx, agentId, number);
      refuseTooManyFiles(draft?.files.length ?? 0);
      return draft;
    });
  }
}

/** The known text often ends with an older version of the written one, after that of the other ticket. */
function joinTexts(known: string, written: string): string {
  if (known === '' || known.includes(written)) return known || written;
  const paragraphs = [...known.matchAll(/\n\n/g)].slice(-MAX_COMPARED).map(({ index }) => index + 2);
  const older = [0, ...paragraphs].find((at) => at < known.length && written.startsWith(known.slice(at)));
  return older === undefined ? `${known}\n\n${written}` : `${known.slice(0, older)}${written}`;
}
