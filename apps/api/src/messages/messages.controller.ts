import { CustomerMailsService, MessagesService } from '#libs/tickets';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller } from '../layers/edge/caller.js';
import { IdentifierPipe, TicketNumberPipe } from '../layers/edge/path-parameter.pipes.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';
import { CheckedInTransaction } from '../layers/oauth/bearer.guard.js';
import { importedOf } from '../layers/oauth/imports.js';
import { ScopesByMethod, withReadableTags } from '../layers/oauth/required-scopes.js';
import { CreateMessageDto, UpdatedMessagesQueryDto } from './messages.dto.js';

@Controller('v1')
@ScopesByMethod('tickets:read', 'messages:write')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly mails: CustomerMailsService,
  ) {}

  @Get('tickets/:number/messages')
  @ApiOperation('List a ticket’s messages, oldest first', { list: ['messages', 'Message'] })
  listTicketMessages(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Query() query: PageQueryDto,
  ) {
    return this.messages.list(caller, number, query.toQuery());
  }

  @Post('tickets/:number/messages')
  @ApiOperation('Add a message or an internal note to a ticket', {
    created: ['message', 'Message'],
    emits: ['customer_added', 'customer_replied', 'agent_replied', 'note_added', 'ticket_opened'],
  })
  @CheckedInTransaction()
  postMessage(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Body() dto: CreateMessageDto,
  ) {
    const imported = importedOf(dto, caller);
    return this.messages.post(withReadableTags(caller), number, { ...dto.toInput(), imported });
  }

  @Get('messages')
  @ApiOperation('List messages of all tickets, least recently updated first', { list: ['messages', 'Message'] })
  listMessages(@Caller() caller: Caller, @Query() query: UpdatedMessagesQueryDto) {
    return this.messages.listUpdated(caller, query.toQuery());
  }

  @Get('messages/:id')
  @ApiOperation('Read a message', { record: ['message', 'Message'] })
  readMessage(@Caller() caller: Caller, @Param('id', new IdentifierPipe('message')) id: string) {
    return this.messages.read(caller, id);
  }
  @Post('messages/:id/send_again')
  @ApiOperation('Resend the email of a message if it failed or was not confirmed', {
    record: ['message', 'Message'],
    conflicts: ['not_sent_again'],
  })
  resendMessage(@Caller() caller: Caller, @Param('id', new IdentifierPipe('message')) id: string) {
    return this.mails.sendAgain(withReadableTags(caller), id);
  }
}
