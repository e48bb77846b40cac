import { escapeUTF8 } from 'entities';
import { Marked } from 'marked';
import { looksLikeHtml } from './tag-nesting.js';

/** Most characters of the HTML, twice those of the longest body. Escaped text grows up to ten times. */
const MAX_HTML_CHARACTERS = 1_000_000;

const UNFORMATTED = new Set(['paragraph', 'text', 'space', 'br']);

const ignored = (): undefined => undefined;

/** Scripts without spaces between words, such as Japanese, mark within them. */
const WITHIN_WORD = /[\p{Script=Latin}\p{Nd}*_]/u;

/**
 * Keeps what people type or paste in emails: HTML, indented lines, `[1]: address`, `# 5`, the backslashes of paths,
 * `5*3*2`, `__init__`, and years at the beginning of a line. A line of dashes below a paragraph separates and makes no heading.
 */
const markdown = new Marked({
  breaks: true,
  tokenizer: {
    html: ignored,
    tag: ignored,
    code: ignored,
    def: ignored,
    heading: ignored,
    lheading: ignored,
    escape: ignored,
    emStrong: (text, _, before = '') => (/^_[^_]*__|^__/.test(text) || WITHIN_WORD.test(before) ? undefined : false),
    list: (text) => (/^ *\d{3}/.test(text) ? undefined : false),
  },
  renderer: {
    text(token) {
      return 'tokens' in token && token.tokens ? this.parser.parseInline(token.tokens) : escapeUTF8(token.text);
    },
    image(picture) {
      return this.link({ ...picture, type: 'link' });
    },
    checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
  },
});

/** Not safe yet. Returns null for text that needs no HTML: it has line breaks and bare addresses only. */
export function htmlOfMarkdown(text: string): string | null {
  const tokens = markdown.lexer(text);
  let isFormatted = looksLikeHtml(text);
  void markdown.walkTokens(tokens, (token) => {
    isFormatted ||= !UNFORMATTED.has(token.type) && !('autolink' in token);
  });
  const html = isFormatted ? markdown.parser(tokens).trim() : null;
  return html !== null && html.length <= MAX_HTML_CHARACTERS ? html : null;
}
