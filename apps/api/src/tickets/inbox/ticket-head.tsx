import { inboxPath, toSearchParams } from '../inbox-query.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { ActionButton, inheritedSwap } from '../../layers/ui/parts/form.js';
import { Pill, TicketStatePill } from '../../layers/ui/parts/indicators.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';
import { MoreMenu, SWAPPED_PARTS, Snooze, TicketButton, type ToolProps } from './ticket-tools.js';

interface HeadProps extends ToolProps {
  /** The ticket after this one in the list. */
  readonly next: number | null;
}

/** One row, so that nothing moves when the state changes. */
export function TicketHead({ next, ...tool }: HeadProps) {
  const { number, title, state, snoozedUntil, deletedAt } = tool.ticket;
  const subject = title ?? '(no subject)';
  return (
    <header class="ticket-head" id="facts" data-live {...inheritedSwap(SWAPPED_PARTS)}>
      <a class="button slim back" href={inboxPath(tool.query)} aria-label="Back to the list">
        ←
      </a>
      <div class="clip">
        <h1 class="clip" dir="auto" title={subject}>
          {subject}
        </h1>
        <p class="quiet small">
          #{number}{' '}
          {snoozedUntil ? (
            <Pill>
              Snoozed, back <RelativeTime at={snoozedUntil} />
            </Pill>
          ) : (
            <TicketStatePill state={state} />
          )}
        </p>
      </div>
      <div class="ticket-tools">{deletedAt ? <Restore {...tool} /> : <Tools next={next} {...tool} />}</div>
    </header>
  );
}

function Tools({ next, ...tool }: HeadProps) {
  const { nextAfterClosing } = usePageContext().preferences;
  const { state, snoozedUntil } = tool.ticket;
  const isDone = state === 'closed' || state === 'spam';
  return (
    <>
      {snoozedUntil && <TicketButton {...tool} action="wake" label="Wake" class="slim" />}
      {!snoozedUntil && !isDone && <Snooze {...tool} />}
      <MoreMenu {...tool} />
      <TicketButton
        {...tool}
        action="state"
        label={isDone ? 'Reopen' : 'Close'}
        class={isDone ? 'slim' : 'slim primary'}
        fields={
          isDone ? { state: 'opened' } : { state: 'closed', ...(nextAfterClosing && { next: String(next ?? 0) }) }
        }
      />
    </>
  );
}

function Restore({ ticket, query }: ToolProps) {
  const back = toSearchParams(query);
  return (
    <>
      <span class="quiet small">Deleted. You can restore it within 30 days.</span>
      <ActionButton to={`/tickets/${ticket.number}/restore`} label="Restore" class="slim primary" fields={{ back }} />
    </>
  );
}
