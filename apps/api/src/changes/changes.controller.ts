import { type CopiedKind, READING_SCOPES, type Scope, requireScopes } from '#libs/entities';
import { ChangesService } from '#libs/tickets';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller, Exchange } from '../layers/edge/caller.js';
import { LongPollsService } from '../layers/live/long-polls.service.js';
import { Scopes, ScopesCheckedByHandler } from '../layers/oauth/required-scopes.js';
import { ChangesQueryDto } from './changes.dto.js';

const SCOPE_OF = {
  agent: 'people:read',
  group: 'people:read',
  mailbox: 'people:read',
  customer: 'customers:read',
  ticket: 'tickets:read',
  message: 'tickets:read',
  attachment: 'tickets:read',
} as const satisfies Record<CopiedKind, Scope>;

@Controller('v1/changes')
@Scopes(...READING_SCOPES)
@ScopesCheckedByHandler()
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
  listChanges(@Caller() caller: Caller, @Query() query: ChangesQueryDto, @Exchange() exchange: Exchange) {
    const wanted = query.toQuery();
    requireScopes(caller.scopes, wanted.kinds?.map((kind) => SCOPE_OF[kind]) ?? READING_SCOPES);
    const load = (cursor?: string) => this.changes.page(caller.accountId, { ...wanted, cursor });
    return this.polls.page(caller, { topic: { kind: 'changes' }, query: wanted, load }, exchange);
  }
}
