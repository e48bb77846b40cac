import { Clock } from '#libs/database';
import { DomainError, InvalidField, NotFound, existing } from '#libs/entities';
import type { PageRequest } from '#libs/lists';
import {
  type RequestContext,
  type TicketQuery,
  TicketsService,
  TriageService,
  type UndoableChange,
  type UndoablePart,
} from '#libs/tickets';
import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ticketNumberOf } from '../../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { actingOf } from '../../layers/shell/acting.js';
import { validateDto } from '../../layers/shell/form-submission.js';
import { type InboxQuery, inboxPath, parseInboxQuery, parseListQuery, sortOf, ticketPath } from '../inbox-query.js';
import { MergePage, mergePath } from './merge.page.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import {
  type PageContent,
  type PageNotice,
  type PageResponse,
  redirectWithNotice,
} from '../../layers/ui/page-response.js';
import { AssigneeDto, MailboxDto, PriorityDto, TagsDto } from '../ticket-parts.dto.js';
import { describeChange } from './change-words.js';
import { NO_LONGER_SNOOZED, snoozeIn } from './snooze-times.js';
import { ReturnTo } from './ticket-on-page.decorator.js';
import { type FormerTicket, UndoService, deletedTicket } from './undo.service.js';
import { type WholeSearch, WholeSearchPage } from './bulk-actions.page.js';

/** Actions on this many tickets take a few seconds. */
export const MAX_TICKETS_AT_ONCE = 500;
const TICKETS_PER_PAGE = 100;

const MAX_MERGED_AT_ONCE = 10;

interface Done {
  readonly former?: FormerTicket;
  readonly describe: (subject: string) => string;
}

type BulkAction = (context: RequestContext, number: number) => Promise<Done>;

@ConsolePages('tickets')
export class BulkActionsController {
  constructor(
    private readonly tickets: TicketsService,
    private readonly triage: TriageService,
    private readonly undos: UndoService,
    private readonly choices: TicketChoicesReader,
    private readonly clock: Clock,
  ) {}

  /** Counts the tickets of a search, or of a tag to rename, before an action on all of them. */
  @Get('bulk')
  async show(@Me() me: Me, @Query() parameters: Readonly<Record<string, unknown>>): Promise<PageContent> {
    const tag = new FormFields(parameters).text('rename').trim();
    const query = { ...parseInboxQuery(tag ? { q: `tag:"${tag}"` } : parameters), cursor: undefined };
    const wanted = { ...(tag ? { tag } : query), sort: sortOf(query) };
    const [found, choices] = await Promise.all([this.search(me, wanted), this.choices.read(me.accountId)]);
    return { view: <WholeSearchPage query={query} found={found} choices={choices} tag={tag} /> };
  }

  private async search(me: Me, query: Omit<TicketQuery, keyof PageRequest>): Promise<WholeSearch> {
    const numbers: number[] = [];
    let cursor: string | undefined;
    do {
      const request = { ...query, page: 1, perPage: TICKETS_PER_PAGE, cursor };
      const page = await this.tickets.list(actingOf(me), request);
      numbers.push(...page.items.map(({ number }) => number));
      cursor = page.next ?? undefined;
    } while (cursor !== undefined && numbers.length < MAX_TICKETS_AT_ONCE);
    return { numbers: numbers.slice(0, MAX_TICKETS_AT_ONCE), capped: cursor !== undefined };
  }

