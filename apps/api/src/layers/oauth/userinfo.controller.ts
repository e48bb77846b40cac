import { AgentsService } from '#libs/tickets';
import { Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { Caller } from '../edge/caller.js';
import { agentName } from '../ui/agent-name.js';
import { Scopes } from './required-scopes.js';

/** OpenID Connect Core, section 5.3. */
@Controller('oauth/userinfo')
@Scopes()
export class UserinfoController {
  constructor(private readonly agents: AgentsService) {}

  @Get()
  @Header('cache-control', 'no-store')
  async read(@Caller() caller: Caller) {
    const { agent, account } = await this.agents.me(caller);
    return { sub: agent.id, email: agent.email, name: agentName(agent), account };
  }

  @Post()
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  readByPost(@Caller() caller: Caller) {
    return this.read(caller);
  }
}
