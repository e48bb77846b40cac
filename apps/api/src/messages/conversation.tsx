import { Agent, type Message, type Ticket } from '#libs/entities';
import { forwardedSender } from '#libs/mail';
import type { HeldReplyOfAgent } from '#libs/tickets';
import { AttachmentList } from '../attachments/index.js';
import { ActivitySentence } from '../events/index.js';
import { type InboxQuery, forwardPath, toSearchParams } from '../tickets/index.js';
import { UNDO_SWAPS } from '../layers/shell/overlays.js';
import { agentName } from '../layers/ui/agent-name.js';
import { Avatar, Pill } from '../layers/ui/parts/indicators.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { HeldReplies } from './held-replies.js';
import { CopiesPill, MailPill, MailTrouble, SenderVerdictsPill } from './mail-state.js';
import { MessageBody, RecipientsLine, notShownIn } from './message-body.js';
import { shownActivities } from './thread-activities.js';
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
        <ForwardedNotice ticket={ticket} query={query} thread={thread} />
        <ol aria-label="Messages">
          {entriesOf(thread).map((entry) =>
            'body' in entry ? (
              <MessageItem message={entry} ticket={ticket} query={query} thread={thread} key={entry.id} />
            ) : (
              <li class="activity" id={`activity-${entry.id}`} key={entry.id}>
                <ActivitySentence activity={entry} /> · <RelativeTime at={entry.createdAt} />
                {entry.undo && <UndoMerge number={ticket.number} query={query} merge={entry} />}
              </li>
            ),
          )}
        </ol>
        {held.length > 0 && <HeldReplies query={query} held={held} />}
      </div>
    </div>
  );
}

interface UndoMergeProps {
  readonly number: number;
  readonly query: InboxQuery;
  readonly merge: ActivityWithActor;
}

function UndoMerge({ number, query, merge: { undo, detail } }: UndoMergeProps) {
  const fields = { kept: undo!, merged: String(detail['ticket']), ticket: String(number), back: toSearchParams(query) };
  return <ActionButton to="/tickets/undo" fields={fields} label="Undo" class="slim" swap={UNDO_SWAPS} />;
}

/** Loads the page, because the composer also names the customer. */
function ForwardedNotice({ ticket, query, thread }: Omit<ConversationProps, 'held' | 'seen'>) {
  const { number, customer, title } = ticket;
  const [message] = thread.messages;
  if (!message || thread.earlierHref || thread.deleted) return null;
  if (message.author.id !== customer.id) return null;
  const sender = forwardedSender({ subject: title ?? '', text: message.plainTextBody });
  if (!sender || sender.address === customer.email) return null;
  return (
    <div class="notice accent row apart">
      <span class="break">{`Forwarded by ${nameOf(message)}. Original sender: ${sender.address}`}</span>
      <ActionButton
        to={`/tickets/${number}/customer`}
        label="Make customer"
        class="slim"
        fields={{ back: toSearchParams(query), email: sender.address }}
      />
    </div>
  );
}

export const nameOf = ({ author }: Message): string =>
  author instanceof Agent ? agentName(author) : (author.name() ?? author.email);

function entriesOf({ messages, activities, earlierHref }: Thread): (Message | ActivityWithActor)[] {
  const from = earlierHref === null ? 0 : (messages[0]?.createdAt.getTime() ?? 0);
  const shown = shownActivities(activities, messages).filter(({ createdAt }) => createdAt.getTime() >= from);
  return [...messages, ...shown].toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

interface MessageItemProps extends Omit<ConversationProps, 'held' | 'seen'> {
  readonly message: Message;
}

function MessageItem({ message, ticket, query, thread }: MessageItemProps) {
  const { author, note } = message;
  const byAgent = author instanceof Agent;
  const name = nameOf(message);
  const shown = thread.bodies.get(message.id)!;
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
          {!thread.deleted && <MessageMenu message={message} query={query} />}
        </header>
        <RecipientsLine message={message} usual={[ticket.customer.email, ticket.mailbox.email]} />
        <MessageBody message={message} shown={shown} images={thread.images} imagesHref={thread.imagesHref} />
        <AttachmentList attachments={notShownIn(shown, message)} linked={!thread.deleted} />
        <MailTrouble message={message} canSendAgain={!thread.deleted} />
      </article>
    </li>
  );
}

/** A note must not leave the desk, so it cannot be forwarded. */
function MessageMenu({ message: { id, ticketNumber, note }, query }: Pick<MessageItemProps, 'message' | 'query'>) {
  return (
    <details class="menu" name="tool">
      <summary aria-label="More">⋯</summary>
      <div class="sheet">
        <a href={`/tickets/${ticketNumber}#message-${id}`} data-copy>
          Copy link
        </a>
        <a href={`/messages/${id}`}>Show original</a>
        {!note && <a href={forwardPath(id, query)}>Forward</a>}
      </div>
    </details>
  );
}
