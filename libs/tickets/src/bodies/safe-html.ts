import sanitize from 'sanitize-html';

const ALLOWED_TAGS = (
  'p div br span hr b strong i em u s del small sub sup a img ' +
  'ul ol li blockquote pre code table thead tbody tr td th'
).split(' ');

/** The sanitizer keeps the text of other tags that are not allowed. */
export const NO_TEXT = ['script', 'style', 'textarea', 'option', 'noscript', 'title'];

/** Deeper markup slows down browsers and could overflow the stack. */
const MAX_NESTING = 40;

/** Holds the URL of a remote picture until the reader asks for pictures. */
const HELD_BACK = 'data-remote-src';
const HELD_PICTURE = `<img ${HELD_BACK}=`;

/** Safe HTML names an attached picture by its Content-ID (RFC 2392), then by its attachment. */
const CONTENT_ID = 'data-cid';
const ATTACHMENT = 'data-attachment';

const HTML_TAG = new RegExp(`</?(?:${ALLOWED_TAGS.join('|')}|h[1-6]|html|body|font|center)(?:\\s[^<>]*)?/?>`, 'i');

export const looksLikeHtml = (body: string): boolean => HTML_TAG.test(body);

/** Makes markup of strangers safe to show. The only source of unescaped HTML in a page. */
export function safeHtml(body: string): string {
  return sanitize(body, {
    allowedTags: ALLOWED_TAGS,
    allowedAttributes: {
      a: ['href', 'title', 'target', 'rel'],
      img: [HELD_BACK, CONTENT_ID, 'src', 'alt', 'width', 'height'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https', 'data'] },
    allowedSchemesAppliedToAttributes: ['href', 'src', HELD_BACK],
    allowProtocolRelative: false,
    nestingLimit: MAX_NESTING,
    nonTextTags: NO_TEXT,
    transformTags: { ...HEADINGS_TO_PARAGRAPHS, a: externalLink, img: heldBackPicture },
  });
}

// The sanitizer escapes `<` and `>` in text, so these match tags only.

export const hasRemotePictures = (safe: string): boolean => safe.includes(HELD_PICTURE);

export const withRemotePictures = (safe: string): string => safe.replaceAll(HELD_PICTURE, '<img src=');

export function withoutRemotePictures(safe: string): string {
  const [start = '', ...parts] = safe.split(HELD_PICTURE);
  return start + parts.map((part) => part.slice(part.indexOf('>') + 1)).join('');
}

export function startOfHtml(safe: string, characters: number): string {
  if (safe.length <= characters) return safe;
  const start = withoutHalfOfSomething(safe.slice(0, characters));
  const open: string[] = [];
  for (const [tag, slash, name] of start.matchAll(/<(\/?)([a-z]+)\b[^<>]*>/g)) {
    if (slash) open.pop();
    else if (!tag.endsWith('/>')) open.push(name!);
  }
  return [start, ...open.toReversed().map((name) => `</${name}>`)].join('');
}

function withoutHalfOfSomething(cut: string): string {
  const tag = cut.lastIndexOf('<');
  if (tag > cut.lastIndexOf('>')) return cut.slice(0, tag);
  const entity = cut.lastIndexOf('&');
  if (entity > cut.lastIndexOf(';')) return cut.slice(0, entity);
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}

/** Headings become paragraphs, so that the page keeps its own outline. */
const HEADINGS_TO_PARAGRAPHS = { h1: 'p', h2: 'p', h3: 'p', h4: 'p', h5: 'p', h6: 'p' };

const externalLink: sanitize.Transformer = (tagName, attribs) => ({
  tagName,
  attribs: { ...attribs, target: '_blank', rel: 'noopener noreferrer' },
});

/** This tag is not allowed, so the picture disappears. The sanitizer's own filter is slow. */
const NO_TAG: sanitize.Tag = { tagName: 'nothing', attribs: {} };

const OURS = new Set([HELD_BACK, CONTENT_ID]);

/** A remote picture would report when and where the message was read. */
const heldBackPicture: sanitize.Transformer = (tagName, { src = '', ...given }) => {
  const address = src.trim();
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !OURS.has(name)));
  const contentId = contentIdOf(address);
  if (contentId !== null) return { tagName, attribs: { [CONTENT_ID]: contentId, ...others } };
  if (/^data:image\/(png|jpeg|gif|webp);/i.test(address)) return { tagName, attribs: { src: address, ...others } };
  if (/^https?:/i.test(address)) return { tagName, attribs: { [HELD_BACK]: address, ...others } };
  return NO_TAG;
};

/** `cid:logo@client.test` names `logo@client.test`. */
function contentIdOf(address: string): string | null {
  if (!/^cid:/i.test(address)) return null;
  const written = address.slice('cid:'.length);
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

export const withAttachments = (safe: string, idOf: (contentId: string) => string | undefined): string =>
  safe.replaceAll(/<img data-cid="([^"<>]*)"/g, (found, escaped: string) => {
    const id = idOf(escaped.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!));
    return id === undefined ? found : `<img ${ATTACHMENT}="${id}"`;
  });

export const withAttachedPictures = (safe: string, addressOf: (id: string) => string): string =>
  safe.replaceAll(
    /<img data-attachment="([0-9a-f-]{36})"/g,
    (_, id: string) => `<img loading="lazy" src="${addressOf(id)}"`,
  );
