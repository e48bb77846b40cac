import { SavedRepliesService, TicketsService } from '#libs/tickets';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../../layers/edge/path-parameter.pipes.js';
import { actingOf } from '../../layers/shell/acting.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { submitForm, validateDto } from '../../layers/shell/form-submission.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields, normalizeLineEndings } from '../../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../layers/ui/page-response.js';
import { TicketChoicesReader } from '../inbox/ticket-choices.reader.js';
import { TicketOnPage } from '../inbox/ticket-on-page.decorator.js';
import { CreateSavedReplyDto } from './saved-replies.dto.js';
import { MAX_LISTED, ReplyForm, SavedRepliesPage, SavedReplyPage } from './saved-replies.page.js';
import { PATH } from './saved-reply-picker.js';

const IdParam = () => Param('id', new IdentifierPipe('saved_reply'));

@ConsolePages(PATH, 'agents', { group: 'Account', label: 'Saved replies', icon: 'bolt' })
export class SavedReplyPagesController {
  constructor(
    private readonly replies: SavedRepliesService,
    private readonly choices: TicketChoicesReader,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageContent> {
    const q = new FormFields(query).text('q');
    const replies = await this.replies.find(actingOf(me), q, MAX_LISTED.page);
    const form = <ReplyForm choices={await this.choices.read(me.accountId)} />;
    return { view: <SavedRepliesPage replies={replies} q={q} form={form} /> };
  }

  @Get(':id')
  async show(@Me() me: Me, @IdParam() id: string): Promise<PageContent> {
    const reply = await this.replies.read(actingOf(me), id);
    return { view: <SavedReplyPage reply={reply} choices={await this.choices.read(me.accountId)} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return this.save(me, null, body);
  }

  @Post(':id')
  save(@Me() me: Me, @IdParam() id: string | null, @Body() body: unknown): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'body', 'shared', 'tags', 'state', 'assignee');
    const again = () => (id === null ? this.list(me, {}) : this.show(me, id));
    return submitForm({ again, typed }, async () => {
      const { body: text = '', state, assignee, ...others } = typed;
      const values = { ...others, body: normalizeLineEndings(text), state: state || null, assignee: assignee || null };
      const { name } = await this.replies.save(actingOf(me), id, await validateDto(CreateSavedReplyDto, values));
      return redirectWithNotice(PATH, `“${name}” saved.`);
    });
  }

  @Post(':id/delete')
  async remove(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const { name } = await this.replies.remove(actingOf(me), id);
    return redirectWithNotice(PATH, `“${name}” deleted.`);
  }
}

@ConsolePages('tickets/:number/saved-replies')
export class SavedReplyPickerController {
  constructor(
    private readonly replies: SavedRepliesService,
    private readonly tickets: TicketsService,
  ) {}

  @Get()
  async choose(@TicketOnPage() { context, number }: TicketOnPage, @Query() query: unknown): Promise<PageContent> {
    const q = new FormFields(query).text('q');
    const ticket = await this.tickets.read(context, number);
    const replies = await this.replies.find(context, q, MAX_LISTED.menu);
    return { view: <SavedRepliesPage replies={replies} q={q} ticket={ticket} /> };
  }
}
