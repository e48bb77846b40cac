import { SessionsService } from '#libs/access';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Me } from '../../sign-in/session.guard.js';
import { LiveUpdates } from './live-updates.js';
import { Presences } from './presences.js';
import { parseTopics } from './topics.js';

/** Proxies close silent connections. The session and the presence are renewed as often. */
const HEARTBEAT_MS = 10_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
  // Without it, nginx would buffer the events.
  'x-accel-buffering': 'no',
} as const;

/** Server-sent events for open pages. They say that something changed; the page then loads what it may see. */
@Injectable()
export class LiveStreams implements BeforeApplicationShutdown {
  private readonly streams = new Set<FastifyReply['raw']>();

  constructor(
    private readonly updates: LiveUpdates,
    private readonly presences: Presences,
    private readonly sessions: SessionsService,
  ) {}

  open(me: Me, watch: string, reply: FastifyReply): void {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, HEADERS);
    raw.write('retry: 2000\n\n');
    this.streams.add(raw);
    const topics = parseTopics(watch);
    const ends = topics.map((topic) =>
      this.updates.watch(me.accountId, topic, ({ kind }) => raw.write(`event: changed\ndata: ${kind}\n\n`)),
    );
    const ticket = topics.find((topic) => topic.kind === 'presence')?.number;
    ends.push(this.startHeartbeat(me, reply), ticket === undefined ? noop : this.keepPresent({ ...me, ticket }));
    raw.on('close', () => {
      this.streams.delete(raw);
      for (const end of ends) end();
    });
  }

  /** The server waits for open responses, and streams never end by themselves. Browsers connect again. */
  beforeApplicationShutdown(): void {
    for (const raw of this.streams) raw.end();
  }

  /** Ends the stream of an agent who was signed out or archived. */
  private startHeartbeat(me: Me, { raw }: FastifyReply): () => void {
    const timer = setInterval(() => {
      this.sessions.find(me.secret).then(
        (found) => (found ? raw.write(': still here\n\n') : raw.end()),
        () => raw.end(),
      );
    }, HEARTBEAT_MS);
    return () => clearInterval(timer);
  }

  private keepPresent(viewer: Me & { ticket: number }): () => void {
    const enter = (): unknown => this.presences.enter(viewer).catch(noop);
    void this.presences.enter(viewer).then(() => this.presences.stopReplying(viewer), noop);
    const timer = setInterval(enter, HEARTBEAT_MS);
    return () => {
      clearInterval(timer);
      this.presences.leave(viewer).catch(noop);
    };
  }
}

const noop = (): void => undefined;
