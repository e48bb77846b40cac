import type { HeldReply } from '#libs/entities';
import type { HeldReplyOfAgent, WaitingReply } from '#libs/tickets';
import { type InboxQuery, toSearchParams } from '../tickets/index.js';
import { agentName } from '../layers/ui/agent-name.js';
import { usePageContext } from '../layers/ui/page-context.js';
import type { PageNotice } from '../layers/ui/page-response.js';
import { Countdown } from '../layers/ui/parts/relative-time.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { Pill } from '../layers/ui/parts/indicators.js';

/** Includes the composer, because undo restores the text. */
const SWAPPED_PARTS = 'folders tickets facts thread composer toasts';

const undoPath = (number: number, { id }: HeldReply): string => `/tickets/${number}/replies/${id}/undo`;

interface HeldPlace {
  readonly number: number;
  readonly query: InboxQuery;
}

const ALSO = { closed: ' and the ticket closed', pending: ' and the ticket set to wait for the customer' } as const;

export const noticeOfHeld = ({ number, query }: HeldPlace, held: WaitingReply): PageNotice => ({
  tone: 'good',
  text: `Reply to #${number} will be sent${held.thenChange?.state ? ALSO[held.thenChange.state] : ''} in`,
  ticket: number,
  until: held.dueAt,
  undo: { path: undoPath(number, held), fields: { back: toSearchParams(query) } },
});

/** Scheduled replies below the thread. The author can undo them; others only see who is sending. */
export function HeldReplies({ number, query, held }: HeldPlace & { held: readonly HeldReplyOfAgent[] }) {
  const { me } = usePageContext();
  return (
    <ol aria-label="Scheduled replies">
      {held.map((reply) =>
        reply.agentId === me.agentId ? (
          <li class="message agent held" id={`held-${reply.id}`} key={reply.id}>
            <div class="row apart">
              <Pill tone="warn">
                <Countdown until={reply.dueAt} before="Sends in" over="Sending…" />
              </Pill>
              <ActionButton
                to={undoPath(number, reply)}
                label="Undo"
                class="slim"
                fields={{ back: toSearchParams(query) }}
                swap={SWAPPED_PARTS}
              />
            </div>
            {reply.ccAddresses.length > 0 && <p class="recipients-line">{`Cc: ${reply.ccAddresses.join(', ')}`}</p>}
            <div class="body text" dir="auto">
              {reply.body}
            </div>
          </li>
        ) : (
          <HeldByOther reply={reply} key={reply.id} />
        ),
      )}
    </ol>
  );
}

/** Also shows the text of an archived agent, which would be lost otherwise. */
function HeldByOther({ reply: { agent, body } }: { reply: HeldReplyOfAgent }) {
  const name = agentName(agent);
  if (agent.state !== 'archived') return <li class="activity">{`${name} is sending a reply`}</li>;
  return (
    <li class="message agent held">
      <Pill tone="warn">{`Scheduled by ${name} (archived). It will be sent once this ticket can be replied to again.`}</Pill>
      <div class="body text" dir="auto">
        {body}
      </div>
    </li>
  );
}
