import { AgentsService } from '#libs/desk';
import { Links, agentPayload } from '#libs/payloads';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1/me')
@Scopes()
export class MeController {
  constructor(
    private readonly agents: AgentsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('Read the agent whose token this is', { record: ['agent', 'Agent'] })
  async read(@Caller() caller: Caller) {
    return { agent: agentPayload(await this.agents.read(caller, caller.agentId), this.links) };
  }
}
