import { Agent, type Message, type Ticket } from '#libs/entities';
import type { HeldReplyOfAgent } from '#libs/tickets';
import { AttachmentList } from '../attachments/index.js';
import { ActivitySentence } from '../events/index.js';
import type { InboxQuery } from '../tickets/index.js';
import { agentName } from '../layers/ui/agent-name.js';
import { Avatar, Pill } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { HeldReplies } from './held-replies.js';
import { CopiesPill, MailPill, MailTrouble, SenderVerdictsPill } from './mail-state.js';
import { MessageBody, RecipientsLine } from './message-body.js';
import type { ActivityWithActor, Thread } from './thread.reader.js';

interface ConversationProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
  readonly thread: Thread;
  readonly held: readonly HeldReplyOfAgent[];
  readonly seen: string;
}

export function Conversation({ ticket, query, thread, held, seen }: ConversationProps) {
  return (
    <div class="conversation" tabIndex={0} role="region" aria-label="Conversation" data-conversation>
      {/* A script inserts earlier messages here. The live part is below. */}
      <div class="history" id="history">
        {thread.earlierHref && (
          <p class="activity">
            <a href={thread.earlierHref} data-earlier>
              Earlier messages
            </a>
          </p>
        )}
      </div>
      <div id="thread" data-live data-seen={seen}>
        <ol aria-label="Messages">
          {entriesOf(thread).map((entry) =>
            'body' in entry ? (
              <MessageItem message={entry} ticket={ticket} thread={thread} key={entry.id} />
            ) : (
              <li class="activity" id={`activity-${entry.id}`} key={entry.id}>
                <ActivitySentence activity={entry} /> · <RelativeTime at={entry.createdAt} />
              </li>
            ),
          )}
        </ol>
        {held.length > 0 && <HeldReplies number={ticket.number} query={query} held={held} />}
      </div>
    </div>
  );
}

function entriesOf({ messages, activities, earlierHref }: Thread): (Message | ActivityWithActor)[] {
  const from = earlierHref === null ? 0 : (messages[0]?.createdAt.getTime() ?? 0);
  const shown = activities.filter(({ createdAt }) => createdAt.getTime() >= from);
  return [...messages, ...shown].toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

function MessageItem({ message, ticket, thread }: { message: Message; ticket: Ticket; thread: Thread }) {
  const { author, note } = message;
  const byAgent = author instanceof Agent;
  const name = byAgent ? agentName(author) : (author.name() ?? author.email);
  const kind = note ? 'note' : byAgent ? 'agent' : 'from-customer';
  return (
    <li
      class={`message ${kind}`}
      id={`message-${message.id}`}
      data-unread={message.id === thread.firstUnread ? 'New' : undefined}
    >
      <article aria-label={`${note ? 'Internal note' : 'Message'} from ${name}`}>
        <header>
          <Avatar name={name} />
          <strong dir="auto">{name}</strong>
          {message.application && (
            <span class="small quiet break">
              via <bdi>{message.application.name}</bdi>
            </span>
          )}
          {note && <Pill tone="warn">Internal note</Pill>}
          {byAgent && !note && <span class="small quiet">Agent</span>}
          {message.delivery && <MailPill state={message.delivery} />}
          <CopiesPill copies={message.copies} />
          <SenderVerdictsPill verdicts={message.verdicts} />
          <RelativeTime at={message.createdAt} />
        </header>
        <RecipientsLine message={message} usual={[ticket.customer.email, ticket.mailbox.email]} />
        <MessageBody
          message={message}
          shown={thread.bodies.get(message.id)!}
          images={thread.images}
          imagesHref={thread.imagesHref}
        />
        <AttachmentList attachments={message.attachments} linked={!thread.deleted} />
        <MailTrouble message={message} canSendAgain={!thread.deleted} />
      </article>
    </li>
  );
}
