/** Copying needs a script: without one the text itself can still be selected, so the button stays away. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  return (
    <button type="button" class="slim" data-copy={text} hidden aria-label={`Copy ${what}`}>
      Copy
    </button>
  );
}
