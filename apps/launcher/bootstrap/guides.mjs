import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { escapeUTF8 } from 'entities';
import { Renderer, marked } from 'marked';

/** The guides under `/docs`, in the order in which a reader needs them. */
const GUIDES = `getting-started webhooks receivers webhooks-verify webhooks-records webhooks-deliveries
  api oauth changes sdk attachments mcp
  recipes/slack recipes/postgres-mirror recipes/crm-sync recipes/import-zendesk`
  .split(/\s+/)
  .map((name) => `docs/${name}.md`);

const root = process.argv[2];
const read = (file) => readFileSync(join(root, file), 'utf8');

const pathOf = (file) => `/docs/guides/${basename(file, '.md')}`;

function guideOf(file, markdown) {
  const [title, ...tokens] = marked.lexer(markdown);
  const anchors = [];
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') token.id = anchorOf(textOf(token.tokens), anchors);
    if (token.type === 'link') Object.assign(token, targetOf(file, token));
  });
  const [summary] = textOf([tokens.find(({ type }) => type === 'paragraph')])
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /);
  const guide = { path: pathOf(file), title: textOf([title]), summary, html: marked.parser(tokens) };
  return { ...guide, sections: sectionsOf(tokens, guide) };
}

function textOf(tokens, between = '') {
  const parts = [];
  void marked.walkTokens(tokens, ({ tokens: inner, text = '' }) => parts.push(inner ? '' : text));
  return parts.join(between);
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(text, used) {
  const slug = text.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');
  const anchor = slug.replaceAll(' ', '-');
  const count = used.filter((one) => one === anchor).length;
  used.push(anchor);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

/** A link named after a guide's file gets the title of the guide. A file that is no guide becomes its path in the repository. */
function targetOf(file, { href, text }) {
  if (/^(https?:|mailto:|[#/])/.test(href)) return { href };
  const [target, anchor] = href.split('#');
  const path = posix.join(posix.dirname(file), target);
  if (!GUIDES.includes(path)) return { path };
  const [title] = read(path).slice(2).split('\n', 1);
  const named = text.endsWith('.md') && { tokens: [{ type: 'text', raw: title, text: title }] };
  return { href: `${pathOf(path)}${anchor ? `#${anchor}` : ''}`, ...named };
}

/** The parts that a search finds, with each word once. The text before the first heading has no id. */
function sectionsOf(tokens, { path, title: guide, summary }) {
  const starts = tokens.flatMap(({ type, depth }, place) => (type === 'heading' && depth < 4 ? [place] : []));
  return [0, ...starts].map((start, index) => {
    const words = new Set(textOf(tokens.slice(start, starts[index]), ' ').toLowerCase().split(/\s+/));
    const { id, depth, tokens: heading } = tokens[start];
    const place = id
      ? { path: `${path}#${id}`, title: textOf(heading), summary: guide }
      : { path, title: guide, summary };
    return { id, depth, ...place, words: [...words].join(' ') };
  });
}

marked.use({
  renderer: {
    heading({ tokens, depth, id }) {
      return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`;
    },
    code({ text, lang = '' }) {
      const code = `<pre tabindex="0"><code>${escapeUTF8(text)}</code></pre>`;
      const [language] = lang.split(' ');
      return `<figure class="code ${language}"><figcaption>${language}</figcaption>${code}</figure>\n`;
    },
    link({ path, tokens }) {
      return path ? `${this.parser.parseInline(tokens)} (<code>${path}</code>)` : false;
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token).replaceAll('<th></th>', '<td></td>');
      return `<div class="wide" tabindex="0">${table}</div>\n`;
    },
  },
});
const guides = GUIDES.map((file) => guideOf(file, read(file)));
writeFileSync(join(root, 'dist/guides.json'), JSON.stringify(guides));
