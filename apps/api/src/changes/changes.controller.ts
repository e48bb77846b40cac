import { READING_SCOPES } from '#libs/entities';
import { ChangesService } from '#libs/tickets';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller, Exchange } from '../layers/edge/caller.js';
import { LongPollsService } from '../layers/live/long-polls.service.js';
import { Scopes } from '../layers/oauth/required-scopes.js';
import { ChangesQueryDto } from './changes.dto.js';

@Controller('v1/changes')
@Scopes(...READING_SCOPES)
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly polls: LongPollsService,
  ) {}

  @Get()
  @ApiOperation('Copy all records, then follow changes', {
    feed: ['changes', 'Change'],
    conflicts: ['cursor_of_another_history'],
  })
  list(@Caller() caller: Caller, @Query() query: ChangesQueryDto, @Exchange() exchange: Exchange) {
    const wanted = query.toQuery();
    const load = (cursor?: string) => this.changes.page(caller.accountId, { ...wanted, cursor });
    return this.polls.page(caller, { topic: { kind: 'changes' }, query: wanted, load }, exchange);
  }
}
