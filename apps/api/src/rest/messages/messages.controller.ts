import { MessagesService } from '#libs/desk';
import { type Message } from '#libs/entities';
import { Links, messagePayload } from '#libs/payloads';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { PageQueryDto } from '../../http/page-query.dto.js';
import { Caller } from '../../oauth/caller.js';
import { TicketNumberPipe } from '../tickets/ticket-number.pipe.js';
import { CreateMessageDto } from './dto/create-message.dto.js';

@Controller('v1')
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly links: Links,
  ) {}

  @Get('tickets/:number/messages')
  @ApiOperation('List a ticket’s messages, oldest first', { list: ['messages', 'Message'] })
  async list(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Query() query: PageQueryDto,
  ) {
    return new ListResponse('messages', await this.messages.list(caller, number, query.toQuery()), this.payload);
  }

  @Post('tickets/:number/messages')
  @ApiOperation('Add a message or an internal note to a ticket', {
    created: ['message', 'Message'],
    emits: ['customer_added', 'customer_replied', 'agent_replied', 'note_added', 'ticket_opened'],
  })
  async post(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Body() dto: CreateMessageDto,
  ) {
    const message = await this.messages.post(caller, number, dto.toInput());
    return new CreatedResponse(this.links.record('messages', message.id), this.present(message));
  }

  @Get('messages/:id')
  @ApiOperation('Read a message', { record: ['message', 'Message'] })
  async read(@Caller() caller: Caller, @Param('id', new IdentifierPipe('message')) id: string) {
    return this.present(await this.messages.read(caller, id));
  }

  private readonly payload = (message: Message) => messagePayload(message, this.links);
  private readonly present = (message: Message) => ({ message: this.payload(message) });
}
