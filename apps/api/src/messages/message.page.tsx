import type { Message } from '#libs/entities';
import type { ShownBody } from '#libs/tickets';
import { AttachmentList } from '../attachments/index.js';
import { PageLayout } from '../layers/shell/shell.js';
import { ExactTime } from '../layers/ui/parts/relative-time.js';
import { ticketPath } from '../tickets/index.js';
import { nameOf } from './conversation.js';
import { MailPill, SenderVerdictsPill } from './mail-state.js';
import { MessageBody, notShownIn } from './message-body.js';

export function MessagePage({ message, shown, images }: { message: Message; shown: ShownBody; images: boolean }) {
  const { author, ticketNumber, id, note, delivery, verdicts } = message;
  const name = nameOf(message);
  const facts = [
    ['From', `${name} <${author.email}>`],
    ['To', message.toAddresses.join(', ')],
    ['Cc', message.ccAddresses.join(', ')],
    ['Date', <ExactTime at={message.writtenAt()} />],
    ['Sender checks', verdicts && <SenderVerdictsPill verdicts={verdicts} />],
    ['Delivery', delivery && <MailPill state={delivery} />],
  ] as const;
  return (
    <PageLayout
      title={`${note ? 'Internal note' : 'Message'} from ${name}`}
      narrow
      intro={<a href={`${ticketPath(ticketNumber)}#message-${id}`}>{`Ticket #${ticketNumber}`}</a>}
    >
      <article class={note ? 'message note stack' : 'message stack'}>
        <dl class="facts">
          {facts.map(([fact, value]) => value && [<dt>{fact}</dt>, <dd class="break">{value}</dd>])}
        </dl>
        <MessageBody message={message} shown={shown} images={images} imagesHref={`/messages/${id}?images=1`} />
        <AttachmentList attachments={notShownIn(shown, message)} linked />
      </article>
    </PageLayout>
  );
}
