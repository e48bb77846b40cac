import { SessionsService } from '#libs/access';
import { Injectable } from '@nestjs/common';
import type { LiveStream } from './live-stream.js';
import { PresencesService, type TicketViewer } from './presences.service.js';

/** Proxies close silent connections. The session and the presence are renewed as often. */
export const HEARTBEAT_MS = 10_000;

/** Asks the database once for each session and each ticket that an agent has open, however many streams there are. */
@Injectable()
export class StreamHeartbeatService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly presences: PresencesService,
  ) {}

  async beat(streams: readonly LiveStream[]): Promise<void> {
    const sessions = grouped(streams, ({ me }) => me.secret);
    await Promise.all([...sessions.values()].map((each) => this.checkSession(each)));
    const open = streams.filter(({ raw }) => !raw.writableEnded).flatMap(({ viewer }) => viewer ?? []);
    const viewers = grouped(open, viewerKey);
    await Promise.all([...viewers.values()].map(([viewer]) => this.presences.enter(viewer!).catch(noop)));
  }

  /** Ends the streams of an agent who was signed out or archived, if nobody said so. */
  private async checkSession(streams: readonly LiveStream[]): Promise<void> {
    const found = await this.sessions.find(streams[0]!.me.secret).catch(noop);
    for (const { raw } of streams) {
      if (found && !found.owesTwoFactor) raw.write(': still here\n\n');
      else raw.end();
    }
  }
}

export const viewerKey = ({ accountId, agentId, ticket }: TicketViewer): string => `${accountId} ${agentId} ${ticket}`;

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

const noop = (): undefined => undefined;
