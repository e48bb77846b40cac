import { Agent, type Message } from '#libs/entities';
import { Time } from '../../pages/parts/time.js';
import { Page } from '../shell/shell.js';
import { Attachments } from './attachments.js';
import { agentName } from './filters.js';
import { ticketPath } from './inbox-query.js';
import { MessageBody } from './message-body.js';

/** One message, whole, however long. */
export function MessagePage({ message, images }: { message: Message; images: boolean }) {
  const { author, ticketNumber, id } = message;
  const name = author instanceof Agent ? agentName(author) : (author.name() ?? author.email);
  return (
    <Page
      title={`Message from ${name}`}
      here="/inbox"
      narrow
      intro={
        <>
          <a href={ticketPath(ticketNumber)}>{`Ticket #${ticketNumber}`}</a> · <Time at={message.createdAt} />
        </>
      }
    >
      <article class={message.note ? 'message note' : 'message'}>
        <MessageBody message={message} images={images} imagesHref={`/messages/${id}?images=1`} whole />
        <Attachments attachments={message.attachments} linked />
      </article>
    </Page>
  );
}
