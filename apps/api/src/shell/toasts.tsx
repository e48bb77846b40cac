import { usePageContext } from '../ui/page-context.js';
import type { PageNotice } from '../ui/page-response.js';
import { Countdown, secondsUntil } from '../ui/parts/countdown.js';
import { ActionButton } from '../ui/parts/form.js';

/** Parts that are not on the page are ignored. */
const UNDO_SWAPS = 'toasts folders tickets facts thread composer';

/** Shows the result of the last action. Screen readers read it out. */
export function Toasts() {
  const { notice } = usePageContext();
  return (
    <div id="toasts" role="status" aria-live="polite">
      {notice && (
        <div class={`notice ${notice.tone}`} data-ticket={notice.ticket}>
          {notice.undo ? (
            <div class="row apart nowrap">
              <ToastText notice={notice} />
              <ActionButton
                to={notice.undo.path}
                fields={{ ...notice.undo.fields, ...(notice.ticket && { ticket: String(notice.ticket) }) }}
                label="Undo"
                class="slim undo"
                swap={UNDO_SWAPS}
              />
            </div>
          ) : (
            notice.text
          )}
        </div>
      )}
    </div>
  );
}

/** Screen readers announce the remaining time once, not every second. */
function ToastText({ notice: { text, until } }: { notice: PageNotice }) {
  const { now } = usePageContext();
  if (!until) return <span>{text}</span>;
  return (
    <span>
      <span aria-hidden="true">
        <Countdown until={until} before={text} over="" />
      </span>
      <span class="unseen">{`${text} ${secondsUntil(until, now)} seconds.`}</span>
    </span>
  );
}
