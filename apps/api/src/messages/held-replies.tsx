import { manages } from '#libs/entities';
import type { HeldReplyOfAgent, WaitingReply } from '#libs/tickets';
import { type InboxQuery, toSearchParams } from '../tickets/index.js';
import { agentName } from '../layers/ui/agent-name.js';
import { usePageContext } from '../layers/ui/page-context.js';
import type { PageNotice } from '../layers/ui/page-response.js';
import { Countdown } from '../layers/ui/parts/relative-time.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { Pill } from '../layers/ui/parts/indicators.js';
import { clockTime } from '../layers/ui/zoned-time.js';

/** Includes the composer, because undo restores the text. */
const SWAPPED_PARTS = 'folders tickets facts thread composer toasts';

const replyPath = (number: number, id: string, action: 'send' | 'undo'): string =>
  `/tickets/${number}/replies/${id}/${action}`;

const ALSO = { closed: ' and the ticket closed', pending: ' and the ticket set to wait for the customer' } as const;

/** The toast counts down the seconds that are left for an undo. */
export function noticeOfHeld(
  { number, back }: { readonly number: number; readonly back: InboxQuery },
  held: WaitingReply,
  timeZone: string,
): PageNotice {
  const { id, dueAt, scheduledAt, thenChange } = held;
  const also = thenChange?.state ? ALSO[thenChange.state] : '';
  return {
    tone: 'good',
    text: `Reply to #${number} will be sent${also} ${scheduledAt ? `at ${clockTime(dueAt, scheduledAt, timeZone)}.` : 'in'}`,
    ticket: number,
    ...(!scheduledAt && { until: dueAt }),
    undo: { path: replyPath(number, id, 'undo'), fields: { back: toSearchParams(back) } },
  };
}

interface HeldRepliesProps {
  readonly held: readonly HeldReplyOfAgent[];
  /** Absent on the page of all scheduled replies, which names their tickets. */
  readonly query?: InboxQuery;
}

/** A colleague’s reply that only waits for an undo is not shown, unless its text would be lost. */
export function HeldReplies({ held, query }: HeldRepliesProps) {
  const { me } = usePageContext();
  return (
    <ol class="stack" aria-label="Scheduled replies">
      {held.map((reply) =>
        reply.agentId === me.agentId || reply.scheduledAt || reply.agent.state === 'archived' ? (
          <HeldReplyItem reply={reply} query={query} key={reply.id} />
        ) : (
          <li class="activity" key={reply.id}>{`${agentName(reply.agent)} is sending a reply`}</li>
        ),
      )}
    </ol>
  );
}

function HeldReplyItem({ reply, query }: { reply: HeldReplyOfAgent; query: InboxQuery | undefined }) {
  const { me } = usePageContext();
  const { id, scheduledAt, ccAddresses, body, ticket } = reply;
  const isOwn = reply.agentId === me.agentId;
  const undoLabel = !scheduledAt ? 'Undo' : isOwn ? 'Edit' : 'Take over';
  const fields = query && { back: toSearchParams(query) };
  const button = { ...(fields && { fields }), swap: SWAPPED_PARTS, class: 'slim' };
  return (
    <li class="message agent held" id={`held-${id}`}>
      {!query && (
        <h2 class="break" dir="auto">
          <a href={`/tickets/${ticket.number}`}>{`#${ticket.number} ${ticket.title ?? ''}`}</a>
        </h2>
      )}
      <div class="row apart">
        <Pill tone="warn">
          <WhenSent reply={reply} isOwn={isOwn} />
        </Pill>
        {(isOwn || (scheduledAt && manages(me.role))) && (
          <span class="row">
            {scheduledAt && <ActionButton to={replyPath(ticket.number, id, 'send')} label="Send now" {...button} />}
            <ActionButton to={replyPath(ticket.number, id, 'undo')} label={undoLabel} {...button} />
          </span>
        )}
      </div>
      {!query && <p class="recipients-line">{`To: ${ticket.customer}`}</p>}
      {ccAddresses.length > 0 && <p class="recipients-line">{`Cc: ${ccAddresses.join(', ')}`}</p>}
      <div class="body text" dir="auto">
        {body}
      </div>
    </li>
  );
}

function WhenSent({ reply, isOwn }: { reply: HeldReplyOfAgent; isOwn: boolean }) {
  const { me, now } = usePageContext();
  const { agent, dueAt, scheduledAt, isOvertaken } = reply;
  const by = `${agentName(agent)}${agent.state === 'archived' ? ' (archived)' : ''}`;
  const time = clockTime(dueAt, now, me.timeZone);
  if (scheduledAt && isOvertaken)
    return <>{`${isOwn ? 'Not' : `The reply of ${by} will not be`} sent at ${time}: the customer has written since`}</>;
  if (scheduledAt) return <>{isOwn ? `Sends at ${time}` : `${by} scheduled a reply for ${time}`}</>;
  if (isOwn) return <Countdown until={dueAt} before="Sends in" over="Sending…" />;
  return <>{`Scheduled by ${by}. It will be sent once this ticket can be replied to again.`}</>;
}
