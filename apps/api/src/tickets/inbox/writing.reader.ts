import { DraftsService, type RequestContext, ScheduledRepliesService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { WritingPermitsService } from '../composer/writing-permits.service.js';

@Injectable()
export class WritingReader {
  constructor(
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermitsService,
    private readonly heldReplies: ScheduledRepliesService,
  ) {}

  async read(context: RequestContext, number: number) {
    const reads = [this.drafts.read(context, number), this.heldReplies.list(context, number)] as const;
    const [draft, held] = await Promise.all(reads);
    return { draft, held, permit: this.permits.issue(context, number) };
  }
}
