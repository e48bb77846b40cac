import { DomainError } from '#libs/entities';
import { Links, RECORDS, ref } from '#libs/payloads';
import { type TicketValues, TriageService } from '#libs/tickets';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation } from '../edge/api-operation.decorator.js';
import { toHttpProblem } from '../edge/error-mapping.js';
import { Caller } from '../edge/caller.js';
import { TicketBatchDto } from './change-ticket.dto.js';
import { ANY_PART_EVENTS } from './part-events.js';

const RESULT = {
  type: 'object',
  properties: {
    number: { type: 'integer' },
    status: { type: 'integer', description: 'As PATCH of this ticket alone would answer.' },
    ticket: ref('Ticket'),
    error: { type: 'string', description: 'Instead of the ticket, where it could not be changed.' },
    detail: { type: 'string' },
  },
  required: ['number', 'status'],
};

@Controller('v1/tickets/batch')
export class TicketBatchController {
  constructor(
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation('Change several tickets in the same way', {
    responseSchema: {
      type: 'object',
      properties: { results: { type: 'array', items: RESULT } },
      required: ['results'],
    },
    emits: ANY_PART_EVENTS,
  })
  async change(@Caller() caller: Caller, @Body() dto: TicketBatchDto) {
    const results: object[] = [];
    // One after the other: each locks its ticket, and the database has others to serve.
    for (const number of new Set(dto.numbers)) results.push(await this.changeOne(caller, number, dto.toInput()));
    return { results };
  }

  private async changeOne(caller: Caller, number: number, wanted: TicketValues): Promise<object> {
    try {
      const ticket = await this.triage.change(caller, number, wanted);
      return { number, status: 200, ticket: RECORDS.Ticket(ticket, this.links) };
    } catch (refusal) {
      if (!(refusal instanceof DomainError)) throw refusal;
      const { status, error, detail } = toHttpProblem(refusal);
      return { number, status, error, detail };
    }
  }
}
