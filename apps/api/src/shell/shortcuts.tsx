const SHORTCUTS = [
  { keys: ['j', 'k'], does: 'next and previous ticket' },
  { keys: ['Enter'], does: 'open the selected ticket' },
  { keys: ['x'], does: 'tick or untick it' },
  { keys: ['r'], does: 'reply' },
  { keys: ['n'], does: 'write a note' },
  { keys: ['a'], does: 'assign' },
  { keys: ['p'], does: 'priority' },
  { keys: ['t'], does: 'tag' },
  { keys: ['v'], does: 'move to a mailbox' },
  { keys: ['c'], does: 'close' },
  { keys: ['z'], does: 'undo what was just done here' },
  { keys: ['/'], does: 'search' },
  { keys: ['g', 'i'], does: 'go to the inbox' },
  { keys: ['g', 'm'], does: 'go to mine' },
  { keys: ['Ctrl', 'Enter'], does: 'send' },
  { keys: ['Esc'], does: 'leave the composer' },
  { keys: ['?'], does: 'this list' },
] as const;

/** They act on the selected row and on the open ticket. People can switch them off in their profile. */
export function Shortcuts() {
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <div class="stack">
        <h2 id="shortcuts-title">Keyboard shortcuts</h2>
        <dl class="facts">
          {SHORTCUTS.map(({ keys, does }) => (
            <>
              <dt key={does}>
                {keys.map((key) => (
                  <>
                    <kbd key={key}>{key}</kbd>{' '}
                  </>
                ))}
              </dt>
              <dd>{does}</dd>
            </>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">Done</button>
        </form>
      </div>
    </dialog>
  );
}
