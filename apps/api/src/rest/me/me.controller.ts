import { AgentsService } from '#libs/desk';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../../http/api-operation.decorator.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1/me')
@Scopes()
export class MeController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @ApiOperation('Read the agent whose token this is', { record: ['agent', 'Agent'] })
  read(@Caller() caller: Caller) {
    return this.agents.read(caller, caller.agentId);
  }
}
