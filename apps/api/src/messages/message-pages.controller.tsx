import { Agent, type Message } from '#libs/entities';
import { MessagesService, type ShownBody, ShownBodiesService } from '#libs/tickets';
import { Get, Param, Query } from '@nestjs/common';
import { AttachmentList } from '../attachments/index.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { ticketPath } from '../tickets/index.js';
import { PageLayout } from '../layers/shell/shell.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { agentName } from '../layers/ui/agent-name.js';
import type { PageResponse } from '../layers/ui/page-response.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { MessageBody, RecipientsLine } from './message-body.js';

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

function MessagePage({ message, shown, images }: { message: Message; shown: ShownBody; images: boolean }) {
  const { author, ticketNumber, id } = message;
  const name = author instanceof Agent ? agentName(author) : (author.name() ?? author.email);
  return (
    <PageLayout
      title={`Message from ${name}`}
      narrow
      intro={
        <>
          <a href={ticketPath(ticketNumber)}>{`Ticket #${ticketNumber}`}</a> · <RelativeTime at={message.createdAt} />
        </>
      }
    >
      <article class={message.note ? 'message note' : 'message'}>
        <RecipientsLine message={message} usual={[]} />
        <MessageBody message={message} shown={shown} images={images} imagesHref={`/messages/${id}?images=1`} />
        <AttachmentList attachments={message.attachments} linked />
      </article>
    </PageLayout>
  );
}
