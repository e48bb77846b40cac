import { Injectable } from '@nestjs/common';
import { PresencesService, type TicketViewer } from './presences.service.js';
import { viewerKey } from './stream-heartbeat.service.js';

/** Who has which ticket open in this process, in however many pages. */
@Injectable()
export class PageViewersService {
  private readonly pages = new Map<string, number>();

  constructor(private readonly presences: PresencesService) {}

  /** Returns what to call when the page is gone. The viewer is gone with the last of their pages. */
  enter(viewer: TicketViewer | undefined): () => void {
    if (!viewer) return noop;
    const key = viewerKey(viewer);
    this.pages.set(key, (this.pages.get(key) ?? 0) + 1);
    this.presences
      .enter(viewer)
      .then(() => this.presences.stopReplying(viewer), noop)
      .catch(noop);
    return () => {
      const left = (this.pages.get(key) ?? 1) - 1;
      this.pages.set(key, left);
      if (left > 0) return;
      this.pages.delete(key);
      this.presences.leave(viewer).catch(noop);
    };
  }
}

const noop = (): void => undefined;
