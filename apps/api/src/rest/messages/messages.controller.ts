import { MessagesService } from '#libs/desk';
import { type Message } from '#libs/entities';
import { Links, messagePayload } from '#libs/payloads';
import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { Created, Listed } from '../../http/answers.js';
import { NamePipe } from '../../http/name.pipe.js';
import { PageQueryDto } from '../../http/page-query.dto.js';
import { BearerGuard } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { TicketNumberPipe } from '../tickets/ticket-number.pipe.js';
import { CreateMessageDto } from './dto/create-message.dto.js';

@Controller('v1')
@UseGuards(BearerGuard)
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly links: Links,
  ) {}

  @Get('tickets/:number/messages')
  @Describe('List a ticket’s messages, oldest first', { list: ['messages', 'Message'] })
  async list(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Query() query: PageQueryDto,
  ) {
    return new Listed('messages', await this.messages.list(caller, number, query.wanted()), this.payload);
  }

  @Post('tickets/:number/messages')
  @Describe('Add a message or an internal note to a ticket', {
    created: ['message', 'Message'],
    emits: ['customer_added', 'customer_replied', 'agent_replied', 'note_added', 'ticket_opened'],
  })
  async post(
    @Caller() caller: Caller,
    @Param('number', TicketNumberPipe) number: number,
    @Body() dto: CreateMessageDto,
  ) {
    const message = await this.messages.post(caller, number, dto.wanted());
    return new Created(this.links.message(message.id), this.present(message));
  }

  @Get('messages/:id')
  @Describe('Read a message', { one: ['message', 'Message'] })
  async read(@Caller() caller: Caller, @Param('id', new NamePipe('message')) id: string) {
    return this.present(await this.messages.read(caller, id));
  }

  private readonly payload = (message: Message) => messagePayload(message, this.links);
  private readonly present = (message: Message) => ({ message: this.payload(message) });
}
