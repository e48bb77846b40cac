import { usePageContext } from '../ui/page-context.js';
import type { PageNotice, UndoForm } from '../ui/page-response.js';
import { Facts } from '../ui/parts/facts.js';
import { ActionButton } from '../ui/parts/form.js';
import { Countdown, secondsUntil } from '../ui/parts/relative-time.js';

/** Parts that an undo can change. Missing ones are ignored. */
export const UNDO_SWAPS = 'toasts folders tickets facts properties thread composer';

export function Toasts() {
  const { notice } = usePageContext();
  return (
    <div id="toasts" role="status" aria-live="polite">
      {notice && (
        <div class={`notice ${notice.tone}`} data-ticket={notice.ticket}>
          {notice.undo ? <Undo {...notice} undo={notice.undo} /> : notice.text}
        </div>
      )}
    </div>
  );
}

function Undo({ ticket, undo, ...shown }: PageNotice & { undo: UndoForm }) {
  const fields = { ...undo.fields, ...(ticket && { ticket: String(ticket) }) };
  // Undoing a new ticket opens its form, which is another page.
  const swap = undo.path.startsWith('/tickets/new/') ? {} : { swap: UNDO_SWAPS };
  return (
    <div class="row apart nowrap">
      <ToastText {...shown} />
      <ActionButton to={undo.path} fields={fields} label="Undo" class="slim undo" {...swap} />
    </div>
  );
}

/** Screen readers announce the remaining time once, not every second. */
function ToastText({ text, until }: Pick<PageNotice, 'text' | 'until'>) {
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

const SHORTCUTS = [
  { keys: ['j', 'k'], does: 'next and previous ticket' },
  { keys: ['Enter'], does: 'open the selected ticket' },
  { keys: ['x'], does: 'select' },
  { keys: ['Shift', 'x'], does: 'select a range' },
  { keys: ['b'], does: 'actions for the selected tickets' },
  { keys: ['r'], does: 'reply' },
  { keys: ['r', '/'], does: 'choose a saved reply' },
  { keys: ['n'], does: 'write a note' },
  { keys: ['i'], does: 'assign to me' },
  { keys: ['a'], does: 'assign' },
  { keys: ['p'], does: 'priority, then 1 (urgent) to 4 (low), 0 (none)' },
  { keys: ['t'], does: 'tag' },
  { keys: ['v'], does: 'move to a mailbox' },
  { keys: ['s'], does: 'snooze' },
  { keys: ['f'], does: 'forward' },
  { keys: ['c'], does: 'close' },
  { keys: ['m'], does: 'merge' },
  { keys: ['z'], does: 'undo the last action' },
  { keys: ['/'], does: 'search' },
  { keys: ['g', 'i'], does: 'go to the inbox' },
  { keys: ['g', 'm'], does: 'go to your tickets' },
  { keys: ['g', 'n'], does: 'go to Needs reply' },
  { keys: ['Ctrl', 'Enter'], does: 'send' },
  { keys: ['Ctrl', 'b'], does: 'bold, with i: italic' },
  { keys: ['Ctrl', 'Shift', 'p'], does: 'preview' },
  { keys: ['Esc'], does: 'close a menu, or leave the field' },
  { keys: ['?'], does: 'show shortcuts' },
] as const;

export function Shortcuts() {
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <div class="stack">
        <h2 id="shortcuts-title" tabIndex={-1} autofocus>
          Keyboard shortcuts
        </h2>
        <Facts of={SHORTCUTS.map(({ keys, does }) => [keys.map((key) => [<kbd key={key}>{key}</kbd>, ' ']), does])} />
        <form method="dialog">
          <button type="submit">Done</button>
        </form>
      </div>
    </dialog>
  );
}
