import { COPIED_KINDS, type CopiedKind, READING_SCOPES, type Scope } from '#libs/entities';
import { ChangesService } from '#libs/tickets';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller, Exchange } from '../layers/edge/caller.js';
import { splitFilter } from '../layers/edge/field-decorators.js';
import { LongPollsService } from '../layers/live/long-polls.service.js';
import { ScopesByQuery } from '../layers/oauth/required-scopes.js';
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

const isKind = (type: unknown): type is CopiedKind => COPIED_KINDS.some((kind) => kind === type);

function scopesOfTypes({ type }: { readonly type?: unknown }): Scope[] | undefined {
  const types = splitFilter({ value: type });
  return Array.isArray(types) && types.every(isKind) ? types.map((kind) => SCOPE_OF[kind]) : undefined;
}

@Controller('v1/changes')
@ScopesByQuery(READING_SCOPES, scopesOfTypes)
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
    const load = (cursor?: string) => this.changes.page(caller.accountId, { ...wanted, cursor });
    return this.polls.page(caller, { topic: { kind: 'changes' }, query: wanted, load }, exchange);
  }
}
