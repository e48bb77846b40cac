import { Links } from '#libs/payloads';
import { MessagesService, type TicketQuery, TicketsService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../layers/edge/caller.js';
import { TicketsQueryDto } from '../tickets/index.js';
import { ReadTicketDto } from './mcp.dto.js';
import { THREAD_OUTPUT, TICKETS_OUTPUT, assistantMessage, assistantTicket } from './mcp.payload.js';
import { type Tool, defineTool } from './tool.js';

const READING = { scopes: ['tickets:read'], annotations: { readOnlyHint: true, openWorldHint: false } } as const;

const MAX_RECORDS = 20;
const FIRST_OR_CURSOR = { page: 1, perPage: MAX_RECORDS };

@Injectable()
export class ReadingTools {
  readonly all: readonly Tool[] = [
    defineTool({
      name: 'search_tickets',
      title: 'Search tickets',
      description: `Finds tickets by words and filters, ${MAX_RECORDS} at a time, most recently changed first.`,
      ...READING,
      input: TicketsQueryDto,
      takes: [
        'q',
        'state',
        'assignee',
        'assigned_group',
        'customer',
        'mailbox',
        'tag',
        'priority',
        'created_since',
        'updated_since',
        'cursor',
      ],
      output: TICKETS_OUTPUT,
      run: (caller, input) => this.list(caller, { ...input.toQuery(), sort: '-updated_at' }),
    }),
    defineTool({
      name: 'list_waiting',
      title: 'List waiting tickets',
      description: `Lists open tickets that wait for a reply, ${MAX_RECORDS} at a time, oldest first.`,
      ...READING,
      input: TicketsQueryDto,
      takes: ['assignee', 'assigned_group', 'mailbox', 'cursor'],
      output: TICKETS_OUTPUT,
      run: (caller, input) => this.listWaiting(caller, input),
    }),
    defineTool({
      name: 'read_ticket',
      title: 'Read a ticket',
      description: `Reads a ticket with its messages and internal notes, ${MAX_RECORDS} at a time, newest first.`,
      ...READING,
      input: ReadTicketDto,
      takes: ['number', 'cursor'],
      output: THREAD_OUTPUT,
      run: (caller, input) => this.read(caller, input),
    }),
  ];

  constructor(
    private readonly tickets: TicketsService,
    private readonly messages: MessagesService,
    private readonly links: Links,
  ) {}

  private async list(caller: Caller, query: TicketQuery) {
    const { items, next } = await this.tickets.list(caller, { ...query, ...FIRST_OR_CURSOR, uncounted: true });
    return { tickets: items.map((ticket) => assistantTicket(ticket, this.links)), next_cursor: next };
  }

  /** Tickets whose customers do not wait come last. */
  private async listWaiting(caller: Caller, input: TicketsQueryDto) {
    const page = await this.list(caller, { ...input.toQuery(), folder: 'open', sort: 'waiting' });
    const tickets = page.tickets.filter(({ waiting_since: since }) => since !== null);
    return tickets.length < page.tickets.length ? { tickets, next_cursor: null } : page;
  }

  private async read(caller: Caller, { number, cursor }: ReadTicketDto) {
    const ticket = await this.tickets.read(caller, number);
    const request = { ...FIRST_OR_CURSOR, cursor };
    const { items, next } = await this.messages.listOf(caller, ticket, request, 'newest first');
    return {
      ticket: assistantTicket(ticket, this.links),
      messages: items.map((message) => assistantMessage(message, this.links)),
      next_cursor: next,
    };
  }
}
