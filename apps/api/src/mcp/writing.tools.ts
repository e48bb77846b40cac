import { Links } from '#libs/payloads';
import { MessagesService, TriageService } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../layers/edge/caller.js';
import { ChangeTicketByNumberDto, WriteMessageDto } from './mcp.dto.js';
import { NOTE_OUTPUT, REPLY_OUTPUT, TICKET_OUTPUT, assistantTicket } from './mcp.payload.js';
import { AssistantRepliesService } from './assistant-replies.service.js';
import { type Tool, defineTool } from './tool.js';

const ADDING = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

@Injectable()
export class WritingTools {
  readonly all: readonly Tool[] = [
    defineTool({
      name: 'draft_reply',
      title: 'Draft a reply',
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
      title: 'Add an internal note',
      description: 'Adds a note to a ticket, which agents see and customers never do.',
      scopes: ['messages:write'],
      annotations: { ...ADDING, openWorldHint: false },
      input: WriteMessageDto,
      takes: ['number', 'body', 'idempotency_key'],
      output: NOTE_OUTPUT,
      run: (caller, input) => this.addNote(caller, input),
    }),
    defineTool({
      name: 'change_ticket',
      title: 'Change a ticket',
      description: 'Changes the state, tags, assignee or snooze of a ticket. Absent fields stay as they are.',
      scopes: ['tickets:write'],
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: ChangeTicketByNumberDto,
      takes: ['number', 'state', 'tags', 'assignee', 'snoozed_until'],
      output: TICKET_OUTPUT,
      run: (caller, input) => this.change(caller, input),
    }),
  ];

  constructor(
    private readonly replies: AssistantRepliesService,
    private readonly messages: MessagesService,
    private readonly triage: TriageService,
    private readonly links: Links,
  ) {}

  private async addNote(caller: Caller, { number, body }: WriteMessageDto) {
    const { id } = await this.messages.post(caller, number, { body, note: true });
    return { message_id: id, url: this.links.ticketPage(number) };
  }

  private async change(caller: Caller, input: ChangeTicketByNumberDto) {
    const ticket = await this.triage.change(caller, input.number, input.toInput());
    return { ticket: assistantTicket(ticket, this.links) };
  }
}
