import { ReplaysService } from '#libs/webhooks';
import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation } from '../../http/api-operation.decorator.js';
import { Scopes } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1/replays')
@Scopes('webhooks', 'admin')
export class ReplaysController {
  constructor(private readonly replays: ReplaysService) {}

  @Get(':id')
  @ApiOperation('See how far a replay is', { record: ['replay', 'Replay'] })
  read(@Caller() caller: Caller, @Param('id') id: string) {
    return this.replays.read(caller, id);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation('Cancel a replay; what is on its way already still goes out', { record: ['replay', 'Replay'] })
  cancel(@Caller() caller: Caller, @Param('id') id: string) {
    return this.replays.cancel(caller, id);
  }
}
