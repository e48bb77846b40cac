import type { MarkedText } from '#libs/tickets';

interface MarkedProps {
  readonly pieces: readonly MarkedText[] | undefined;
  /** Where nothing was looked for in it. */
  readonly otherwise: string;
}

/** A text in which the words of a search stand out. */
export function Marked({ pieces, otherwise }: MarkedProps) {
  if (!pieces || pieces.length === 0) return <>{otherwise}</>;
  return <>{pieces.map(({ text, found }, place) => (found ? <mark key={place}>{text}</mark> : text))}</>;
}
