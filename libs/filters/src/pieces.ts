/** A word or phrase, with its operator if it has one: `-tag:"red hot"`. */
export interface Piece {
  readonly text: string;
  readonly excluded: boolean;
  readonly operator: string | undefined;
  readonly value: string;
  readonly isQuoted: boolean;
}

/** An optional `-`, an optional operator, and a phrase or word. An unclosed quote reaches to the end. */
const PIECES = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]\S*))?/giu;

/** Splits any text. Only white space is lost. */
export function piecesOf(text: string): Piece[] {
  const pieces = [...text.matchAll(PIECES)].map(([whole, minus, operator, phrase, word]) => ({
    text: whole,
    excluded: minus === '-',
    operator: operator?.toLowerCase(),
    value: phrase ?? word ?? '',
    isQuoted: phrase !== undefined,
  }));
  return pieces.filter((piece) => piece.text !== '');
}
