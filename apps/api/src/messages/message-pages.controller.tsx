import { MessagesService, ShownBodiesService } from '#libs/tickets';
import { Get, Param, Query } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import type { PageResponse } from '../layers/ui/page-response.js';
import { MessagePage } from './message.page.js';

@ConsolePages('messages')
export class MessagePagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly bodies: ShownBodiesService,
  ) {}

  @Get(':id')
  async read(
    @Me() me: Me,
    @Param('id', new IdentifierPipe('message')) id: string,
    @Query() parameters: Readonly<Record<string, unknown>>,
  ): Promise<PageResponse> {
    const message = await this.messages.read(actingOf(me), id);
    const shown = (await this.bodies.read(actingOf(me), [message], {})).get(id)!;
    const images = parameters['images'] === '1';
    return { view: <MessagePage message={message} shown={shown} images={images} />, images };
  }
}
