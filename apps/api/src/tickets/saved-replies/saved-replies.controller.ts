import { SavedRepliesService } from '#libs/tickets';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../../layers/edge/api-operation.decorator.js';
import { Caller } from '../../layers/edge/caller.js';
import { PageQueryDto } from '../../layers/edge/page-query.dto.js';
import { IdentifierPipe } from '../../layers/edge/path-parameter.pipes.js';
import { Scopes } from '../../layers/oauth/required-scopes.js';
import { ChangeSavedReplyDto, CreateSavedReplyDto } from './saved-replies.dto.js';

const ID = new IdentifierPipe('saved_reply');
const REPLY = ['saved_reply', 'SavedReply'] as const;
const conflicts = ['saved_reply_exists'];

@Controller('v1/saved_replies')
@Scopes('messages:write')
export class SavedRepliesController {
  constructor(private readonly replies: SavedRepliesService) {}

  @Get()
  @ApiOperation('List saved replies, by name', { list: ['saved_replies', 'SavedReply'] })
  listSavedReplies(@Caller() caller: Caller, @Query() query: PageQueryDto) {
    return this.replies.list(caller, query.toQuery());
  }

  @Post()
  @ApiOperation('Add a saved reply', { created: REPLY, conflicts })
  createSavedReply(@Caller() caller: Caller, @Body() dto: CreateSavedReplyDto) {
    return this.replies.save(caller, null, dto);
  }

  @Get(':id')
  @ApiOperation('Read a saved reply', { record: REPLY })
  readSavedReply(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.replies.read(caller, id);
  }

  @Patch(':id')
  @ApiOperation('Change a saved reply', { record: REPLY, conflicts })
  changeSavedReply(@Caller() caller: Caller, @Param('id', ID) id: string, @Body() dto: ChangeSavedReplyDto) {
    return this.replies.save(caller, id, dto);
  }

  @Delete(':id')
  @ApiOperation('Delete a saved reply')
  async deleteSavedReply(@Caller() caller: Caller, @Param('id', ID) id: string): Promise<void> {
    await this.replies.remove(caller, id);
  }
}
