import { InboundMailService, QuarantineService, MailboxesService } from '#libs/mailboxes';
import { requireManager } from '#libs/tickets';
import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { AcceptsMail, mailIn } from '../layers/edge/raw-mail.js';
import { Caller } from '../layers/edge/caller.js';
import { ScopesByMethod } from '../layers/oauth/required-scopes.js';
import { ArrivalsQueryDto } from './arrivals.dto.js';

const ID = new IdentifierPipe('arrival');

@Controller('v1')
@ScopesByMethod('tickets:read', 'tickets:write')
export class ArrivalsController {
  constructor(
    private readonly arrivals: InboundMailService,
    private readonly mailboxes: MailboxesService,
    private readonly quarantine: QuarantineService,
  ) {}

  /** Its headers can name any sender, and prove it as the mailbox’s server would. */
  @Post('mailboxes/:id/raw')
  @AcceptsMail()
  @ApiOperation('Deliver a raw email to a mailbox', {
    mail: true,
    accepted: ['arrival', 'Arrival'],
    emits: ['customer_added', 'ticket_started', 'customer_replied'],
  })
  async deliverEmail(
    @Caller() caller: Caller,
    @Param('id', new IdentifierPipe('mailbox')) id: string,
    @Req() request: FastifyRequest,
  ) {
    requireManager(caller);
    const mailbox = await this.mailboxes.read(caller, id);
    const mail = { source: 'api', envelopeFrom: null, envelopeTo: null, content: mailIn(request) } as const;
    return this.arrivals.accept(mailbox, mail);
  }

  @Get('arrivals')
  @ApiOperation('List quarantined emails, or those in another state, newest first', { list: ['arrivals', 'Arrival'] })
  listArrivals(@Caller() caller: Caller, @Query() query: ArrivalsQueryDto) {
    return this.quarantine.list(caller, query.toQuery());
  }

  @Get('arrivals/:id')
  @ApiOperation('Read the state of an inbound email', { record: ['arrival', 'Arrival'] })
  readArrival(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.arrivals.read(caller, id);
  }

  @Post('arrivals/:id/release')
  @ApiOperation('Release an email from quarantine', {
    accepted: ['arrival', 'Arrival'],
    conflicts: ['mail_not_quarantined'],
    emits: ['customer_added', 'ticket_started', 'customer_replied'],
  })
  releaseArrival(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.quarantine.release(caller, id);
  }

  @Post('arrivals/:id/discard')
  @ApiOperation('Discard a quarantined email', { record: ['arrival', 'Arrival'], conflicts: ['mail_not_quarantined'] })
  discardArrival(@Caller() caller: Caller, @Param('id', ID) id: string) {
    return this.quarantine.discard(caller, id);
  }
}
