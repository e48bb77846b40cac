import type { Draft } from '#libs/entities';
import { DraftsService, HeldRepliesService, type HeldReplyOfAgent, type RequestContext } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { WritingPermitsService } from './writing-permits.service.js';

/** What is not sent yet on a ticket. */
export interface Writing {
  readonly draft: Draft | null;
  /** Of everybody. */
  readonly held: readonly HeldReplyOfAgent[];
  readonly permit: string;
}

/** What the person at the page has begun to write, and the replies that wait. */
@Injectable()
export class WritingReader {
  constructor(
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermitsService,
    private readonly heldReplies: HeldRepliesService,
  ) {}

  /** Two round trips, side by side. */
  async read(context: RequestContext, number: number): Promise<Writing> {
    const [draft, held] = await Promise.all([
      this.drafts.read(context, number),
      this.heldReplies.list(context, number),
    ]);
    return { draft, held, permit: this.permits.issue(context, number) };
  }
}
