import { parseSeen } from '#libs/tickets';
import { Get, Param, Query } from '@nestjs/common';
import { TicketNumberPipe } from '../../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { namesList, parseInboxQuery, ticketPath } from '../inbox-query.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import type { PageResponse } from '../../layers/ui/page-response.js';
import { HELD_BACK_PARAMETER } from '../composer/held-back.js';
import { fillVariables } from '../saved-replies/variables.js';
import { InboxPage } from './inbox.page.js';
import { InboxReader } from './inbox.reader.js';

type QueryParameters = Readonly<Record<string, unknown>>;

@ConsolePages('/')
export class InboxController {
  constructor(private readonly reader: InboxReader) {}

  @Get()
  start(): PageResponse {
    return { redirect: '/inbox' };
  }

  @Get('inbox')
  async list(@Me() me: Me, @Query() parameters: QueryParameters): Promise<PageResponse> {
    const query = parseInboxQuery(parameters);
    const number = await this.reader.findByNumber(me, query);
    if (number !== undefined) return { redirect: ticketPath(number, query) };
    return { view: <InboxPage view={await this.reader.list(me, query)} /> };
  }

  @Get('tickets/:number')
  async read(@Me() me: Me, @Param('number', TicketNumberPipe) number: number, @Query() parameters: QueryParameters) {
    const query = namesList(parameters) ? parseInboxQuery(parameters) : undefined;
    const images = parameters['images'] === '1';
    const before = typeof parameters['before'] === 'string' ? parameters['before'] : undefined;
    const shown = parameters[HELD_BACK_PARAMETER];
    // Pages of earlier messages do not show new ones.
    const heldBack = typeof shown === 'string' && before === undefined ? parseSeen(shown) : undefined;
    const savedReply = typeof parameters['saved_reply'] === 'string' ? parameters['saved_reply'] : undefined;
    const thread = { before, images, heldBack, savedReply, path: ticketPath(number, query) };
    const view = await this.reader.ticket(me, query, number, thread);
    // After a note, the composer stays a note.
    const kind = parameters['kind'] === 'note' && { kind: 'note' };
    const { draft, savedReply: chosen, ticket } = view.open ?? {};
    const text = savedReply && chosen && ticket && fillVariables(chosen.body, me, ticket);
    const values = { ...kind, ...(text && { body: [draft?.body, text].filter(Boolean).join('\n\n') }) };
    return { view: <InboxPage view={view} />, images, form: { values } };
  }
}
