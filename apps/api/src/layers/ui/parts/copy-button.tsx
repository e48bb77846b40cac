export function CopyButton({ text, what }: { text: string; what: string }) {
  return (
    <button type="button" class="slim" data-copy={text} hidden aria-label={`Copy ${what}`}>
      Copy
    </button>
  );
}
