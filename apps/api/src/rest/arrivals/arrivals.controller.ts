import { ArrivalsService, MailboxesService } from '#libs/desk';
import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiOperation } from '../../http/api-operation.decorator.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { AcceptsMail, mailIn } from '../../http/raw-mail.js';
import { Caller } from '../../oauth/caller.js';

@Controller('v1')
export class ArrivalsController {
  constructor(
    private readonly arrivals: ArrivalsService,
    private readonly mailboxes: MailboxesService,
  ) {}

  @Post('mailboxes/:id/raw')
  @AcceptsMail()
  @ApiOperation('Hand over a mail that came for a mailbox', {
    mail: true,
    accepted: ['arrival', 'Arrival'],
    emits: ['customer_added', 'ticket_started', 'customer_replied'],
  })
  async accept(
    @Caller() caller: Caller,
    @Param('id', new IdentifierPipe('mailbox')) id: string,
    @Req() request: FastifyRequest,
  ) {
    const mailbox = await this.mailboxes.read(caller, id);
    const mail = { source: 'api', envelopeFrom: null, envelopeTo: null, content: mailIn(request) } as const;
    return this.arrivals.accept(mailbox, mail);
  }

  @Get('arrivals/:id')
  @ApiOperation('Read what became of a mail', { record: ['arrival', 'Arrival'] })
  read(@Caller() caller: Caller, @Param('id', new IdentifierPipe('arrival')) id: string) {
    return this.arrivals.read(caller, id);
  }
}
