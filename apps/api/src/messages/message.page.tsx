import { Agent, type Message } from '#libs/entities';
import type { ShownBody } from '#libs/tickets';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { AttachmentList } from '../attachments/index.js';
import { ticketPath } from '../shell/inbox-query.js';
import { RecipientsLine } from './recipients-line.js';
import { MessageBody } from './message-body.js';
import { agentName } from '../ui/agent-name.js';

interface MessagePageProps {
  readonly message: Message;
  readonly shown: ShownBody;
  readonly images: boolean;
}

/** One message in full length. */
export function MessagePage({ message, shown, images }: MessagePageProps) {
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
