import { Links, RECORDS, objectOf, ref } from '#libs/payloads';
import { AgentsService } from '#libs/tickets';
import { Controller, Get } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { Scopes } from '../oauth/required-scopes.js';
import { Caller } from '../edge/caller.js';

const ME = objectOf({ agent: ref('Agent'), account: objectOf({ id: { type: 'string' }, name: { type: 'string' } }) });

@Controller('v1/me')
@Scopes()
export class MeController {
  constructor(
    private readonly agents: AgentsService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('Read the agent whose token this is, and the account', { responseSchema: ME })
  async read(@Caller() caller: Caller) {
    const { agent, account } = await this.agents.me(caller);
    return { agent: RECORDS.Agent(agent, this.links), account };
  }
}
