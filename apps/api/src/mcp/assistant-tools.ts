import type { Scope } from '#libs/entities';
import { type JsonSchema, Links, json, objectOf } from '#libs/payloads';
import { MessagesService, type TicketQuery, TicketsService, TriageService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../layers/edge/caller.js';
import { dtoSchema, withoutNull } from '../reference/index.js';
import { TicketsQueryDto } from '../tickets/index.js';
import { AssistantRepliesService } from './assistant-replies.service.js';
import { ChangeTicketByNumberDto, ReadTicketDto, WriteMessageDto } from './mcp.dto.js';
import { NEXT_CURSOR, REPLY_OUTPUT, assistantMessage, assistantTicket } from './mcp.payload.js';

interface ToolFor<Input extends object> {
  readonly name: string;
  readonly description: string;
  /** All of them are needed. */
  readonly scopes: readonly Scope[];
  /** Hints for the client, which may ask the person before some calls. */
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly input: new () => Input;
  /** The fields of `input` that are arguments. */
  readonly takes: readonly Extract<keyof Input, string>[];
  readonly output: Readonly<Record<string, JsonSchema>>;
  readonly run: (caller: Caller, input: Input) => Promise<object>;
}

export interface Tool extends Omit<ToolFor<object>, 'takes'> {
  readonly takes: readonly string[];
  /** The entry in `tools/list`. */
  readonly listed: object;
}

/** Checks that `run` takes the input of the tool. */
const defineTool = <Input extends object>(tool: ToolFor<Input>): Tool =>
  ({ ...tool, listed: describeTool(tool) }) as unknown as Tool;

function describeTool<Input extends object>(tool: ToolFor<Input>): object {
  const { name, description, input, takes, output, annotations } = tool;
  const { properties = {}, required = [] } = dtoSchema(input);
  const taken = Object.fromEntries(takes.map((argument) => [argument, withoutNull(properties[argument]!)]));
  const inputSchema = { type: 'object', properties: taken, required, additionalProperties: false };
  const title = name.replace(/^./, (letter) => letter.toUpperCase()).replaceAll('_', ' ');
  const described = { name, title, description, inputSchema, outputSchema: objectOf(output), annotations };
  return JSON.parse(JSON.stringify(described, withoutPattern)) as object;
}

/** Patterns are long, and models read every schema. They are checked here. */
const withoutPattern = (key: string, value: unknown): unknown => (key === 'pattern' ? undefined : value);

const READING = { scopes: ['tickets:read'], annotations: { readOnlyHint: true, openWorldHint: false } } as const;
const ADDING = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

const MAX_RECORDS = 20;
const FIRST_OR_CURSOR = { page: 1, perPage: MAX_RECORDS };
const QUEUE_FILTERS = ['assignee', 'assigned_group', 'mailbox', 'cursor'] as const;
const LISTING = {
  ...READING,
  input: TicketsQueryDto,
  output: { tickets: json.listOf(assistantTicket.schema), next_cursor: NEXT_CURSOR },
};

@Injectable()
export class AssistantTools {
  readonly all: readonly Tool[] = [
    defineTool({
      name: 'search_tickets',
      description: `Finds tickets by words and filters, ${MAX_RECORDS} at a time, most recently changed first.`,
      ...LISTING,
      takes: ['q', 'state', 'customer', 'tag', 'priority', 'created_since', 'updated_since', ...QUEUE_FILTERS],
      run: (caller, input) => this.list(caller, { ...input.toQuery(), sort: '-updated_at' }),
    }),
    defineTool({
      name: 'list_waiting',
      description: `Lists open tickets that wait for a reply, ${MAX_RECORDS} at a time, oldest first.`,
      ...LISTING,
      takes: QUEUE_FILTERS,
      run: (caller, input) => this.list(caller, { ...input.toQuery(), folder: 'needs_reply', sort: 'waiting' }),
    }),
    defineTool({
      name: 'read_ticket',
      description: `Reads a ticket with its messages and internal notes, ${MAX_RECORDS} at a time, newest first.`,
      ...READING,
      input: ReadTicketDto,
      takes: ['number', 'cursor'],
      output: {
        ticket: assistantTicket.schema,
        messages: json.listOf(assistantMessage.schema, 'Newest first.'),
        next_cursor: NEXT_CURSOR,
      },
      run: async (caller, { number, cursor }) => {
        const ticket = await this.tickets.read(caller, number);
        const request = { ...FIRST_OR_CURSOR, cursor };
        const { items, next } = await this.messages.listOf(caller, ticket, request, 'newest first');
        const messages = items.map((message) => assistantMessage(message, this.links));
        return { ticket: assistantTicket(ticket, this.links), messages, next_cursor: next };
      },
    }),
    defineTool({
      name: 'draft_reply',
      description:
        'Saves a reply as the person’s draft, which the person edits and sends at the URL. A draft that the person began stays.',
      scopes: ['tickets:read', 'messages:write'],
      annotations: { ...ADDING, openWorldHint: true },
      input: WriteMessageDto,
      takes: ['number', 'body', 'send', 'idempotency_key'],
      output: REPLY_OUTPUT,
      run: (caller, input) => this.replies.write(caller, input),
    }),
    defineTool({
      name: 'add_note',
      description: 'Adds a note to a ticket, which agents see and customers never do.',
      scopes: ['messages:write'],
      annotations: { ...ADDING, openWorldHint: false },
      input: WriteMessageDto,
      takes: ['number', 'body', 'idempotency_key'],
      output: { message_id: json.string, url: json.address },
      run: async (caller, { number, body }) => {
        const { id } = await this.messages.post(caller, number, { body, note: true, markdown: true });
        return { message_id: id, url: this.links.ticketPage(number) };
      },
    }),
    defineTool({
      name: 'change_ticket',
      description: 'Changes the state, tags, assignee or snooze of a ticket. Absent fields stay as they are.',
      scopes: ['tickets:write'],
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: ChangeTicketByNumberDto,
      takes: ['number', 'state', 'tags', 'assignee', 'snoozed_until'],
      output: { ticket: assistantTicket.schema },
      run: async (caller, input) => {
        const ticket = await this.triage.change(caller, input.number, input.toInput());
        return { ticket: assistantTicket(ticket, this.links) };
      },
    }),
  ];

  constructor(
    private readonly tickets: TicketsService,
    private readonly messages: MessagesService,
    private readonly triage: TriageService,
    private readonly replies: AssistantRepliesService,
    private readonly links: Links,
  ) {}

  private async list(caller: Caller, query: TicketQuery) {
    const { items, next } = await this.tickets.list(caller, { ...query, ...FIRST_OR_CURSOR, uncounted: true });
    return { tickets: items.map((ticket) => assistantTicket(ticket, this.links)), next_cursor: next };
  }
}
