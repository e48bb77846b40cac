import { DraftsService, type RequestContext } from '#libs/desk';
import type { Draft } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { WritingPermits } from './writing-permits.js';

/** What the person at the page has begun to write. */
@Injectable()
export class WritingReader {
  constructor(
    private readonly drafts: DraftsService,
    private readonly permits: WritingPermits,
  ) {}

  /** Those of the tickets on which there is a draft. One round trip. */
  drafted(context: RequestContext, numbers: readonly number[]): Promise<number[]> {
    return this.drafts.list(context, numbers);
  }

  /** What the composer goes on from. One round trip. */
  async read(context: RequestContext, number: number): Promise<{ draft: Draft | null; permit: string }> {
    return { draft: await this.drafts.read(context, number), permit: this.permits.issue(context, number) };
  }
}
