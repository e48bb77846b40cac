export type Piece = ReturnType<typeof piecesOf>[number];

/** An optional `-`, an optional operator, and a phrase or word. An unclosed quote reaches to the end. */
const PIECES = /(-?)(?:([a-z]{1,20}):)?(?:"([^"]*)"?|([^\s"]\S*))?/giu;

/** Splits any text, such as `is:open -tag:"red hot"`. Only white space is lost. */
export function piecesOf(text: string) {
  const pieces = [...text.matchAll(PIECES)].map(([whole, minus, operator = '', phrase, word = '']) => ({
    text: whole,
    excluded: minus === '-',
    operator: operator.toLowerCase(),
    value: phrase ?? word,
    isQuoted: phrase !== undefined,
  }));
  return pieces.filter((piece) => piece.text !== '');
}
