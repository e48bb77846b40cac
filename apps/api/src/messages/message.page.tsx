import { Agent, type Message } from '#libs/entities';
import type { ShownBody } from '#libs/tickets';
import { AttachmentList } from '../attachments/index.js';
import { PageLayout } from '../layers/shell/shell.js';
import { agentName } from '../layers/ui/agent-name.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { ticketPath } from '../tickets/index.js';
import { MessageBody, RecipientsLine } from './message-body.js';

export function MessagePage({ message, shown, images }: { message: Message; shown: ShownBody; images: boolean }) {
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
