import { Bell, Clock, Database, later } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { ENTER_PRESENCE, LEAVE_PRESENCE, LIST_PRESENCES, SET_REPLYING } from './live.statements.js';
import type { PresentAgent } from './presence-bar.js';

/** Longer than two heartbeats, so that one lost renewal does not end a presence. */
const VIEWING_MS = 25_000;
/** Longer than two signals of the script, which sends one every four seconds. */
const REPLYING_MS = 12_000;

export interface TicketViewer {
  readonly accountId: string;
  readonly agentId: string;
  readonly ticket: number;
}

export const viewerKey = ({ accountId, agentId, ticket }: TicketViewer): string => `${accountId} ${agentId} ${ticket}`;

@Injectable()
export class PresencesService {
  /** Open pages of this process, by viewer. */
  private readonly pages = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly bell: Bell,
  ) {}

  /** Returns a function to call when the page closes. */
  openPage(viewer: TicketViewer): () => void {
    const key = viewerKey(viewer);
    this.pages.set(key, (this.pages.get(key) ?? 0) + 1);
    this.renew(viewer)
      .then(() => this.stopReplying(viewer))
      .catch(() => undefined);
    return () => {
      const left = this.pages.get(key)! - 1;
      this.pages.set(key, left);
      if (left > 0) return;
      this.pages.delete(key);
      this.leave(viewer).catch(() => undefined);
    };
  }

  async renew({ accountId, agentId, ticket }: TicketViewer): Promise<void> {
    const now = this.clock.now();
    await this.database.account(accountId).rows(ENTER_PRESENCE, [ticket, agentId, later(now, VIEWING_MS), now]);
  }

  startReplying(viewer: TicketViewer): Promise<void> {
    return this.setReplying(viewer, this.clock.in(REPLYING_MS));
  }

  stopReplying(viewer: TicketViewer): Promise<void> {
    return this.setReplying(viewer, null);
  }

  async others({ accountId, agentId, ticket }: TicketViewer): Promise<PresentAgent[]> {
    const present = this.database.account(accountId).rows<PresentAgent>(LIST_PRESENCES, [ticket, this.clock.now()]);
    return (await present).filter((one) => one.agentId !== agentId);
  }

  private async leave({ accountId, agentId, ticket }: TicketViewer): Promise<void> {
    await this.database.account(accountId).rows(LEAVE_PRESENCE, [ticket, agentId]);
    this.bell.ring(accountId);
  }

  private async setReplying({ accountId, agentId, ticket }: TicketViewer, until: Date | null): Promise<void> {
    await this.database.account(accountId).rows(SET_REPLYING, [ticket, agentId, until]);
    this.bell.ring(accountId);
  }
}
