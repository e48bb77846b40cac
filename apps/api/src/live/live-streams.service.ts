import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type BeforeApplicationShutdown, HttpException, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { stopCountingAsOpen } from '../edge/address-limits.js';
import { RefusalCounter } from '../edge/refusal-counter.js';
import type { Me } from '../sign-in/session.guard.js';
import type { LiveStream } from './live-stream.js';
import { LiveUpdatesService } from './live-updates.service.js';
import { PageViewersService } from './page-viewers.service.js';
import { HEARTBEAT_MS, StreamHeartbeatService } from './stream-heartbeat.service.js';
import { StreamSeats } from './stream-seats.js';
import { parseTopics } from './topic.js';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
  // Without it, nginx would buffer the events.
  'x-accel-buffering': 'no',
} as const;

/** Tells a page that another one has taken its place, and that it should look by itself for a while. */
const REPLACED = 'event: replaced\ndata: another page\n\n';

export interface WantedStream {
  readonly watch: string;
  /** The version that the page was drawn from, or that its last stream told. */
  readonly seen: string | undefined;
}

/** Server-sent events for open pages. They say that something changed; the page then loads what it may see. */
@Injectable()
export class LiveStreamsService implements BeforeApplicationShutdown {
  private readonly streams = new Set<LiveStream>();
  private readonly seats: StreamSeats<LiveStream>;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly updates: LiveUpdatesService,
    private readonly viewers: PageViewersService,
    private readonly heartbeat: StreamHeartbeatService,
    private readonly refusals: RefusalCounter,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    const { LIVE_STREAMS_PER_AGENT: perAgent, LIVE_STREAMS_PER_ACCOUNT: perAccount } = settings;
    this.seats = new StreamSeats({ perAgent, perAccount });
    updates.onSessionEnded((sessionId) => this.closeOf(sessionId));
  }

  /** Decides in one go, so that streams that are opened at once are counted as well. */
  open(me: Me, { watch, seen }: WantedStream, reply: FastifyReply): void {
    // Who left while the session was looked up will not close again.
    if (reply.raw.destroyed) return void reply.hijack();
    if (reply.request.method === 'HEAD') return answerHead(reply);
    const { accountId, agentId } = me;
    const topics = parseTopics(watch);
    const ticket = topics.find((topic) => topic.kind === 'presence')?.number;
    const viewer = ticket === undefined ? undefined : { accountId, agentId, ticket };
    const stream: LiveStream = { accountId, agentId, me, raw: reply.raw, viewer };
    this.seat(stream);
    this.begin(stream, reply);
    const tell = (kind: string, version: string): unknown =>
      stream.raw.write(`id: ${version}\nevent: changed\ndata: ${kind}\n\n`);
    const ends = [this.updates.watch(accountId, { topics, seen, tell }), this.viewers.enter(viewer)];
    stream.raw.on('close', () => {
      this.streams.delete(stream);
      this.seats.leave(stream);
      for (const end of ends) end();
    });
  }

  /** The server waits for open responses, and streams never end by themselves. Browsers connect again. */
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    for (const { raw } of this.streams) raw.end();
  }

  private closeOf(sessionId: string): void {
    if (sessionId === '') void this.heartbeat.beat([...this.streams]);
    for (const { me, raw } of this.streams) if (me.sessionId === sessionId) raw.end();
  }

  private seat(stream: LiveStream): void {
    const seating = this.seats.take(stream);
    if (!seating.seated) {
      this.refusals.count('live_streams');
      throw tooManyStreams();
    }
    if (!seating.unseated) return;
    this.refusals.count('live_streams');
    seating.unseated.raw.end(REPLACED);
  }

  private begin(stream: LiveStream, reply: FastifyReply): void {
    reply.hijack();
    stopCountingAsOpen(reply.request.raw);
    stream.raw.writeHead(200, HEADERS);
    stream.raw.write('retry: 2000\n\n');
    this.streams.add(stream);
    this.timer ??= setInterval(() => void this.heartbeat.beat([...this.streams]), HEARTBEAT_MS).unref();
  }
}

/** Node sends no head before the end of an answer that has no body, and this one has no end. */
function answerHead(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, HEADERS).end();
}

function tooManyStreams(): HttpException {
  const detail = 'Too many pages of this account hear of changes at once. This page looks by itself.';
  return new HttpException({ error: 'too_many_streams', detail, headers: { 'retry-after': '60' } }, 429);
}
