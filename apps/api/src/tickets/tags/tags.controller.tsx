import { Database } from '#libs/database';
import { DomainError, InvalidField } from '#libs/entities';
import { type Counted, MAX_COUNTED_ROWS } from '#libs/lists';
import { TicketListsService, TriageService } from '#libs/tickets';
import { Body, Get, Post, Query } from '@nestjs/common';
import { actingOf } from '../../layers/shell/acting.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { submitForm, validateDto } from '../../layers/shell/form-submission.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import type { PageContent, PageResponse } from '../../layers/ui/page-response.js';
import { findTickets } from '../inbox/found-tickets.js';
import { TAG_COUNTS } from '../inbox/ticket-choices.statements.js';
import { type FormerTicket, UndoService } from '../inbox/undo.service.js';
import { parseInboxQuery } from '../inbox-query.js';
import { TagsDto } from '../ticket-parts.dto.js';
import { type CountedTag, TAGS_PATH, TagsPage, renamePath } from './tags.page.js';

@ConsolePages(TAGS_PATH, 'managers', { group: 'Team', label: 'Tags', icon: 'tag' })
export class TagsController {
  constructor(
    private readonly database: Database,
    private readonly lists: TicketListsService,
    private readonly triage: TriageService,
    private readonly undos: UndoService,
  ) {}

  /** With both names, it asks before it renames. */
  @Get()
  async show(@Me() me: Me, @Query() query: unknown): Promise<PageContent> {
    const { tag, to } = namesIn(query);
    const [tags, found, others] = await Promise.all([
      this.database.account(me.accountId).rows<CountedTag>(TAG_COUNTS),
      this.count(me, tag),
      this.count(me, to),
    ]);
    return { view: <TagsPage tags={tags} rename={{ tag, to, found, others }} />, form: { values: { tag, to } } };
  }

  @Post()
  rename(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me, body) }, async () => {
      const { tag, to } = namesIn(body);
      await validateDto(TagsDto, { tags: [tag, to] });
      if (tag.toLowerCase() === to.toLowerCase())
        throw new InvalidField('to', 'same_tag', 'Enter another name. Capital letters make no difference.');
      const { numbers, capped } = await findTickets((query) => this.lists.page(actingOf(me), query), {
        tag,
        sort: '-updated_at',
      });
      const former: FormerTicket[] = [];
      for (const number of numbers)
        former.push(...(await this.renameOn(me, number, { addTags: [to], removeTag: tag })));
      const left = capped ? await this.count(me, tag) : NONE;
      const renamed = `Renamed on ${former.length === 1 ? '1 ticket' : `${former.length} tickets`}`;
      const text =
        left.total > 0 ? `${renamed}, ${left.total.toLocaleString('en')} left: press Rename again.` : `${renamed}.`;
      const notice = await this.undos.notice(actingOf(me), text, { back: parseInboxQuery({}), former });
      return { redirect: left.total > 0 ? renamePath(tag, to) : TAGS_PATH, notice };
    });
  }

  /** A ticket that was deleted meanwhile does not stop the others. */
  private async renameOn(me: Me, number: number, wanted: { addTags: string[]; removeTag: string }) {
    try {
      return [(await this.triage.changeUndoably(actingOf(me), number, wanted)).changed];
    } catch (error) {
      if (error instanceof DomainError) return [];
      throw error;
    }
  }

  private count(me: Me, tag: string): Promise<Counted> | Counted {
    return tag === '' ? NONE : this.lists.countSome(actingOf(me), { tag }, MAX_COUNTED_ROWS);
  }
}

const NONE: Counted = { total: 0, capped: false };

function namesIn(fields: unknown): { readonly tag: string; readonly to: string } {
  const form = new FormFields(fields);
  return { tag: form.text('tag').trim(), to: form.text('to').trim() };
}