  /** Asks which ticket stays before the action. */
  @Get('merge')
  async showMerge(
    @Me() me: Me,
    @Query() parameters: unknown,
    @Req() { headers, url }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PageContent> {
    // The form of the selected tickets would only swap parts of its page.
    if (headers['hx-request']) void reply.header('hx-redirect', url);
    const query = new FormFields(parameters);
    const named = ticketNumbers(query);
    if (named.length > MAX_MERGED_AT_ONCE)
      throw new InvalidField('tickets', 'too_many', `Select at most ${MAX_MERGED_AT_ONCE} tickets to merge.`);
    const found = await Promise.all(named.map((number) => this.tickets.find(actingOf(me), number)));
    const live = found.flatMap((ticket) => (ticket && !ticket.deletedAt ? [[ticket.number, ticket] as const] : []));
    const tickets = [...new Map(live).values()].toSorted((one, other) => one.number - other.number);
    const others = await this.tickets.othersOf(actingOf(me), existing(tickets[0], 'ticket'));
    const back = parseListQuery(query.text('back'));
    const unknown = query.text('tickets') !== '' && tickets.length === 1 ? query.text('ticket') : '';
    return { view: <MergePage tickets={tickets} others={others} unknown={unknown} back={back} /> };
  }

  /** A rejected ticket does not stop the others. */
  @Post('bulk')
  async act(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const numbers = ticketNumbers(form);
    const into = ticketNumberOf(form.text('into'));
    if (form.text('do') === 'merge' && into === 0 && numbers.length > 0) return { redirect: mergePath(numbers, back) };
    const action = await this.actionFor(form, body as object, me);
    const done = new Map<number, Done>();
    const rejections: string[] = [];
    for (const number of numbers.filter((one) => one !== into))
      try {
        done.set(number, await action(actingOf(me), number));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rejections.push(`#${number}: ${error.message}`);
      }
    const former = [...done.values()].flatMap((one) => one.former ?? []);
    const { text, tone } = bulkWords(done, rejections);
    const notice = await this.undos.notice(actingOf(me), text, { back, former });
    if (into > 0) return { redirect: ticketPath(into, back), notice: { ...notice, tone, ticket: into } };
    const renamed = form.text('do') === 'rename' && rejections.length === 0 && { tag: form.text('to').trim() };
    return { redirect: inboxPath({ ...back, ...renamed }), notice: { ...notice, tone } };
  }

  private async actionFor(form: FormFields, body: object, { timeZone }: Me): Promise<BulkAction> {
    const { triage } = this;
    const changing =
      (wanted: UndoableChange, words?: string): BulkAction =>
      async (context, number) => {
        const { ticket, changed } = await triage.changeUndoably(context, number, wanted);
        const describe = (subject: string) =>
          words ? `${subject} ${words}.` : describeChange(subject, wanted, ticket, context.agentId);
        return { former: changed, describe };
      };
    switch (form.text('do')) {
      case 'close':
        return changing({ state: 'closed' });
      case 'spam':
        return changing({ state: 'spam' });
      case 'reopen':
        return changing({ state: 'opened' });
      case 'priority':
        return changing({ priority: (await validateDto(PriorityDto, body)).priorityOrNull() });
      case 'delete':
        return async (context, number) => {
          await triage.delete(context, number);
          return { former: deletedTicket(number), describe: (subject) => `${subject} deleted.` };
        };
      case 'restore':
        return async (context, number) => {
          await triage.restore(context, number);
          return { describe: (subject) => `${subject} restored.` };
        };
      case 'merge':
        return async (context, number) => {
          const into = ticketNumberOf(form.text('into'));
          const { former } = await triage.merge(context, number, into);
          return { former, describe: (subject) => `${subject} merged into #${into}.` };
        };
      case 'assign':
        return changing({ assignee: (await validateDto(AssigneeDto, body)).assigneeOrNull() });
      case 'move':
        return changing({ mailbox: (await validateDto(MailboxDto, body)).mailbox });
      case 'snooze': {
        const { snoozedUntil, words } = snoozeIn(form, this.clock.now(), timeZone);
        return changing({ snoozedUntil }, words);
      }
      case 'wake':
        return changing({ snoozedUntil: null }, NO_LONGER_SNOOZED);
      case 'tag':
        return changing({ addTags: (await validateDto(TagsDto, body)).tags });
      case 'rename': {
        const names = { tags: [form.text('tag').trim(), form.text('to').trim()] };
        const [tag = '', to = ''] = (await validateDto(TagsDto, names)).tags;
        return changing({ removeTag: tag, addTags: [to] }, `now tagged ${to} instead of ${tag}`);
      }
      default:
        throw new InvalidField('do', 'unknown_action', 'Choose an action for the tickets.');
    }
  }

  /** Restores tickets, except parts that have changed since. */
  @Post('undo')
  async undo(@Me() me: Me, @ReturnTo() back: InboxQuery, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const former = await this.undos.read(actingOf(me), form.text('kept'), ticketNumberOf(form.text('merged')));
    const leftAlone: string[] = [];
    let undone = 0;
    // The last merge is undone first, because it has seen the others.
    for (const ticket of former.toReversed()) {
      const reason = await this.restore(actingOf(me), ticket);
      if (reason === undefined) undone += 1;
      else leftAlone.push(`#${ticket.number} (${reason})`);
    }
    // Undo on the toast of a ticket returns to the ticket.
    const open = ticketNumberOf(form.text('ticket'));
    const path = open > 0 ? ticketPath(open, back) : inboxPath(back);
    if (leftAlone.length === 0) return redirectWithNotice(path, `${changesOf(former)} undone.`);
    return redirectWithNotice(path, `${undone > 0 ? 'Undone' : 'Not undone'}. ${wordsFor(leftAlone)}`, 'bad');
  }

  /** Returns why the ticket, or a part of it, was left alone. */
  private async restore(context: RequestContext, former: FormerTicket): Promise<string | undefined> {
    try {
      if (former.deleted) await this.triage.restore(context, former.number);
      const parts = await this.triage.undo(context, former);
      return parts.length > 0 ? parts.map((part) => PART_WORDS[part]).join(', ') : undefined;
    } catch (error) {
      if (error instanceof NotFound) return former.deleted ? 'restored already' : 'deleted';
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }
}

/** Numbers of checked tickets, or of all tickets of a search. */
function ticketNumbers(form: FormFields): number[] {
  const listed = form.text('tickets').split(',');
  const numbers = [...form.texts('ticket'), ...listed]
    .map((text) => ticketNumberOf(text.replace('#', '')))
    .filter((number) => number > 0);
  return [...new Set(numbers)].slice(0, MAX_TICKETS_AT_ONCE);
}

function bulkWords(done: ReadonlyMap<number, Done>, rejections: readonly string[]): Pick<PageNotice, 'tone' | 'text'> {
  const [first] = done;
  if (!first && rejections.length === 0) return { tone: 'bad', text: 'Select some tickets first.' };
  const changed = first ? [first[1].describe(done.size === 1 ? `#${first[0]}` : `${done.size} tickets`)] : [];
  return { tone: rejections.length === 0 ? 'good' : 'bad', text: [...changed, ...rejections.slice(0, 3)].join(' ') };
}

function changesOf([first, ...others]: readonly FormerTicket[]): string {
  if (first!.merged) return 'Merge';
  return others.length === 0 ? `Change to #${first!.number}` : `Changes to ${others.length + 1} tickets`;
}

const PART_WORDS: Readonly<Record<UndoablePart, string>> = {
  state: 'state',
  priority: 'priority',
  tags: 'tags',
  title: 'subject',
  assignee: 'assignee',
  assignedGroup: 'group',
  mailbox: 'mailbox',
  snoozedUntil: 'snooze',
  customer: 'customer',
};

const MAX_NAMED = 3;

function wordsFor(leftAlone: readonly string[]): string {
  const more = leftAlone.length - MAX_NAMED;
  const named = leftAlone.slice(0, MAX_NAMED).join(', ');
  return `Skipped because of later changes: ${named}${more > 0 ? ` and ${more} more` : ''}.`;
}
