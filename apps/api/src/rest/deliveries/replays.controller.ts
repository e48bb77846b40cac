import { Links, replayPayload } from '#libs/payloads';
import { ReplaysService } from '#libs/webhooks';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1/replays')
@Scopes('webhooks', 'admin')
export class ReplaysController {
  constructor(
    private readonly replays: ReplaysService,
    private readonly links: Links,
  ) {}

  @Get(':id')
  @ApiOperation('See how far a replay is', { record: ['replay', 'Replay'] })
  async read(@Caller() caller: Caller, @Param('id') id: string) {
    return { replay: replayPayload(await this.replays.read(caller, id), this.links) };
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation('Cancel a replay; what is on its way already still goes out', { record: ['replay', 'Replay'] })
  async cancel(@Caller() caller: Caller, @Param('id') id: string) {
    return { replay: replayPayload(await this.replays.cancel(caller, id), this.links) };
  }
}
