const SIGNATURE = '-- ';

/** Text whose paragraphs are cut into lines that end with a space (RFC 3676), with each paragraph in one line again. */
export function unfoldFlowed(text: string, dropsSpace: boolean): string {
  const paragraphs: { readonly depth: number; readonly pieces: string[]; isOpen: boolean }[] = [];
  for (const line of text.split('\n')) {
    const { depth, said } = readLine(line);
    const isOpen = said.endsWith(' ') && said !== SIGNATURE;
    const piece = isOpen && dropsSpace ? said.slice(0, -1) : said;
    const last = paragraphs.at(-1);
    if (last?.isOpen && last.depth === depth && said !== SIGNATURE) {
      last.pieces.push(piece);
      last.isOpen = isOpen;
    } else paragraphs.push({ depth, pieces: [piece], isOpen });
  }
  return paragraphs.map(({ depth, pieces }) => markOf(depth) + pieces.join('')).join('\n');
}

/** A space at the beginning protects what follows it. */
function readLine(line: string): { readonly depth: number; readonly said: string } {
  const depth = /^>*/.exec(line)![0].length;
  const said = line.slice(depth);
  return { depth, said: said.startsWith(' ') ? said.slice(1) : said };
}

const markOf = (depth: number): string => (depth === 0 ? '' : `${'>'.repeat(depth)} `);
