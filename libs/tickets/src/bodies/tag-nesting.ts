export const ALLOWED_TAGS = (
  'p div br span hr b strong i em u s del small sub sup a img ' +
  'ul ol li blockquote pre code table thead tbody tr td th'
).split(' ');

const HTML_TAG = new RegExp(`</?(?:${ALLOWED_TAGS.join('|')}|h[1-6]|html|body|font|center)(?:\\s[^<>]*)?/?>`, 'i');

export const looksLikeHtml = (body: string): boolean => HTML_TAG.test(body);

/** A tag as the sanitizer writes it, or a `<` that begins none. */
const TAG = /<(?:(\/?)([a-z]+)((?: [a-z-]+(?:="[^"<>]*")?)*(?: \/)?)>)?/g;

const VOID_TAGS = new Set(['br', 'hr', 'img']);

/**
 * Closes the elements that are open at the end. Returns null if a tag is not allowed, or if it closes another element than
 * the last one opened.
 *
 * Matching tags are not enough. At an `<li>` in an `<li>`, or at a `<table>` outside the cells of another one, a browser
 * ends the elements between them, and their closing tags then end elements of the page. Such tags are corrected.
 */
export function wellNested(html: string): string | null {
  const open: string[] = [];
  /** The tag written for each open element; empty if none is. */
  const written: string[] = [];
  let isNested = true;
  const nested = html.replaceAll(TAG, (tag, slash: string, name: string, attributes: string) => {
    isNested &&= ALLOWED_TAGS.includes(name) && (slash === '' || open.at(-1) === name);
    if (slash) {
      open.pop();
      return endOf(written.pop());
    }
    if (VOID_TAGS.has(name)) return tag;
    const inPlace = tagInside(written, name);
    open.push(name);
    written.push(inPlace);
    return inPlace && `<${inPlace}${attributes}>`;
  });
  return isNested ? nested + written.toReversed().map(endOf).join('') : null;
}

const endOf = (name = ''): string => name && `</${name}>`;

const CELLS = ['td', 'th'];
const TABLE_CONTENT: Readonly<Record<string, readonly string[]>> = {
  table: ['thead', 'tbody', 'tr', ...CELLS],
  thead: ['tr', ...CELLS],
  tbody: ['tr', ...CELLS],
  tr: CELLS,
};

/** Empty for a tag that the browser would ignore or move. An `<li>` without a list becomes a `<div>`. */
function tagInside(around: readonly string[], tag: string): string {
  const content = TABLE_CONTENT[around.findLast((outer) => outer !== '') ?? ''];
  if (content ? !content.includes(tag) : TABLE_CONTENT['table']!.includes(tag)) return '';
  if (tag !== 'li') return tag;
  const outer = around.findLast((name) => ['ul', 'ol', 'li', ...CELLS].includes(name));
  return outer === 'ul' || outer === 'ol' ? 'li' : 'div';
}
