import {
  Agent,
  type Attachment,
  type Customer,
  MAX_ATTACHMENTS,
  MAX_TITLE_CHARACTERS,
  type Message,
  NotFound,
  type Ticket,
  beginningOf,
} from '#libs/entities';
import {
  CustomerMailsService,
  MessagesService,
  ScheduledRepliesService,
  TicketsService,
  type UnsentTicket,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { ticketNumberOf } from '../../layers/edge/path-parameter.pipes.js';
import { actingOf } from '../../layers/shell/acting.js';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { agentName } from '../../layers/ui/agent-name.js';
import type { FormState } from '../../layers/ui/page-response.js';
import { inTimeZone } from '../../layers/ui/zoned-time.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';

const MAX_FORWARDED_MESSAGES = 100;
const MAX_FORWARDED_CHARACTERS = 100_000;

export type NewTicketView = Awaited<ReturnType<NewTicketReader['read']>>;

/** The form begins with it. */
interface Source {
  readonly values: FormState['values'];
  readonly files: readonly Pick<Attachment, 'id' | 'name'>[];
}

@Injectable()
export class NewTicketReader {
  constructor(
    private readonly choices: TicketChoicesReader,
    private readonly heldReplies: ScheduledRepliesService,
    private readonly messages: MessagesService,
    private readonly tickets: TicketsService,
    private readonly mails: CustomerMailsService,
  ) {}

  async read(me: Me, { held, forward }: { readonly held: string; readonly forward: string }) {
    const [choices, all] = await Promise.all([
      this.choices.read(me.accountId),
      this.heldReplies.listUnsent(actingOf(me)),
    ]);
    const undone = all.find(({ id }) => id === held);
    const unsent = all.filter((one) => one !== undone);
    const source = undone ? fromUnsent(undone) : await this.forwarded(me, forward);
    return { choices, unsent, mailRoute: this.mails.route, ...source };
  }

  /** `source` is the id of a message, or the number of a ticket. */
  private async forwarded(me: Me, source: string): Promise<Source> {
    if (source === '') return { values: {}, files: [] };
    const number = ticketNumberOf(source);
    const message = number > 0 ? undefined : await this.messages.read(actingOf(me), source);
    const ticket = await this.tickets.readSurviving(actingOf(me), message?.ticketNumber ?? number);
    if (ticket.deletedAt || message?.note) throw new NotFound('message');
    const messages = message ? [message] : await this.conversation(me, ticket);
    const { title, mailbox } = ticket;
    const values = {
      subject: beginningOf(`Fwd: ${title ?? ''}`, MAX_TITLE_CHARACTERS),
      body: `\n\n${messages.map((one) => quoted(one, ticket, me.timeZone)).join('\n\n')}`,
      mailbox: mailbox.name,
      forward: source,
      forwarded: String(ticket.number),
    };
    return { values, files: messages.flatMap(({ attachments }) => attachments).slice(-MAX_ATTACHMENTS) };
  }

  /** Without notes, which must not leave the desk. A long conversation loses its beginning. */
  private async conversation(me: Me, ticket: Ticket): Promise<Message[]> {
    const request = { page: 1, perPage: MAX_FORWARDED_MESSAGES, cursor: undefined };
    const { items } = await this.messages.listOf(actingOf(me), ticket, request, 'newest first');
    let characters = 0;
    const fits = ({ plainTextBody }: Message) => (characters += plainTextBody.length) <= MAX_FORWARDED_CHARACTERS;
    return items.filter((message) => !message.note && fits(message)).toReversed();
  }
}

function quoted({ author, createdAt, plainTextBody }: Message, { title }: Ticket, timeZone: string): string {
  const { date, time, zone } = inTimeZone(createdAt, timeZone);
  const header = [
    '---------- Forwarded message ----------',
    // The address of an agent, who signs in with it, stays in the desk.
    `From: ${author instanceof Agent ? agentName(author) : addressed(author)}`,
    `Date: ${date} ${time} ${zone}`,
    `Subject: ${title ?? ''}`,
  ];
  // The text is sent as Markdown, in which a customer could have hidden an address under another text.
  const text = author instanceof Agent ? plainTextBody : plainTextBody.replaceAll('](', '] (');
  return [...header, '', text].join('\n');
}

/** `<ana@client.example>` would be lost in plain text, as a tag. */
function addressed(author: Customer): string {
  const name = author.name();
  return name ? `${name} [${author.email}]` : author.email;
}

function fromUnsent({ id, newTicket, files }: UnsentTicket): Source {
  const { to, ccAddresses = [], title, body, mailbox, assignee, priority, forwardOf } = newTicket;
  const values = {
    held: id,
    to: to.email,
    cc: ccAddresses.join(', '),
    first_name: to.firstName ?? '',
    last_name: to.lastName ?? '',
    subject: title ?? '',
    body,
    mailbox: mailbox ?? '',
    assignee: assignee ?? '',
    priority: priority ?? '',
    forwarded: forwardOf ? String(forwardOf) : '',
  };
  return { values, files };
}
