import { Conflict, Forbidden } from '#libs/entities';
import { Links } from '#libs/payloads';
import { DraftsService, NewerDraft, PreferencesService, ScheduledRepliesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../layers/edge/caller.js';
import { normalizeLineEndings } from '../layers/ui/form-fields.js';
import type { WriteMessageDto } from './mcp.dto.js';

/** No page has this writer, so a draft that a person changed is no longer replaced. */
const DRAFT_OF_ASSISTANT = { writer: 'assistant', revision: 0 };
const TO_CUSTOMER_ALONE = { note: false, cc: [], removedCc: [], afterSending: '' };

@Injectable()
export class AssistantRepliesService {
  constructor(
    private readonly drafts: DraftsService,
    private readonly replies: ScheduledRepliesService,
    private readonly preferences: PreferencesService,
    private readonly links: Links,
  ) {}

  async write(caller: Caller, { number, body, send }: WriteMessageDto) {
    const url = this.links.ticketPage(number);
    if (send) return { ...(await this.send(caller, number, body)), url };
    const draft = { ...DRAFT_OF_ASSISTANT, ...TO_CUSTOMER_ALONE, body: normalizeLineEndings(body) };
    await this.drafts.save(caller, number, draft).catch(explainKept);
    return { outcome: 'drafted', sends_at: null, url };
  }

  /** Like the console, but only to the customer: without a person, no one has checked the copies. */
  private async send(caller: Caller, number: number, body: string) {
    const { assistantsMaySend } = await this.preferences.read(caller);
    if (!assistantsMaySend)
      throw new Forbidden(
        'sending_not_allowed',
        'Nothing was sent: this account does not let assistants send. Call draft_reply without send, so that the person sends the draft.',
      );
    const draft = { ...DRAFT_OF_ASSISTANT, files: [] };
    const held = await this.replies.post(caller, number, { body, markdown: true }, { draft, afterSending: '' });
    return held ? { outcome: 'scheduled', sends_at: held.dueAt } : { outcome: 'sent', sends_at: null };
  }
}

function explainKept(error: unknown): never {
  if (!(error instanceof NewerDraft)) throw error;
  throw new Conflict(
    'draft_of_person',
    'Nothing was saved: the person has begun a draft for this ticket. Show the text to the person instead.',
  );
}
