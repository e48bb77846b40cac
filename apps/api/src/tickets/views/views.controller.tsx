import { existing } from '#libs/entities';
import { SavedViewsService } from '#libs/tickets';
import { Body, Get, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { actingOf } from '../../layers/shell/acting.js';
import { submitForm } from '../../layers/shell/form-submission.js';
import { listQuery, parseListQuery } from '../inbox-query.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { FormFields } from '../../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../layers/ui/page-response.js';
import { ChangeViewPage, SaveViewPage, ViewsPage } from './views.page.js';

const PATH = '/views';

const IdParam = () => Param('id', new IdentifierPipe('view'));

@ConsolePages(PATH)
export class ViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const { views } = await this.views.list(actingOf(me));
    return { view: <ViewsPage views={views} /> };
  }

  @Post()
  save(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const query = listQuery(parseListQuery(form.text('query')));
    const again = () => ({ view: <SaveViewPage query={query} /> });
    return submitForm({ again, typed: form.pick('name', 'for') }, async () => {
      const wanted = { name: form.text('name'), query, shared: form.text('for') === 'everybody' };
      const { name } = await this.views.save(actingOf(me), wanted);
      return redirectWithNotice(`/inbox?${query}`, `Saved as “${name}”.`);
    });
  }

  @Get(':id')
  async show(@Me() me: Me, @IdParam() id: string): Promise<PageContent> {
    const { views } = await this.views.list(actingOf(me));
    const view = existing(
      views.find((one) => one.id === id),
      'view',
    );
    return { view: <ChangeViewPage view={view} views={views} /> };
  }

  @Post(':id')
  change(@Me() me: Me, @IdParam() id: string, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    return submitForm({ again: () => this.show(me, id), typed: form.pick('name', 'place') }, async () => {
      const place = Number.parseInt(form.text('place'), 10) || 1;
      const { name } = await this.views.change(actingOf(me), id, form.text('name'), place);
      return redirectWithNotice(PATH, `View “${name}” saved.`);
    });
  }

  @Post(':id/delete')
  remove(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me) }, async () => {
      const { name } = await this.views.remove(actingOf(me), id);
      return redirectWithNotice(PATH, `View “${name}” deleted. Its tickets are not affected.`);
    });
  }
}
