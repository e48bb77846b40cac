import { Agent, type Attachment, MAX_TITLE_CHARACTERS, NotFound, beginningOf } from '#libs/entities';
import {
  CustomerMailsService,
  MessagesService,
  ScheduledRepliesService,
  TicketsService,
  type UnsentTicket,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { actingOf } from '../../layers/shell/acting.js';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { agentName } from '../../layers/ui/agent-name.js';
import type { FormState } from '../../layers/ui/page-response.js';
import { inTimeZone } from '../../layers/ui/zoned-time.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';

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

  private async forwarded(me: Me, id: string): Promise<Source> {
    if (id === '') return { values: {}, files: [] };
    const message = await this.messages.read(actingOf(me), id);
    const { author, note, ticketNumber, createdAt, plainTextBody, attachments } = message;
    const { title, mailbox, deletedAt } = await this.tickets.read(actingOf(me), ticketNumber);
    if (deletedAt || note) throw new NotFound('message');
    const name = author instanceof Agent ? agentName(author) : author.name();
    const { date, time, zone } = inTimeZone(createdAt, me.timeZone);
    const header = [
      '---------- Forwarded message ----------',
      // `<ana@client.example>` would be lost in plain text, as a tag.
      `From: ${name ? `${name} [${author.email}]` : author.email}`,
      `Date: ${date} ${time} ${zone}`,
      `Subject: ${title ?? ''}`,
    ];
    const subject = beginningOf(`Fwd: ${title ?? ''}`, MAX_TITLE_CHARACTERS);
    const body = ['', '', ...header, '', plainTextBody].join('\n');
    return { values: { subject, body, mailbox: mailbox.name, forward: id }, files: attachments };
  }
}

function fromUnsent({ id, newTicket, files }: UnsentTicket): Source {
  const { to, ccAddresses = [], title, body, mailbox, assignee, priority } = newTicket;
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
  };
  return { values, files };
}
