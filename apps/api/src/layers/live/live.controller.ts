import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { SignedIn } from '../edge/caller.js';
import { Me } from '../sign-in/me.decorator.js';
import { TicketNumberPipe } from '../edge/path-parameter.pipes.js';
import { LiveStreamsService } from './live-streams.service.js';
import { PresencesService } from './presences.service.js';

@Controller('live')
@SignedIn()
export class LiveController {
  constructor(
    private readonly streams: LiveStreamsService,
    private readonly presences: PresencesService,
  ) {}

  @Get()
  listen(
    @Me() me: Me,
    @Query() { watch, seen }: Readonly<Record<string, unknown>>,
    @Headers('last-event-id') lastSeen: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    this.streams.open(me, { watch: textOf(watch) ?? '', seen: lastSeen ?? textOf(seen) }, reply);
  }

  @Post('replying/:ticket')
  @HttpCode(204)
  replying(@Me() me: Me, @Param('ticket', TicketNumberPipe) ticket: number): Promise<void> {
    return this.presences.startReplying({ ...me, ticket });
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
