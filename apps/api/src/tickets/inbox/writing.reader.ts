import { DraftsService, type RequestContext, SavedRepliesService, ScheduledRepliesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { WritingPermitsService } from '../composer/writing-permits.service.js';

@Injectable()
export class WritingReader {
  constructor(
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermitsService,
    private readonly heldReplies: ScheduledRepliesService,
    private readonly savedReplies: SavedRepliesService,
  ) {}

  /** `chosen` replaces the saved reply of the draft. */
  async read(context: RequestContext, number: number, chosen?: string) {
    const reads = [this.drafts.read(context, number), this.heldReplies.list(context, number)] as const;
    const [draft, held] = await Promise.all(reads);
    const savedReply = await this.savedReplies.readIfAny(context, chosen ?? draft?.savedReplyId ?? '');
    return { draft, held, savedReply, permit: this.permits.issue(context, number) };
  }
}
