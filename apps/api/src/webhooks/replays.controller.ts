import { Links } from '#libs/payloads';
import { ReplayStartsService, ReplaysService } from '#libs/webhooks';
import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { PageQueryDto } from '../edge/page-query.dto.js';
import { RevealsRecords, Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';
import { ReplaysDto } from './webhooks.dto.js';

@Controller('v1/replays')
@Scopes('webhooks', 'admin')
export class ReplaysController {
  constructor(
    private readonly replays: ReplaysService,
    private readonly starts: ReplayStartsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List the replays of all webhooks, newest first', { list: ['replays', 'Replay'] })
  list(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return this.replays.list(caller, null, query.toQuery());
  }

  @Post()
  @RevealsRecords()
  @ApiOperation('Replay deliveries of all webhooks in the background: one replay per webhook', {
    createdAll: ['replays', 'Replay'],
  })
  async start(@Caller() caller: Caller, @Body() dto: ReplaysDto, @Res({ passthrough: true }) reply: FastifyReply) {
    const { replays } = await this.starts.startEach(caller, null, dto.toInput());
    void reply.header('location', this.links.replays());
    return replays;
  }

  @Get('preview')
  @ApiOperation('Preview replays of all webhooks without sending anything', {
    record: ['preview', 'ReplayPreview'],
  })
  preview(@Caller() caller: Caller, @Query() query: ReplaysDto) {
    return this.starts.preview(caller, null, query.toInput());
  }

  @Get(':id')
  @ApiOperation('Read the progress of a replay', { record: ['replay', 'Replay'] })
  read(@Caller() caller: Caller, @Param('id') id: string) {
    return this.replays.read(caller, id);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation('Cancel a replay; deliveries already in the queue are still sent', { record: ['replay', 'Replay'] })
  cancel(@Caller() caller: Caller, @Param('id') id: string) {
    return this.replays.cancel(caller, id);
  }
}
