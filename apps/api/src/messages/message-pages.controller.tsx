import { Database } from '#libs/database';
import { MessagesService, ShownBodiesService } from '#libs/tickets';
import { Get, Param, Query } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import type { PageResponse } from '../layers/ui/page-response.js';
import { MessagePage } from './message.page.js';
import { FIND_MAIL_ID } from './messages.statements.js';

@ConsolePages('messages')
export class MessagePagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly bodies: ShownBodiesService,
    private readonly database: Database,
  ) {}

  @Get(':id')
  async read(
    @Me() me: Me,
    @Param('id', new IdentifierPipe('message')) id: string,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<PageResponse> {
    const message = await this.messages.read(actingOf(me), id);
    const [bodies, arrival] = await Promise.all([
      this.bodies.read(actingOf(me), [message], {}),
      this.database.account(me.accountId).row<{ mailId: string | null }>(FIND_MAIL_ID, [message.id]),
    ]);
    const shown = bodies.get(message.id)!;
    const images = parameters['images'] === '1';
    const page = { message, shown, images, mailId: arrival?.mailId ?? null };
    return { view: <MessagePage {...page} />, images };
  }
}
