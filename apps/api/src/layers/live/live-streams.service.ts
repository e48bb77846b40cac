import type { ServerResponse } from 'node:http';
import { SessionsService } from '#libs/access';
import { TooMany } from '#libs/entities';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { stopCountingAsOpen } from '../edge/address-limits.js';
import { RefusalCounter } from '../edge/refusal-counter.js';
import type { Me } from '../sign-in/me.decorator.js';
import { LiveUpdatesService } from './live-updates.service.js';
import { PresencesService, type TicketViewer, viewerKey } from './presences.service.js';
import { type Seat, StreamSeats, groupBy } from './stream-seats.js';
import { parseTopics } from './topics.service.js';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
  // Without this header, nginx buffers the events.
  'x-accel-buffering': 'no',
} as const;

/** Tells a page that another one took its place. The script then polls instead of reconnecting. */
const REPLACED = 'event: replaced\ndata: another page\n\n';

const TOO_MANY_STREAMS = 'Too many pages of this account are open. This page refreshes itself without live updates.';

/** Proxies close silent connections. Sessions and presences are renewed as often. */
const HEARTBEAT_MS = 10_000;

interface LiveStream extends Seat {
  readonly me: Me;
  readonly raw: ServerResponse;
  readonly viewer: TicketViewer | undefined;
}

/** Server-sent events for open pages. They carry no content: the page loads what it may see. */
@Injectable()
export class LiveStreamsService implements BeforeApplicationShutdown {
  private readonly streams = new Set<LiveStream>();
  private readonly seats: StreamSeats<LiveStream>;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly updates: LiveUpdatesService,
    private readonly presences: PresencesService,
    private readonly sessions: SessionsService,
    private readonly refusals: RefusalCounter,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    const { LIVE_STREAMS_PER_AGENT: perAgent, LIVE_STREAMS_PER_ACCOUNT: perAccount } = settings;
    this.seats = new StreamSeats({ perAgent, perAccount });
    updates.onAccessEnded((id) => this.endSession(id));
  }

  /** Synchronous, so that streams that are opened in parallel are counted. `seen` is the version that the page shows. */
  open(me: Me, { watch, seen }: { watch: string; seen: string | undefined }, reply: FastifyReply): void {
    // A client that left during the session lookup emits no further close event.
    if (reply.raw.destroyed) return void reply.hijack();
    if (reply.request.method === 'HEAD') return answerHead(reply);
    const { accountId, agentId } = me;
    const topics = parseTopics(watch);
    const ticket = topics.find((topic) => topic.kind === 'presence')?.number;
    const viewer = ticket === undefined ? undefined : { accountId, agentId, ticket };
    const stream: LiveStream = { accountId, agentId, me, raw: reply.raw, viewer };
    this.seat(stream);
    this.begin(stream, reply);
    const notify = (kind: string, version: string): unknown =>
      stream.raw.write(`id: ${version}\nevent: changed\ndata: ${kind}\n\n`);
    const stopWatching = this.updates.watch(accountId, { topics, seen, notify });
    const leaveTicket = viewer && this.presences.openPage(viewer);
    stream.raw.on('close', () => {
      this.streams.delete(stream);
      this.seats.leave(stream);
      stopWatching();
      leaveTicket?.();
    });
  }

  /** The server waits for open responses, and streams do not end on their own. Browsers reconnect. */
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    for (const { raw } of this.streams) raw.end();
  }

  private endSession(sessionId: string): void {
    if (sessionId === '') void this.beat();
    for (const { me, raw } of this.streams) if (me.sessionId === sessionId) raw.end();
  }

  private async beat(): Promise<void> {
    await Promise.all(groupBy(this.streams, ({ me }) => me.secret).map((streams) => this.checkSession(streams)));
    const open = [...this.streams].filter(({ raw }) => !raw.writableEnded).flatMap(({ viewer }) => viewer ?? []);
    const viewers = new Map(open.map((viewer) => [viewerKey(viewer), viewer]));
    await Promise.all([...viewers.values()].map((viewer) => this.presences.renew(viewer).catch(() => undefined)));
  }

  /** Ends the streams of an agent who was signed out or archived, even if the notification was missed. */
  private async checkSession(streams: readonly LiveStream[]): Promise<void> {
    const session = await this.sessions.find(streams[0]!.me.secret).catch(() => undefined);
    for (const { raw } of streams) {
      if (session && !session.owesTwoFactor) raw.write(': still here\n\n');
      else raw.end();
    }
  }

  private seat(stream: LiveStream): void {
    const { seated, unseated } = this.seats.take(stream);
    if (!seated || unseated) this.refusals.count('live_streams');
    if (!seated) throw new TooMany('too_many_streams', TOO_MANY_STREAMS, 60);
    unseated?.raw.end(REPLACED);
  }

  private begin(stream: LiveStream, reply: FastifyReply): void {
    reply.hijack();
    stopCountingAsOpen(reply.request.raw);
    stream.raw.writeHead(200, HEADERS);
    stream.raw.write('retry: 2000\n\n');
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
  }
}

/** A HEAD response has no body that could send its headers, and a stream does not end. */
function answerHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, HEADERS).end();
}
